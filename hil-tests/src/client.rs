//! A client program beside the bench: started, listened to, ended by a deadline.

use std::fmt;
use std::io::{self, BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, pidfd_open};

use crate::wait::{Waited, Watched, interrupted};

/// How often a wait looks up to see whether someone pressed Ctrl-C.
const GLANCE: Duration = Duration::from_millis(100);
/// How many lines a failure shows.
const TAIL: usize = 60;

/// How a client failed and what it had said by then.
pub struct Story {
    how: String,
    said: Vec<String>,
}

impl fmt::Display for Story {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; it said:", self.how)?;
        let from = self.said.len().saturating_sub(TAIL);
        self.said[from..].iter().try_for_each(|line| write!(f, "\n    {line}"))
    }
}

// A test that returns an error has it printed with `Debug`: let it be readable.
impl fmt::Debug for Story {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Story {}

/// A running client; dropping it ends it.
pub struct Client {
    child: Child,
    said: Arc<Watched<Vec<String>>>,
    readers: Vec<JoinHandle<()>>,
}

impl Client {
    /// Starts `command` and listens to all it says.
    pub fn start(mut command: Command) -> io::Result<Self> {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let said = Arc::new(Watched::default());
        let pipes: [Option<Box<dyn Read + Send>>; 2] = [
            child.stdout.take().map(|pipe| Box::new(pipe) as Box<dyn Read + Send>),
            child.stderr.take().map(|pipe| Box::new(pipe) as Box<dyn Read + Send>),
        ];
        let readers = pipes.into_iter().flatten().map(|pipe| listen(pipe, Arc::clone(&said)));
        Ok(Self { child, readers: readers.collect(), said })
    }

    /// Waits until it has said a line that begins so.
    pub fn await_line(&mut self, words: &str, within: Duration) -> Result<(), Story> {
        let found =
            |said: &mut Vec<String>| said.iter().any(|line| line.starts_with(words)).then_some(());
        match self.said.wait(within, found) {
            Waited::Came(()) => Ok(()),
            _ => Err(self.story(format!("did not say `{words}` within {} s", within.as_secs()))),
        }
    }

    /// Waits until it ends by itself, and gives its last line if all was well.
    pub fn finish(mut self, within: Duration) -> Result<String, Story> {
        if !self.ends(within) {
            self.stop();
            return Err(self.story(format!("did not end within {} s", within.as_secs())));
        }
        let status = self.child.wait();
        self.readers.drain(..).for_each(|reader| drop(reader.join())); // it only listens
        match status {
            Ok(status) if status.success() => {
                Ok(self.said.look(|said| said.last().cloned().unwrap_or_default()))
            }
            Ok(status) => Err(self.story(format!("ended with {status}"))),
            Err(error) => Err(self.story(format!("cannot be waited for: {error}"))),
        }
    }

    fn ends(&self, within: Duration) -> bool {
        let id = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        let Some(process) = id.and_then(|id| pidfd_open(id, PidfdFlags::empty()).ok()) else {
            return true; // it has ended, or waiting for it will tell why not
        };
        let deadline = Instant::now() + within;
        while !interrupted() {
            let left = deadline.saturating_duration_since(Instant::now());
            let glance = Timespec::try_from(left.min(GLANCE)).ok();
            let ready = poll(&mut [PollFd::new(&process, PollFlags::IN)], glance.as_ref());
            if ready.is_ok_and(|ready| ready > 0) {
                return true;
            }
            if left.is_zero() {
                return false;
            }
        }
        false
    }

    fn stop(&mut self) {
        let _ = self.child.kill(); // already dead is as good
        let _ = self.child.wait();
        self.readers.drain(..).for_each(|reader| drop(reader.join()));
    }

    fn story(&self, how: String) -> Story {
        Story { how, said: self.said.look(Clone::clone) }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.stop();
    }
}

fn listen(pipe: Box<dyn Read + Send>, said: Arc<Watched<Vec<String>>>) -> JoinHandle<()> {
    std::thread::spawn(move || {
        for line in BufReader::new(pipe).lines().map_while(Result::ok) {
            said.change(|said| said.push(line));
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Client {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        Client::start(command).unwrap()
    }

    #[test]
    fn a_good_client_gives_its_last_line() {
        let mut client = shell("echo begun; echo '{}'");
        client.await_line("begun", Duration::from_secs(10)).unwrap();
        assert_eq!(client.finish(Duration::from_secs(10)).unwrap(), "{}");
    }

    #[test]
    fn a_failed_client_tells_how_and_what_it_said() {
        let story = shell("echo wrong answer >&2; exit 4").finish(Duration::from_secs(10));
        let said = story.unwrap_err().to_string();
        assert!(said.contains("exit status: 4") && said.contains("wrong answer"), "{said}");
    }

    #[test]
    fn a_client_that_hangs_is_ended_by_the_deadline() {
        let begun = Instant::now();
        let story = shell("echo here; exec sleep 60").finish(Duration::from_millis(200));
        assert!(story.unwrap_err().to_string().contains("did not end within"));
        assert!(begun.elapsed() < Duration::from_secs(20));
    }
}
