//! LAWICEL text: CAN frames as lines on a UART or a socket.
//!
//! QEMU has no CAN controller for our chip, so its boards speak this on a UART; the
//! bench's hub, python-can and cheap adapters speak it too. Both ends of a link use this
//! one decoder: it takes frames, an application's commands and an adapter's answers.
//!
//! ```text
//! T 107D552A 8 00000000047868E0 CR    a frame, 29-bit identifier     adapter: Z CR
//! t 7FF 2 C0DE CR                     a frame, 11-bit identifier     adapter: z CR
//! S6 CR  O CR  C CR                   bit rate, open, close          adapter: CR
//! V CR  N CR  F CR                    version, serial number, flags  adapter: V1013 CR ...
//! ```
//! A time stamp of four or eight digits behind a frame is tolerated and not kept.

use embedded_can::{ExtendedId, Id, StandardId};

use super::can::{Frame, MOST_BYTES};
use crate::protocol::counters::{Counters, Loss};

/// `T`, identifier, length, data and an eight-digit time stamp.
const LONGEST_LINE: usize = 1 + 8 + 1 + 2 * MOST_BYTES + 8;
/// `T`, identifier, length, data and the end of the line.
const LONGEST_TEXT: usize = 1 + 8 + 1 + 2 * MOST_BYTES + 1;

/// Ends a line; alone: done.
const END: u8 = b'\r';
/// Refused.
const BELL: u8 = 0x07;

/// What one line says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Line {
    /// A data frame.
    Frame(Frame),
    /// An application asks its adapter for something.
    Command(Command),
    /// An adapter answers.
    Answer(Answer),
    /// Not understood, and counted.
    Unknown,
}

/// What an application may ask of an adapter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Command {
    /// Use this bit rate, 0 to 8 in LAWICEL's table; 6 is the table bus, 500 kbit/s.
    BitRate(u8),
    /// Join the bus.
    Open,
    /// Join the bus without a voice.
    Listen,
    /// Leave the bus.
    Close,
    /// Report the version.
    Version,
    /// Report the serial number.
    SerialNumber,
    /// Report the error flags.
    Flags,
    /// Put time stamps behind frames, or stop that.
    TimeStamps(bool),
}

/// What an adapter may answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Answer {
    /// Done.
    Done,
    /// The frame is on its way.
    Sent,
    /// Refused.
    Refused,
    /// A version, a serial number or flags, which are not used here.
    Information,
}

impl Line {
    /// What an adapter replies to this line. Answers get none, so that two ends which
    /// both reply soon fall silent.
    pub const fn reply(&self) -> &'static [u8] {
        match self {
            Self::Frame(frame) => match frame.id() {
                Id::Extended(_) => b"Z\r",
                Id::Standard(_) => b"z\r",
            },
            Self::Command(Command::Version) => b"V1013\r",
            Self::Command(Command::SerialNumber) => b"N0000\r",
            Self::Command(Command::Flags) => b"F00\r",
            Self::Command(_) => b"\r",
            Self::Answer(_) => b"",
            Self::Unknown => b"\x07",
        }
    }
}

/// Characters in, lines out.
#[derive(Debug, Clone)]
pub struct Decoder {
    line: [u8; LONGEST_LINE],
    /// Characters of the line so far, those that found no room included.
    length: usize,
    counters: Counters,
}

impl Decoder {
    /// A decoder at the beginning of a line.
    pub const fn new() -> Self {
        Self { line: [0; LONGEST_LINE], length: 0, counters: Counters::ZERO }
    }

    /// What was delivered and what was dropped.
    pub const fn counters(&self) -> &Counters {
        &self.counters
    }

    /// Takes one character; gives the line that it ends.
    pub fn accept(&mut self, character: u8) -> Option<Line> {
        match character {
            END => {}
            BELL => {
                // A refusal breaks off whatever line it came into.
                if self.length > 0 {
                    self.counters.lose(Loss::Malformed);
                }
                self.length = 0;
                self.counters.deliver();
                return Some(Line::Answer(Answer::Refused));
            }
            // Some ends send a line feed too.
            b'\n' => return None,
            _ => {
                if let Some(place) = self.line.get_mut(self.length) {
                    *place = character;
                }
                self.length = self.length.saturating_add(1);
                return None;
            }
        }
        let line = self.line.get(..self.length).ok_or(Loss::Overflow).and_then(parse);
        self.length = 0;
        match line {
            Ok(line) => {
                self.counters.deliver();
                Some(line)
            }
            Err(why) => {
                self.counters.lose(why);
                Some(Line::Unknown)
            }
        }
    }
}

