//! One slcan line: the hub answers as a LAWICEL adapter on the table bus.
//!
//! The answer to a frame comes when the frame is on the bus, not before: a device
//! takes it for the acknowledge of real CAN and keeps the frame until then.

use croupier::protocol::framing::can::Frame;
use croupier::protocol::framing::slcan::{Command, Decoder, Line, Text};

/// 500 kbit/s in LAWICEL's table.
const BIT_RATE: u8 = 6;
const DONE: &[u8] = b"\r";
const REFUSED: &[u8] = b"\x07";

/// Whether the other end is on the bus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Channel {
    Closed,
    Listening,
    Open,
}

/// What the other end has said so far, and how it is answered.
pub(super) struct Session {
    decoder: Decoder,
    channel: Channel,
    right_rate: bool,
}

impl Session {
    /// A device's line: on the bus from the start, as its CAN controller would be.
    pub(super) fn device() -> Self {
        Self { decoder: Decoder::new(), channel: Channel::Open, right_rate: true }
    }

    /// An outside client's line: it opens the channel itself.
    pub(super) fn client() -> Self {
        Self { channel: Channel::Closed, ..Self::device() }
    }

    /// Takes one character; gives the frame that it ends. What is to be said at once goes to `answer`.
    pub(super) fn receive(&mut self, character: u8, answer: &mut Vec<u8>) -> Option<Frame> {
        let line = self.decoder.accept(character)?;
        match line {
            Line::Frame(frame) if self.channel == Channel::Open => return Some(frame),
            Line::Frame(_) => answer.extend(REFUSED),
            Line::Command(command) => answer.extend(self.obey(command).unwrap_or(line.reply())),
            Line::Answer(_) | Line::Unknown => answer.extend(line.reply()),
        }
        None
    }

    /// The answer to `command`, when it is not the one every adapter gives.
    fn obey(&mut self, command: Command) -> Option<&'static [u8]> {
        let done = match command {
            // Another rate would only destroy frames on a real bus: who asks for it stays out.
            Command::BitRate(rate) => {
                self.right_rate = rate == BIT_RATE;
                self.right_rate
            }
            Command::Open => self.enter(Channel::Open),
            Command::Listen => self.enter(Channel::Listening),
            Command::Close => {
                self.channel = Channel::Closed;
                true
            }
            Command::TimeStamps(on) => !on,
            Command::Version | Command::SerialNumber | Command::Flags => return None,
        };
        Some(if done { DONE } else { REFUSED })
    }

    fn enter(&mut self, channel: Channel) -> bool {
        if self.right_rate {
            self.channel = channel;
        }
        self.right_rate
    }

    /// What tells the other end that its frame is on the bus.
    pub(super) fn acknowledge(frame: Frame) -> &'static [u8] {
        Line::Frame(frame).reply()
    }

    /// What tells the other end that its frame was not taken.
    pub(super) fn refuse() -> &'static [u8] {
        REFUSED
    }

    /// A frame from the bus as text, if the other end is on the bus.
    pub(super) fn text_of(&self, frame: &Frame) -> Option<Text> {
        (self.channel != Channel::Closed).then(|| Text::of(frame))
    }
}

#[cfg(test)]
mod tests {
    use super::super::frame::{extended, standard};
    use super::*;

    /// The answer to `text`, and the frames in it.
    fn say(session: &mut Session, text: &str) -> (String, Vec<Frame>) {
        let mut answer = Vec::new();
        let frames = text.bytes().filter_map(|byte| session.receive(byte, &mut answer)).collect();
        (String::from_utf8(answer).unwrap(), frames)
    }

    #[test]
    fn a_client_opens_as_python_can_does_and_asks_who_is_there() {
        let mut session = Session::client();
        let frame = extended(0x10ab_1234, &[0xab]).unwrap();
        assert!(session.text_of(&frame).is_none());
        assert_eq!(say(&mut session, "C\rS6\r\rO\rO\r").0, "\r\r\r\r");
        assert_eq!(session.text_of(&frame).unwrap().as_bytes(), b"T10AB12341AB\r");
        assert_eq!(say(&mut session, "V\rN\rF\r").0, "V1013\rN0000\rF00\r");
        assert_eq!(
            say(&mut session, "T10AB12341AB\rt0012BEEF\r"),
            (String::new(), vec![frame, standard(1, &[0xbe, 0xef]).unwrap()]),
            "the answer waits for the bus"
        );
        assert_eq!(Session::acknowledge(frame), b"Z\r");
        assert_eq!(Session::acknowledge(standard(1, &[]).unwrap()), b"z\r");
        assert_eq!(say(&mut session, "C\r").0, "\r");
        assert!(session.text_of(&frame).is_none());
    }

    #[test]
    fn who_is_not_on_the_bus_or_only_listens_sends_nothing() {
        let mut session = Session::client();
        assert_eq!(say(&mut session, "T000000010\r"), ("\x07".into(), vec![]));
        assert_eq!(say(&mut session, "L\rT000000010\r"), ("\r\x07".into(), vec![]));
        assert!(session.text_of(&extended(1, &[]).unwrap()).is_some());
    }

    #[test]
    fn another_bit_rate_stays_off_the_bus_until_the_right_one_is_chosen() {
        let mut session = Session::client();
        assert_eq!(say(&mut session, "S8\rO\r").0, "\x07\x07");
        assert_eq!(say(&mut session, "S6\rO\r").0, "\r\r");
    }

    #[test]
    fn a_device_is_on_the_bus_from_the_start_and_its_answers_need_none() {
        let mut session = Session::device();
        let (answer, frames) = say(&mut session, "Z\r\rT000000011FF\r\x07");
        assert_eq!((answer.as_str(), frames.len()), ("", 1));
        assert_eq!(say(&mut session, "T0000\rnonsense\r").0, "\x07\x07");
    }
}
