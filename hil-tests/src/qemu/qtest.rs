//! QEMU's qtest channel: drives input pins, reads and writes memory, and reports every
//! pin that changes.
//!
//! One line per command, answered `OK …` or `FAIL …`; pin changes arrive between
//! the answers as `IRQ raise N` or `IRQ lower N`, N being 16 times the port plus
//! the pin. Answers and changes share one stream, so their order is the truth.

use std::fmt;
use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::os::unix::net::UnixStream;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use super::inbox::Memory;
use super::step;
use crate::error::{BenchError, Result};

/// The pins of the debug port that pull themselves up in reset. At a reset QEMU drops all pins
/// without a word and then reports these, this one first. Driven low before, the second reports
/// each reset; a rise of the first alone is the image's doing.
const FIRST_UP: ChipPin = ChipPin { port: 1, number: 4 };
const RESET: ChipPin = ChipPin { port: 0, number: 13 };
/// How long a rise of the first is doubted when nothing follows: what a reset says comes at once.
const DOUBT: Duration = Duration::from_millis(20);

/// QEMU answers in microseconds; this long means that it hangs.
const ANSWER: Duration = Duration::from_secs(20);

/// A pin of the chip, such as PC13.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ChipPin {
    /// 0 for port A.
    pub port: u8,
    /// 0 to 15.
    pub number: u8,
}

impl ChipPin {
    /// Reads `PC13`.
    pub(super) fn named(name: &str) -> Option<Self> {
        let mut rest = name.strip_prefix('P')?.chars();
        let port = u32::from(rest.next()?).checked_sub(u32::from('A'))?;
        let number = rest.as_str().parse().ok()?;
        (port < 8 && number < 16).then_some(Self { port: port as u8, number })
    }

    fn of_irq(number: u16) -> Option<Self> {
        let port = u8::try_from(number / 16).ok()?;
        (port < 8).then_some(Self { port, number: (number % 16) as u8 })
    }
}

impl fmt::Display for ChipPin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "P{}{}", char::from(b'A' + self.port), self.number)
    }
}

/// What the channel says of a pin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PinEvent {
    /// It went to this level just now.
    Edge(bool),
    /// Every pin fell back to what it is in reset.
    Reset,
}

type Answer = std::result::Result<String, String>;

/// One line from QEMU.
#[derive(Debug, PartialEq, Eq)]
enum Line {
    Pin(ChipPin, bool),
    Answer(Answer),
    Nothing,
}

fn parse(line: &str) -> Line {
    let mut words = line.split_whitespace();
    match words.next() {
        Some("IRQ") => {
            let high = words.next() == Some("raise");
            let pin = words.next().and_then(|n| n.parse().ok()).and_then(ChipPin::of_irq);
            pin.map_or(Line::Nothing, |pin| Line::Pin(pin, high))
        }
        Some("OK") => Line::Answer(Ok(words.collect::<Vec<_>>().join(" "))),
        Some("FAIL" | "ERR") => Line::Answer(Err(words.collect::<Vec<_>>().join(" "))),
        _ => Line::Nothing,
    }
}

/// The channel, with the thread that listens to it.
pub(super) struct Qtest {
    talk: Mutex<(UnixStream, Receiver<Answer>)>,
    listener: Option<JoinHandle<()>>,
}

impl Qtest {
    /// Takes over a connected channel; `event` gets every pin that changes.
    pub(super) fn new(
        stream: UnixStream,
        event: impl FnMut(ChipPin, PinEvent) + Send + 'static,
    ) -> Result<Self> {
        let input = stream.try_clone().map_err(BenchError::io("cloning the qtest channel"))?;
        let (answers, answered) = channel();
        let listener = std::thread::spawn(move || listen(input, &answers, event));
        let qtest = Self { talk: Mutex::new((stream, answered)), listener: Some(listener) };
        // The chip's own container, not the port: the only place where 10.0 shows all pins.
        qtest.ask("irq_intercept_in /machine/soc")?;
        Ok(qtest)
    }

    /// Drives a pin from outside.
    pub(super) fn drive(&self, pin: ChipPin, high: bool) -> Result<()> {
        let port = char::from(b'a' + pin.port);
        let level = u8::from(high);
        self.ask(&format!(
            "set_irq_in /machine/soc/gpio{port} unnamed-gpio-in {} {level}",
            pin.number
        ))?;
        Ok(())
    }

    /// Reads a word of the guest's memory.
    pub(super) fn read(&self, address: u32) -> Result<u32> {
        let answer = self.ask(&format!("readl {address:#x}"))?;
        let value = u64::from_str_radix(answer.trim_start_matches("0x"), 16);
        value.map(|value| value as u32).map_err(|_| BenchError::Refused {
            tool: "qtest",
            asked: format!("a word at {address:#x}"),
            answer,
        })
    }

    /// Writes a word of the guest's memory.
    pub(super) fn write(&self, address: u32, value: u32) -> Result<()> {
        self.ask(&format!("writel {address:#x} {value:#x}")).map(drop)
    }

