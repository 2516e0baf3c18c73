//! The bridge to the monitor: its records become sockets, words and a display, and back.
//!
//! What the monitor writes into its FIFO goes to the users of the device's links; what they
//! write goes into the monitor's inbox. A guest that runs freely is served by a thread as
//! things come. In step, bytes change hands at the ends of steps only: out when a step's end is
//! noticed and before the world receives it, in when the world lets the guest go on. So what
//! the guest sees does not depend on how busy the host is.

use std::collections::{BTreeMap, VecDeque};
use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::event::{EventfdFlags, PollFd, PollFlags, Timespec, eventfd, poll};
use rustix::fs::{CWD, Mode, OFlags};

use super::inbox::{Inbox, Memory};
use super::records::{Decoder, Stream, records};
use crate::error::{BenchError, Result};
use crate::log::Log;
use crate::world::display::Display;

/// The FIFO's name in the guest's folder.
pub(super) const OUT: &str = "monitor.out";
/// What may wait for a link's user, who does not read; more is lost, as on a wire.
const WAITING: usize = 1 << 20;
/// How often a full inbox is looked at.
const SOON: Timespec = Timespec { tv_sec: 0, tv_nsec: 1_000_000 };
/// A monitor that takes nothing for so long has hung.
const PATIENCE: Duration = Duration::from_secs(20);

/// What the monitor says that the bench must act on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Said {
    /// It runs and waits for `begin`. Told by the bridge's own thread, which may use qtest.
    Start,
    /// The watchdog ran out.
    Watchdog,
    /// The image broke a rule.
    Breach(String),
}

/// Who acts on it.
pub(super) type Listener = Box<dyn Fn(Said) + Send + Sync>;

/// The device's end of a link.
struct End {
    stream: UnixStream,
    waiting: Vec<u8>,
}

#[derive(Default)]
struct Outgoing {
    decoder: Decoder,
    /// What came in this step.
    held: BTreeMap<Stream, Vec<u8>>,
    display: Display,
    shown: [String; 2],
    starts: usize,
}

#[derive(Default)]
struct Incoming {
    inbox: Inbox,
    /// What users wrote and their lines have not carried yet.
    queues: BTreeMap<Stream, VecDeque<u8>>,
    /// Whether the monitor has started.
    open: bool,
    /// Whether the image has.
    begun: bool,
}

struct Shared {
    fifo: File,
    bell: OwnedFd,
    in_step: bool,
    memory: Arc<dyn Memory + Send + Sync>,
    log: Arc<Log>,
    listener: Listener,
    // Locked in this order.
    out: Mutex<Outgoing>,
    into: Mutex<Incoming>,
    ends: Mutex<BTreeMap<Stream, End>>,
    stop: Mutex<bool>,
}

// A test that panicked must not stop the others from cleaning up.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The bridge of one guest; dropping it closes every link.
pub(super) struct Bridge {
    shared: Arc<Shared>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

/// Makes the FIFO in `folder` and opens it, so that QEMU finds a reader and does not wait.
pub(super) fn fifo(folder: &Path) -> Result<File> {
    let path = folder.join(OUT);
    let _ = std::fs::remove_file(&path); // left by the guest before the power cut
    let doing = || BenchError::io(format!("making {}", path.display()));
    let made = rustix::fs::mkfifoat(CWD, &path, Mode::RUSR | Mode::WUSR).and_then(|()| {
        rustix::fs::open(&path, OFlags::RDWR | OFlags::NONBLOCK | OFlags::CLOEXEC, Mode::empty())
    });
    made.map(File::from).map_err(|error| doing()(error.into()))
}

impl Bridge {
    /// A bridge between `fifo` and a guest's memory.
    pub(super) fn new(
        fifo: File,
        memory: Arc<dyn Memory + Send + Sync>,
        log: Arc<Log>,
        in_step: bool,
        listener: Listener,
    ) -> Result<Self> {
        let doing = || BenchError::io("bridging the monitor");
        let flags = EventfdFlags::NONBLOCK | EventfdFlags::CLOEXEC;
        let bell = eventfd(0, flags).map_err(|error| doing()(error.into()))?;
        let shared = Arc::new(Shared {
            fifo,
            bell,
            in_step,
            memory,
            log,
            listener,
            out: Mutex::default(),
            into: Mutex::default(),
            ends: Mutex::default(),
            stop: Mutex::default(),
        });
        let serving = Arc::clone(&shared);
        let thread = std::thread::Builder::new().name("monitor's bridge".into());
        let thread = thread.spawn(move || serving.serve()).map_err(doing())?;
        Ok(Self { shared, thread: Mutex::new(Some(thread)) })
    }