impl Default for Decoder {
    fn default() -> Self {
        Self::new()
    }
}

/// What a line says, without its end.
fn parse(line: &[u8]) -> Result<Line, Loss> {
    let (kind, rest) = match line {
        [] => return Ok(Line::Answer(Answer::Done)),
        [kind, rest @ ..] => (*kind, rest),
    };
    let command = match (kind, rest) {
        (b'T', [_, ..]) => return frame(rest, 8).map(Line::Frame),
        (b't', [_, ..]) => return frame(rest, 3).map(Line::Frame),
        (b'z' | b'Z', []) => return Ok(Line::Answer(Answer::Sent)),
        (b'V' | b'v' | b'N' | b'F', [_, ..]) => return Ok(Line::Answer(Answer::Information)),
        // Remote frames and CAN FD, which Cyphal/CAN on a classic bus does not use.
        (b'r' | b'R' | b'd' | b'D' | b'b' | b'B', _) => return Err(Loss::Foreign),
        (b'S', [rate @ b'0'..=b'8']) => Command::BitRate(rate - b'0'),
        (b'O', []) => Command::Open,
        (b'L', []) => Command::Listen,
        (b'C', []) => Command::Close,
        (b'V', []) => Command::Version,
        (b'N', []) => Command::SerialNumber,
        (b'F', []) => Command::Flags,
        (b'Z', [on @ (b'0' | b'1')]) => Command::TimeStamps(*on == b'1'),
        _ => return Err(Loss::Malformed),
    };
    Ok(Line::Command(command))
}

/// A frame whose identifier has this number of digits.
fn frame(text: &[u8], id_digits: usize) -> Result<Frame, Loss> {
    read_frame(text, id_digits).ok_or(Loss::Malformed)
}

fn read_frame(text: &[u8], id_digits: usize) -> Option<Frame> {
    let (id, text) = text.split_at_checked(id_digits)?;
    let raw =
        id.iter().try_fold(0u32, |bits, &digit| Some(bits << 4 | u32::from(nibble(digit)?)))?;
    let id: Id = match id_digits {
        8 => ExtendedId::new(raw)?.into(),
        _ => StandardId::new(raw as u16)?.into(),
    };
    let (&length, text) = text.split_first()?;
    let length = usize::from(nibble(length)?);
    let (digits, stamp) = text.split_at_checked(2 * length)?;
    let mut bytes = [0; MOST_BYTES];
    let room = bytes.get_mut(..length)?;
    for (byte, pair) in room.iter_mut().zip(digits.chunks_exact(2)) {
        *byte = nibble(pair[0])? << 4 | nibble(pair[1])?;
    }
    let stamped = matches!(stamp.len(), 0 | 4 | 8) && stamp.iter().all(u8::is_ascii_hexdigit);
    stamped.then(|| Frame::new(id, room))?
}

fn nibble(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).map(|value| value as u8)
}

/// A frame as text, its end included.
#[derive(Debug, Clone, Copy)]
pub struct Text {
    characters: [u8; LONGEST_TEXT],
    length: usize,
}

impl Text {
    /// `frame` as text.
    pub fn of(frame: &Frame) -> Self {
        let mut text = Self { characters: [0; LONGEST_TEXT], length: 0 };
        let data = frame.data();
        match frame.id() {
            Id::Extended(id) => {
                text.push(b'T');
                text.push_hex(id.as_raw(), 8);
            }
            Id::Standard(id) => {
                text.push(b't');
                text.push_hex(id.as_raw().into(), 3);
            }
        }
        text.push_hex(data.len() as u32, 1);
        data.iter().for_each(|&byte| text.push_hex(byte.into(), 2));
        text.push(END);
        text
    }

    /// Its characters.
    pub fn as_bytes(&self) -> &[u8] {
        self.characters.get(..self.length).unwrap_or(&self.characters)
    }

    fn push(&mut self, character: u8) {
        if let Some(place) = self.characters.get_mut(self.length) {
            *place = character;
            self.length += 1;
        }
    }

    fn push_hex(&mut self, value: u32, digits: u32) {
        for digit in (0..digits).rev() {
            self.push(b"0123456789ABCDEF"[(value >> (4 * digit)) as usize & 0xF]);
        }
    }
}