    /// Reads `length` bytes of the guest's memory, flash too.
    pub(super) fn read_bytes(&self, address: u32, length: usize) -> Result<Vec<u8>> {
        let answer = self.ask(&format!("read {address:#x} {length:#x}"))?;
        let digits = answer.trim_start_matches("0x").as_bytes();
        let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
        let bytes = digits.chunks(2).map(byte).collect::<Option<Vec<u8>>>();
        bytes.filter(|bytes| bytes.len() == length).ok_or_else(|| BenchError::Refused {
            tool: "qtest",
            asked: format!("{length} bytes at {address:#x}"),
            answer: "too few of them".into(),
        })
    }

    /// Makes the next reset report itself, as [`PinEvent::Reset`].
    pub(super) fn expect_reset(&self) -> Result<()> {
        self.drive(RESET, false)
    }

    /// Asks several lines at once, and takes all their answers.
    fn ask_all(&self, lines: &str, count: usize) -> Result<()> {
        let refused =
            |answer: String| BenchError::Refused { tool: "qtest", asked: lines.into(), answer };
        let mut talk = self.talk.lock().unwrap_or_else(PoisonError::into_inner);
        let sent = talk.0.write_all(lines.as_bytes());
        sent.map_err(|e| refused(format!("the guest is gone ({e})")))?;
        let mut all = Ok(());
        for _ in 0..count {
            // All of them, or the next question would be given what is left.
            let answer = talk.1.recv_timeout(ANSWER);
            let answer = answer.map_err(|_| refused("the guest is gone".into()))?;
            all = all.and(answer.map(drop).map_err(refused));
        }
        all
    }

    fn ask(&self, line: &str) -> Result<String> {
        let refused =
            |answer: String| BenchError::Refused { tool: "qtest", asked: line.into(), answer };
        let mut talk = self.talk.lock().unwrap_or_else(PoisonError::into_inner);
        let sent = talk.0.write_all(format!("{line}\n").as_bytes());
        sent.map_err(|e| refused(format!("the guest is gone ({e})")))?;
        let answer =
            talk.1.recv_timeout(ANSWER).map_err(|_| refused("the guest is gone".into()))?;
        answer.map_err(refused)
    }
}

/// The lines that raise an interrupt of the processor for a moment.
fn pulse(interrupt: u8) -> String {
    let line =
        |level| format!("set_irq_in /machine/soc/armv7m unnamed-gpio-in {interrupt} {level}\n");
    [line(1), line(0)].concat()
}

impl Memory for Qtest {
    fn word(&self, address: u32) -> Result<u32> {
        self.read(address)
    }

    // Asked for together, so that QEMU answers them all in one go.
    fn ring(&self) -> Result<()> {
        self.ask_all(&pulse(step::INTERRUPT), 2)
    }

    fn hand_over(&self, parts: &[(u32, &[u8])], (address, word): (u32, u32)) -> Result<()> {
        let mut lines = String::new();
        for (place, bytes) in parts {
            let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            lines += &format!("write {place:#x} {:#x} 0x{digits}\n", bytes.len());
        }
        lines += &format!("writel {address:#x} {word:#x}\n");
        lines += &pulse(step::INTERRUPT);
        self.ask_all(&lines, parts.len() + 3)
    }
}

impl Drop for Qtest {
    fn drop(&mut self) {
        let talk = self.talk.get_mut().unwrap_or_else(PoisonError::into_inner);
        let _ = talk.0.shutdown(std::net::Shutdown::Both); // already closed is as good
        if let Some(listener) = self.listener.take() {
            let _ = listener.join(); // it holds nothing that could be lost
        }
    }
}