    /// A link's user end. The user that had it before is cut off.
    pub(super) fn link(&self, stream: Stream) -> Result<UnixStream> {
        let doing = || BenchError::io("making a link");
        let (near, far) = UnixStream::pair().map_err(doing())?;
        near.set_nonblocking(true).map_err(doing())?;
        // Not in the middle of a delivery: what came before is not for the new user.
        let mut out = lock(&self.shared.out);
        out.held.remove(&stream);
        lock(&self.shared.into).queues.remove(&stream);
        lock(&self.shared.ends).insert(stream, End { stream: near, waiting: Vec::new() });
        self.shared.ring();
        Ok(far)
    }

    /// Says something to the monitor: at once, or with the next step.
    pub(super) fn say(&self, words: &str) -> Result<()> {
        let mut into = lock(&self.shared.into);
        if !into.open {
            return Ok(()); // who holds something says it again at the start
        }
        into.say(words);
        if self.shared.in_step && into.begun {
            return Ok(());
        }
        into.inbox.flush(&*self.shared.memory)
    }

    /// Lets the image start.
    pub(super) fn begin(&self) -> Result<()> {
        self.say("begin")?;
        lock(&self.shared.into).begun = true;
        Ok(())
    }

    /// The guest has come to the end of a step: what it sent goes out. Asks nothing of qtest.
    pub(super) fn step_ended(&self) {
        self.shared.pump_out(true);
    }

    /// Hands over all that waits, and lets the guest go on for a step.
    pub(super) fn go_on(&self) -> Result<()> {
        let shared = &self.shared;
        let mut into = lock(&shared.into);
        shared.collect(&mut into);
        if into.inbox.is_empty() {
            return shared.memory.ring();
        }
        into.say("go");
        let deadline = Instant::now() + PATIENCE;
        loop {
            into.inbox.flush(&*shared.memory)?;
            if into.inbox.is_empty() {
                return Ok(());
            }
            if Instant::now() > deadline {
                let late = std::io::Error::from(ErrorKind::TimedOut);
                return Err(BenchError::io("waiting for room in the monitor's inbox")(late));
            }
            let _ = poll(&mut [], Some(&SOON)); // only its pause matters
        }
    }
}

impl Drop for Bridge {
    fn drop(&mut self) {
        *lock(&self.shared.stop) = true;
        self.shared.ring();
        if let Some(thread) = lock(&self.thread).take() {
            let _ = thread.join(); // it has handed over what had come
        }
        lock(&self.shared.ends).clear();
    }
}

impl Incoming {
    fn say(&mut self, words: &str) {
        records(Stream::Words, words.as_bytes()).for_each(|record| self.inbox.push(record));
    }
}

impl Shared {
    fn ring(&self) {
        let _ = rustix::io::write(&self.bell, &1u64.to_ne_bytes()); // full: it rings already
    }

    fn serve(&self) {
        loop {
            self.wait();
            let _ = rustix::io::read(&self.bell, &mut [0; 8]); // nothing to read is as good
            let stop = *lock(&self.stop);
            self.pump_out(!self.in_step || stop);
            if stop {
                return;
            }
            let starts = std::mem::take(&mut lock(&self.out).starts);
            if starts > 0 {
                let mut into = lock(&self.into);
                into.inbox.clear();
                (into.open, into.begun) = (true, false);
                drop(into);
                (self.listener)(Said::Start);
            }
            if !self.in_step {
                self.pump_in();
            }
        }
    }

    fn wait(&self) {
        let blocked = !lock(&self.into).inbox.is_empty() && !self.in_step;
        let ends = lock(&self.ends);
        let handle = |end: &End| {
            let idle = if blocked || self.in_step { PollFlags::empty() } else { PollFlags::IN };
            let full = if end.waiting.is_empty() { PollFlags::empty() } else { PollFlags::OUT };
            Some((end.stream.try_clone().ok()?, idle | full))
        };
        let handles: Vec<_> = ends.values().filter_map(handle).collect();
        drop(ends);
        let fixed =
            [PollFd::new(&self.bell, PollFlags::IN), PollFd::new(&self.fifo, PollFlags::IN)];
        let wanted = handles.iter().filter(|(_, flags)| !flags.is_empty());
        let links = wanted.map(|(stream, flags)| PollFd::from_borrowed_fd(stream.as_fd(), *flags));
        let mut all: Vec<_> = fixed.into_iter().chain(links).collect();
        let _ = poll(&mut all, blocked.then_some(&SOON)); // an interrupted wait is a short one
    }

