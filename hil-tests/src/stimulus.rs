//! The stimulus adapter: a small board that presses keys and watches lamps.
//!
//! It hangs on a serial port and speaks lines of text, described in `README.md`, so
//! that any microcontroller with enough pins can be one, and a person with a
//! terminal can try it by hand.

use std::io::{BufRead, BufReader, Read, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::error::{BenchError, Result};
use crate::link::Wire;

/// The only version there is; a later adapter must still offer it.
const HELLO: &str = "hello croupier-stimulus 1";

/// An adapter answers within a millisecond; a second covers a sleepy USB port.
const ANSWER: Duration = Duration::from_secs(1);

/// What the bench does with a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Drive {
    /// Drives it low.
    Low,
    /// Drives it high.
    High,
    /// Lets it float.
    Rest,
}

/// A change the adapter saw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen {
    /// The channel.
    pub channel: u8,
    /// Its new level.
    pub high: bool,
    /// When, in microseconds of the adapter's clock.
    pub at_us: u64,
}

/// One line from the adapter.
#[derive(Debug, PartialEq, Eq)]
enum Line {
    Hello(String),
    Done,
    Level(Seen),
    Edge(Seen),
    Refused(String),
    Noise,
}

fn parse(line: &str) -> Line {
    let line = line.trim();
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    match word {
        "ok" => Line::Done,
        "hello" => Line::Hello(line.into()),
        "error" => Line::Refused(rest.into()),
        "level" => seen(rest).map_or(Line::Noise, Line::Level),
        "edge" => seen(rest).map_or(Line::Noise, Line::Edge),
        _ => Line::Noise,
    }
}

fn seen(rest: &str) -> Option<Seen> {
    let mut words = rest.split_whitespace();
    let channel = words.next()?.parse().ok()?;
    let high = match words.next()? {
        "0" => false,
        "1" => true,
        _ => return None,
    };
    Some(Seen { channel, high, at_us: words.next()?.parse().ok()? })
}

/// An adapter that has said hello.
pub struct Stimulus {
    talk: Mutex<(Box<dyn Wire>, Receiver<Line>)>,
}

impl Stimulus {
    /// Says hello over `wire`; `edge` gets every change on a watched channel.
    ///
    /// The listening thread ends when the wire closes.
    pub fn open(wire: Box<dyn Wire>, edge: impl FnMut(Seen) + Send + 'static) -> Result<Self> {
        let input =
            wire.another().map_err(BenchError::io("cloning the stimulus adapter's port"))?;
        let (answers, answered) = channel();
        std::thread::spawn(move || listen(input, &answers, edge));
        let stimulus = Self { talk: Mutex::new((wire, answered)) };
        match stimulus.ask(HELLO)? {
            Line::Hello(hello) if hello.starts_with(HELLO) => Ok(stimulus),
            other => Err(refused(HELLO, format!("it answered {other:?}"))),
        }
    }

    /// Drives a channel.
    pub fn set(&self, channel: u8, drive: Drive) -> Result<()> {
        let level = match drive {
            Drive::Low => "0",
            Drive::High => "1",
            Drive::Rest => "z",
        };
        self.done(&format!("set {channel} {level}"))
    }

    /// Reads a channel.
    pub fn get(&self, channel: u8) -> Result<Seen> {
        let line = format!("get {channel}");
        match self.ask(&line)? {
            Line::Level(seen) if seen.channel == channel => Ok(seen),
            other => Err(refused(&line, format!("it answered {other:?}"))),
        }
    }

    /// Asks for every change of a channel from now on.
    pub fn watch(&self, channel: u8) -> Result<()> {
        self.done(&format!("watch {channel}"))
    }

    fn done(&self, line: &str) -> Result<()> {
        match self.ask(line)? {
            Line::Done => Ok(()),
            other => Err(refused(line, format!("it answered {other:?}"))),
        }
    }

