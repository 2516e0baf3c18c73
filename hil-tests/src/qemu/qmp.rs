//! QEMU's machine protocol: lets a held guest run, resets it, reports resets.

use std::io::{BufRead, BufReader, Lines, Write};
use std::os::unix::net::UnixStream;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::Value;

use crate::error::{BenchError, Result};

/// As for qtest: far longer than any good answer takes.
const ANSWER: Duration = Duration::from_secs(20);

/// The channel, with the thread that listens to it.
pub(super) struct Qmp {
    talk: Mutex<(UnixStream, Receiver<Value>)>,
    listener: Option<JoinHandle<()>>,
}

impl Qmp {
    /// Takes over a connected channel; `event` gets the name of every event.
    ///
    /// Returns once QEMU has greeted, which it does only when the whole machine and
    /// all its sockets are there.
    pub(super) fn new(
        stream: UnixStream,
        event: impl FnMut(&str) + Send + 'static,
    ) -> Result<Self> {
        let input = stream.try_clone().map_err(BenchError::io("cloning the QMP channel"))?;
        let mut lines = BufReader::new(input).lines();
        let refused =
            |answer: String| BenchError::Refused { tool: "QMP", asked: "greeting".into(), answer };
        match lines.next() {
            Some(Ok(greeting)) if greeting.contains("\"QMP\"") => {}
            other => return Err(refused(format!("{other:?}"))),
        }
        let (answers, answered) = channel();
        let listener = std::thread::spawn(move || listen(lines, &answers, event));
        let qmp = Self { talk: Mutex::new((stream, answered)), listener: Some(listener) };
        qmp.execute("qmp_capabilities")?;
        Ok(qmp)
    }

    /// Tells QEMU one command without arguments, and waits until it is done.
    pub(super) fn execute(&self, command: &str) -> Result<()> {
        let refused =
            |answer: String| BenchError::Refused { tool: "QMP", asked: command.into(), answer };
        let mut talk = self.talk.lock().unwrap_or_else(PoisonError::into_inner);
        let line = format!("{}\n", serde_json::json!({ "execute": command }));
        let sent = talk.0.write_all(line.as_bytes());
        sent.map_err(|e| refused(format!("the guest is gone ({e})")))?;
        let answer =
            talk.1.recv_timeout(ANSWER).map_err(|_| refused("the guest is gone".into()))?;
        match answer.get("error") {
            None => Ok(()),
            Some(error) => Err(refused(error["desc"].as_str().unwrap_or("no reason given").into())),
        }
    }
}

impl Drop for Qmp {
    fn drop(&mut self) {
        let talk = self.talk.get_mut().unwrap_or_else(PoisonError::into_inner);
        let _ = talk.0.shutdown(std::net::Shutdown::Both); // already closed is as good
        if let Some(listener) = self.listener.take() {
            let _ = listener.join(); // it holds nothing that could be lost
        }
    }
}

fn listen(
    lines: Lines<BufReader<UnixStream>>,
    answers: &Sender<Value>,
    mut event: impl FnMut(&str),
) {
    for line in lines.map_while(std::result::Result::ok) {
        let Ok(value) = serde_json::from_str::<Value>(&line) else { continue };
        match value.get("event").and_then(Value::as_str) {
            Some(name) => event(name),
            None => drop(answers.send(value)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_and_answers_are_told_apart_and_refusals_are_sentences() {
        let (near, mut far) = UnixStream::pair().unwrap();
        let qemu = std::thread::spawn(move || {
            let mut asked = BufReader::new(far.try_clone().unwrap()).lines();
            far.write_all(b"{\"QMP\": {}}\n").unwrap();
            assert!(asked.next().unwrap().unwrap().contains("qmp_capabilities"));
            far.write_all(b"{\"return\": {}}\n").unwrap();
            assert!(asked.next().unwrap().unwrap().contains("system_reset"));
            far.write_all(b"{\"event\": \"RESET\"}\n{\"return\": {}}\n").unwrap();
            assert!(asked.next().unwrap().unwrap().contains("dance"));
            far.write_all(b"{\"error\": {\"desc\": \"unknown\"}}\n").unwrap();
        });
        let (seen, saw) = channel();
        let qmp = Qmp::new(near, move |name| drop(seen.send(name.to_owned()))).unwrap();
        qmp.execute("system_reset").unwrap();
        assert_eq!(saw.recv().unwrap(), "RESET");
        assert_eq!(qmp.execute("dance").unwrap_err().to_string(), "QMP refused `dance`: unknown");
        qemu.join().unwrap();
    }
}