fn listen(
    stream: UnixStream,
    answers: &Sender<Answer>,
    mut on_event: impl FnMut(ChipPin, PinEvent),
) {
    let mut lines = BufReader::new(stream);
    let (mut line, mut doubted) = (Vec::new(), false);
    loop {
        // Refused only for a time of zero.
        let _ = lines.get_ref().set_read_timeout(doubted.then_some(DOUBT));
        match lines.read_until(b'\n', &mut line) {
            Ok(0) => return,
            Ok(_) => {}
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                // What has come of a line stays.
                if std::mem::take(&mut doubted) {
                    on_event(FIRST_UP, PinEvent::Edge(true));
                }
                continue;
            }
            Err(_) => return,
        }
        let input = parse(&String::from_utf8_lossy(&std::mem::take(&mut line)));
        let reset = input == Line::Pin(RESET, true);
        if std::mem::take(&mut doubted) && !reset {
            on_event(FIRST_UP, PinEvent::Edge(true));
        }
        match input {
            Line::Pin(FIRST_UP, true) => doubted = true,
            Line::Pin(pin, true) if pin == RESET => on_event(pin, PinEvent::Reset),
            Line::Pin(pin, high) => on_event(pin, PinEvent::Edge(high)),
            Line::Answer(answer) => drop(answers.send(answer)),
            Line::Nothing => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pins_are_named_by_port_and_number() {
        let key = ChipPin { port: 2, number: 13 };
        assert_eq!(ChipPin::named("PC13"), Some(key));
        assert_eq!(key.to_string(), "PC13");
        for wrong in ["C13", "PC16", "PZ1", "P", "PC", "PC1x", ""] {
            assert_eq!(ChipPin::named(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn lines_from_qemu_are_pins_or_answers() {
        let lamp = ChipPin { port: 3, number: 8 };
        assert_eq!(parse("IRQ raise 56"), Line::Pin(lamp, true));
        assert_eq!(parse("IRQ lower 56"), Line::Pin(lamp, false));
        assert_eq!(parse("OK 0x0000000000000100"), Line::Answer(Ok("0x0000000000000100".into())));
        assert_eq!(parse("FAIL Unknown device"), Line::Answer(Err("Unknown device".into())));
        assert_eq!(parse("IRQ raise 999"), Line::Nothing);
        assert_eq!(parse(""), Line::Nothing);
    }

    #[test]
    fn bytes_counter_and_pulse_are_asked_for_at_once_and_all_answers_are_taken() {
        let (near, far) = UnixStream::pair().unwrap();
        let qemu = std::thread::spawn(move || {
            let mut asked = BufReader::new(far.try_clone().unwrap()).lines();
            let mut far = far;
            assert_eq!(asked.next().unwrap().unwrap(), "irq_intercept_in /machine/soc");
            far.write_all(b"OK\n").unwrap();
            for line in [
                "write 0x10002100 0x2 0x61ff",
                "writel 0x10002004 0x9",
                "set_irq_in /machine/soc/armv7m unnamed-gpio-in 77 1",
                "set_irq_in /machine/soc/armv7m unnamed-gpio-in 77 0",
            ] {
                assert_eq!(asked.next().unwrap().unwrap(), line);
            }
            far.write_all(b"OK\nOK\nOK\nFAIL no such line\n").unwrap();
        });
        let qtest = Qtest::new(near, |_, _| {}).unwrap();
        let parts: &[(u32, &[u8])] = &[(0x1000_2100, &[0x61, 0xFF])];
        let refused = qtest.hand_over(parts, (0x1000_2004, 9)).unwrap_err();
        assert!(refused.to_string().contains("no such line"), "{refused}");
        qemu.join().unwrap();
    }

    #[test]
    fn a_change_between_question_and_answer_is_not_taken_for_the_answer() {
        let (near, far) = UnixStream::pair().unwrap();
        let qemu = std::thread::spawn(move || {
            let mut asked = BufReader::new(far.try_clone().unwrap()).lines();
            let mut far = far;
            assert_eq!(asked.next().unwrap().unwrap(), "irq_intercept_in /machine/soc");
            far.write_all(b"OK\n").unwrap();
            assert_eq!(asked.next().unwrap().unwrap(), "readl 0x48000c10");
            far.write_all(b"IRQ raise 56\nOK 0x0000000000000100\n").unwrap();
        });
        let (seen, saw) = channel();
        let qtest = Qtest::new(near, move |pin, event| seen.send((pin, event)).unwrap()).unwrap();
        assert_eq!(qtest.read(0x4800_0c10).unwrap(), 0x100);
        assert_eq!(saw.recv().unwrap(), (ChipPin { port: 3, number: 8 }, PinEvent::Edge(true)));
        qemu.join().unwrap();
    }

    /// What `lines` report of pins.
    fn events(lines: &[u8]) -> Vec<(ChipPin, PinEvent)> {
        let (near, mut far) = UnixStream::pair().unwrap();
        let (answers, _kept) = channel();
        far.write_all(lines).unwrap();
        drop(far);
        let mut events = Vec::new();
        listen(near, &answers, |pin, event| events.push((pin, event)));
        events
    }

    #[test]
    fn a_reset_is_told_from_its_own_words_and_a_lamp_on_a_debug_pin_from_a_reset() {
        let lamp = ChipPin { port: 0, number: 15 };
        let reset = events(b"IRQ raise 20\nIRQ raise 13\nIRQ raise 15\n");
        assert_eq!(reset, [(RESET, PinEvent::Reset), (lamp, PinEvent::Edge(true))]);
        let lit = events(b"IRQ raise 20\nIRQ raise 15\nIRQ lower 20\n");
        let edge = |pin, high| (pin, PinEvent::Edge(high));
        assert_eq!(lit, [edge(FIRST_UP, true), edge(lamp, true), edge(FIRST_UP, false)]);
    }

    #[test]
    fn a_lamp_on_a_debug_pin_is_told_though_nothing_follows() {
        let (near, mut far) = UnixStream::pair().unwrap();
        let ((answers, _kept), (seen, saw)) = (channel(), channel());
        let listener = std::thread::spawn(move || {
            listen(near, &answers, |pin, event| seen.send((pin, event)).unwrap());
        });
        far.write_all(b"IRQ raise 20\nIRQ ra").unwrap();
        assert_eq!(saw.recv_timeout(ANSWER).unwrap(), (FIRST_UP, PinEvent::Edge(true)));
        far.write_all(b"ise 56\n").unwrap();
        let next = saw.recv_timeout(ANSWER).unwrap();
        assert_eq!(next, (ChipPin { port: 3, number: 8 }, PinEvent::Edge(true)));
        drop(far);
        listener.join().unwrap();
    }
}