    fn ask(&self, line: &str) -> Result<Line> {
        let mut talk = self.talk.lock().unwrap_or_else(PoisonError::into_inner);
        let sent = talk.0.write_all(format!("{line}\n").as_bytes()).and_then(|()| talk.0.flush());
        sent.map_err(BenchError::io("talking to the stimulus adapter"))?;
        match talk.1.recv_timeout(ANSWER) {
            Ok(Line::Refused(why)) => Err(refused(line, why)),
            Ok(input) => Ok(input),
            Err(_) => Err(refused(line, "no answer within a second".into())),
        }
    }
}

fn refused(asked: &str, answer: String) -> BenchError {
    BenchError::Refused { tool: "the stimulus adapter", asked: asked.into(), answer }
}

fn listen(wire: Box<dyn Wire>, answers: &Sender<Line>, mut edge: impl FnMut(Seen)) {
    let mut lines = BufReader::new(Patient(wire));
    let mut line = String::new();
    while matches!(lines.read_line(&mut line), Ok(count) if count > 0) {
        match parse(&line) {
            Line::Edge(seen) => edge(seen),
            Line::Noise => {} // half a line from before the port was opened
            answer => drop(answers.send(answer)), // without a receiver: the wire closes soon
        }
        line.clear();
    }
}

/// A wire whose time-outs are not the end of it: nothing to hear is no error here.
struct Patient(Box<dyn Wire>);

impl Read for Patient {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        use std::io::ErrorKind::{Interrupted, TimedOut, WouldBlock};
        loop {
            match self.0.read(buffer) {
                Err(e) if matches!(e.kind(), TimedOut | WouldBlock | Interrupted) => {}
                other => return other,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::net::UnixStream;

    /// An adapter that knows the answers to a script, and nothing else.
    fn fake(
        script: &'static [(&'static str, &'static str)],
    ) -> (Box<dyn Wire>, std::thread::JoinHandle<()>) {
        let (near, mut far) = UnixStream::pair().unwrap();
        let adapter = std::thread::spawn(move || {
            let mut asked = BufReader::new(far.try_clone().unwrap()).lines();
            for (question, answer) in script {
                assert_eq!(asked.next().unwrap().unwrap(), *question);
                far.write_all(answer.as_bytes()).unwrap();
            }
        });
        (Box::new(near), adapter)
    }

    #[test]
    fn keys_are_driven_lamps_are_read_and_edges_arrive_between_answers() {
        let (wire, adapter) = fake(&[
            (HELLO, "half a li\nhello croupier-stimulus 1 pico\n"),
            ("watch 8", "ok\n"),
            ("set 0 0", "edge 8 1 1500\nok\n"),
            ("get 8", "level 8 1 1600\n"),
            ("set 0 z", "ok\n"),
        ]);
        let (saw, seen) = channel();
        let stimulus = Stimulus::open(wire, move |edge| saw.send(edge).unwrap()).unwrap();
        stimulus.watch(8).unwrap();
        stimulus.set(0, Drive::Low).unwrap();
        assert_eq!(seen.recv().unwrap(), Seen { channel: 8, high: true, at_us: 1500 });
        assert_eq!(stimulus.get(8).unwrap(), Seen { channel: 8, high: true, at_us: 1600 });
        stimulus.set(0, Drive::Rest).unwrap();
        adapter.join().unwrap();
    }

    #[test]
    fn an_adapter_of_another_version_is_refused() {
        let (wire, adapter) = fake(&[(HELLO, "hello croupier-stimulus 2 pico\n")]);
        let said = Stimulus::open(wire, |_| {}).err().unwrap().to_string();
        assert!(said.contains("croupier-stimulus 2"), "{said}");
        adapter.join().unwrap();
    }

    #[test]
    fn a_refusal_is_passed_on_in_the_adapters_words() {
        let (wire, adapter) =
            fake(&[(HELLO, "hello croupier-stimulus 1\n"), ("watch 99", "error no channel 99\n")]);
        let stimulus = Stimulus::open(wire, |_| {}).unwrap();
        let said = stimulus.watch(99).unwrap_err().to_string();
        assert_eq!(said, "the stimulus adapter refused `watch 99`: no channel 99");
        adapter.join().unwrap();
    }
}