    /// Takes what the monitor has written; hands it to the links' users if they may have it.
    fn pump_out(&self, deliver: bool) {
        let mut out = lock(&self.out);
        let mut chunk = [0; 4096];
        while let Ok(count @ 1..) = (&self.fifo).read(&mut chunk) {
            out.decoder.take(&chunk[..count]);
        }
        while let Some((stream, bytes)) = out.decoder.next() {
            match stream {
                Ok(Stream::Words) => self.take_words(&mut out, &String::from_utf8_lossy(&bytes)),
                Ok(Stream::Display) => self.show(&mut out, &bytes),
                Ok(link) => out.held.entry(link).or_default().extend(bytes),
                Err(number) => self.log.note(format!("monitor: unknown stream {number}")),
            }
        }
        if deliver {
            let held = std::mem::take(&mut out.held);
            lock(&self.ends).retain(|stream, end| {
                let bytes = held.get(stream).map_or(&[][..], Vec::as_slice);
                if end.waiting.len() + bytes.len() <= WAITING {
                    end.waiting.extend(bytes);
                }
                end.flush()
            });
        }
    }

    fn take_words(&self, out: &mut Outgoing, words: &str) {
        if words == "start" {
            out.starts += 1;
            return self.ring(); // this may be another's thread, which must not use qtest
        }
        self.log.note(format!("monitor: {words}"));
        if words == "the watchdog bites" {
            (self.listener)(Said::Watchdog);
        } else if let Some(rule) = words.strip_prefix("breach: ") {
            (self.listener)(Said::Breach(rule.into()));
        }
    }

    fn show(&self, out: &mut Outgoing, bytes: &[u8]) {
        for byte in bytes {
            if let Err(command) = out.display.take(*byte) {
                self.log.note(format!("display: it knows no command {command:#04x}"));
            }
            let lines = out.display.lines();
            if out.display.is_at_a_rows_end() && lines != out.shown {
                self.log.note(format!("display: {} | {}", lines[0], lines[1]));
                out.shown = lines;
            }
        }
    }

    /// Puts what the links' users wrote into the inbox: of each, what its line carries in a step.
    fn collect(&self, into: &mut Incoming) {
        let mut ends = lock(&self.ends);
        for stream in Stream::LINKS {
            let queue = into.queues.entry(stream).or_default();
            if let Some(end) = ends.get_mut(&stream)
                && !end.read(queue)
            {
                ends.remove(&stream);
            }
            let count =
                queue.len().min(if self.in_step { stream.in_a_millisecond() } else { usize::MAX });
            let bytes: Vec<u8> = queue.drain(..count).collect();
            records(stream, &bytes).for_each(|record| into.inbox.push(record));
        }
    }

    fn pump_in(&self) {
        let mut into = lock(&self.into);
        if !into.begun {
            return;
        }
        // What does not fit stays in the sockets, so that their writers notice.
        if into.inbox.is_empty() {
            self.collect(&mut into);
        }
        // Fails only when the guest is gone, which the test will notice itself.
        let _ = into.inbox.flush(&*self.memory);
    }
}

impl End {
    /// Writes what can be written; false when the user has gone.
    fn flush(&mut self) -> bool {
        while !self.waiting.is_empty() {
            match self.stream.write(&self.waiting) {
                Ok(count) => drop(self.waiting.drain(..count)),
                Err(error) => return passing(&error),
            }
        }
        true
    }

    /// Reads what has come; false when the user has gone.
    fn read(&mut self, queue: &mut VecDeque<u8>) -> bool {
        let mut chunk = [0; 4096];
        loop {
            match self.stream.read(&mut chunk) {
                Ok(0) => return false,
                Ok(count) => queue.extend(&chunk[..count]),
                Err(error) => return passing(&error),
            }
        }
    }
}

fn passing(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)
}

#[cfg(test)]
#[path = "bridge_tests.rs"]
mod tests;
