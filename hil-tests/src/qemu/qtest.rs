//! QEMU's qtest channel: drives input pins and hears of every pin that changes.
//!
//! One line per command, answered `OK …` or `FAIL …`; pin changes arrive between
//! the answers as `IRQ raise N` or `IRQ lower N`, N being 16 times the port plus
//! the pin. Answers and changes share one stream, so their order is the truth.

use std::fmt;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::error::{BenchError, Result};

/// GPIO ports sit 1 KiB apart from here; the input data register is at 0x10.
const GPIO: u32 = 0x4800_0000;
const PORT_SIZE: u32 = 0x400;
const INPUT_DATA: u32 = 0x10;

/// QEMU answers in microseconds; this long means that it hangs.
const ANSWER: Duration = Duration::from_secs(20);

/// A pin of the chip, such as PC13.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ChipPin {
    /// 0 for port A.
    pub port: u8,
    /// 0 to 15.
    pub number: u8,
}

impl ChipPin {
    /// Reads `PC13`.
    pub fn named(name: &str) -> Option<Self> {
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
pub enum News {
    /// It went to this level just now.
    Edge(bool),
    /// It has this level.
    Level(bool),
}

type Answer = std::result::Result<String, String>;

/// One line from QEMU.
#[derive(Debug, PartialEq, Eq)]
enum Heard {
    Pin(ChipPin, bool),
    Answer(Answer),
    Nothing,
}

fn parse(line: &str) -> Heard {
    let mut words = line.split_whitespace();
    match words.next() {
        Some("IRQ") => {
            let high = words.next() == Some("raise");
            let pin = words.next().and_then(|n| n.parse().ok()).and_then(ChipPin::of_irq);
            pin.map_or(Heard::Nothing, |pin| Heard::Pin(pin, high))
        }
        Some("OK") => Heard::Answer(Ok(words.collect::<Vec<_>>().join(" "))),
        Some("FAIL" | "ERR") => Heard::Answer(Err(words.collect::<Vec<_>>().join(" "))),
        _ => Heard::Nothing,
    }
}

/// The channel, with the thread that listens to it.
pub struct Qtest {
    talk: Mutex<(UnixStream, Receiver<Answer>)>,
    surveyed: Arc<Mutex<Option<u8>>>,
    listener: Option<JoinHandle<()>>,
}

impl Qtest {
    /// Takes over a connected channel; `news` is told of every pin that changes.
    pub fn new(
        stream: UnixStream,
        news: impl FnMut(ChipPin, News) + Send + 'static,
    ) -> Result<Self> {
        let heard = stream.try_clone().map_err(BenchError::io("cloning the qtest channel"))?;
        let (answers, answered) = channel();
        let surveyed = Arc::default();
        let listening = Arc::clone(&surveyed);
        let listener = std::thread::spawn(move || listen(heard, &answers, &listening, news));
        let qtest =
            Self { talk: Mutex::new((stream, answered)), surveyed, listener: Some(listener) };
        // The chip's own container, not the port: the only place where 10.0 shows all pins.
        qtest.ask("irq_intercept_in /machine/soc")?;
        Ok(qtest)
    }

    /// Drives a pin from outside.
    pub fn drive(&self, pin: ChipPin, high: bool) -> Result<()> {
        let port = char::from(b'a' + pin.port);
        let level = u8::from(high);
        self.ask(&format!(
            "set_irq_in /machine/soc/gpio{port} unnamed-gpio-in {} {level}",
            pin.number
        ))?;
        Ok(())
    }

    /// Raises an interrupt of the processor for a moment.
    pub fn pulse(&self, interrupt: u8) -> Result<()> {
        let line =
            |level| format!("set_irq_in /machine/soc/armv7m unnamed-gpio-in {interrupt} {level}\n");
        self.ask_all(&[line(1), line(0)].concat(), 2)
    }

    /// Looks at all pins of a port, and tells of each as news.
    ///
    /// The listening thread tells it, because only there is the order of this look
    /// and of the changes around it certain.
    pub fn survey(&self, port: u8) -> Result<()> {
        let address = GPIO + u32::from(port) * PORT_SIZE + INPUT_DATA;
        self.ask_then(&format!("readl {address:#x}"), Some(port)).map(drop)
    }

    fn ask(&self, line: &str) -> Result<String> {
        self.ask_then(line, None)
    }

    /// Asks several lines at once, and hears all their answers.
    fn ask_all(&self, lines: &str, count: usize) -> Result<()> {
        let refused =
            |answer: String| BenchError::Refused { tool: "qtest", asked: lines.into(), answer };
        let mut talk = self.talk.lock().unwrap_or_else(PoisonError::into_inner);
        let sent = talk.0.write_all(lines.as_bytes());
        sent.map_err(|e| refused(format!("the guest is gone ({e})")))?;
        for _ in 0..count {
            let answer = talk.1.recv_timeout(ANSWER);
            answer.map_err(|_| refused("the guest is gone".into()))?.map_err(refused)?;
        }
        Ok(())
    }

    fn ask_then(&self, line: &str, survey: Option<u8>) -> Result<String> {
        let refused =
            |answer: String| BenchError::Refused { tool: "qtest", asked: line.into(), answer };
        let mut talk = self.talk.lock().unwrap_or_else(PoisonError::into_inner);
        *self.surveyed.lock().unwrap_or_else(PoisonError::into_inner) = survey;
        let sent = talk.0.write_all(format!("{line}\n").as_bytes());
        sent.map_err(|e| refused(format!("the guest is gone ({e})")))?;
        let answer =
            talk.1.recv_timeout(ANSWER).map_err(|_| refused("the guest is gone".into()))?;
        answer.map_err(refused)
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
    surveyed: &Mutex<Option<u8>>,
    mut news: impl FnMut(ChipPin, News),
) {
    for line in BufReader::new(stream).lines().map_while(std::result::Result::ok) {
        match parse(&line) {
            Heard::Pin(pin, high) => news(pin, News::Edge(high)),
            Heard::Answer(answer) => {
                let port = surveyed.lock().unwrap_or_else(PoisonError::into_inner).take();
                if let (Some(port), Ok(levels)) = (port, &answer) {
                    tell_levels(port, levels, &mut news);
                }
                drop(answers.send(answer));
            }
            Heard::Nothing => {}
        }
    }
}

fn tell_levels(port: u8, levels: &str, news: &mut impl FnMut(ChipPin, News)) {
    let Ok(levels) = u64::from_str_radix(levels.trim_start_matches("0x"), 16) else { return };
    for number in 0..16 {
        news(ChipPin { port, number }, News::Level(levels & (1 << number) != 0));
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
        assert_eq!(parse("IRQ raise 56"), Heard::Pin(lamp, true));
        assert_eq!(parse("IRQ lower 56"), Heard::Pin(lamp, false));
        assert_eq!(parse("OK 0x0000000000000100"), Heard::Answer(Ok("0x0000000000000100".into())));
        assert_eq!(parse("FAIL Unknown device"), Heard::Answer(Err("Unknown device".into())));
        assert_eq!(parse("IRQ raise 999"), Heard::Nothing);
        assert_eq!(parse(""), Heard::Nothing);
    }

    #[test]
    fn a_pulse_is_asked_for_at_once_and_both_answers_are_heard() {
        let (near, far) = UnixStream::pair().unwrap();
        let qemu = std::thread::spawn(move || {
            let mut asked = BufReader::new(far.try_clone().unwrap()).lines();
            let mut far = far;
            assert_eq!(asked.next().unwrap().unwrap(), "irq_intercept_in /machine/soc");
            far.write_all(b"OK\n").unwrap();
            for level in [1, 0] {
                let line = format!("set_irq_in /machine/soc/armv7m unnamed-gpio-in 77 {level}");
                assert_eq!(asked.next().unwrap().unwrap(), line);
            }
            far.write_all(b"OK\nFAIL no such line\n").unwrap();
        });
        let qtest = Qtest::new(near, |_, _| {}).unwrap();
        let refused = qtest.pulse(77).unwrap_err();
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
        let qtest = Qtest::new(near, move |pin, news| seen.send((pin, news)).unwrap()).unwrap();
        qtest.survey(3).unwrap();
        let lamp = |number| ChipPin { port: 3, number };
        assert_eq!(saw.recv().unwrap(), (lamp(8), News::Edge(true)));
        for number in 0..16 {
            assert_eq!(saw.recv().unwrap(), (lamp(number), News::Level(number == 8)));
        }
        qemu.join().unwrap();
    }
}
