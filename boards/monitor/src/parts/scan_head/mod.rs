//! The reader's scan head, at the far end of SPI1.
//!
//! An imager with two banks of light behind five commands; the table of them is in the
//! firmware's driver, `src/drivers/scan_head`. A transaction is a command with what belongs
//! to it, from the fall of the select line to its rise. What the head sees is a film: set by
//! set dark, left, right, each 32 x 48 pixels and the strip's white, grey and black. Without
//! a film there is no head, and the line floats high.
//!
//! The head has no memory for a frame here: rows come from the film as they are clocked out.

#[cfg(test)]
mod tests;

use crate::breach::Breach;
use crate::context::{Context, Ns};

const KIND: u8 = 0xC5;
const VERSION: u8 = 1;

/// From waking to the first good exposure, and one exposure.
const WAKE_NS: Ns = 2_000_000;
const EXPOSURE_NS: Ns = 3_000_000;

/// A row of pixels, a frame's pixels and strip, and the two bytes of its checksum.
const ROW: usize = 32;
const PIXELS: u16 = 32 * 48;
const FRAME: u16 = PIXELS + 3;
const SUM: u16 = 2;
/// Exposures of one set.
const BANKS: u32 = 3;

/// The line is not driven.
const FLOATING: u8 = 0xFF;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Command {
    Who,
    Wake,
    Expose,
    State,
    Frame,
}

impl Command {
    fn of(byte: u8) -> Option<Self> {
        Some(match byte {
            0x01 => Self::Who,
            0x02 => Self::Wake,
            0x10 => Self::Expose,
            0x20 => Self::State,
            0x30 => Self::Frame,
            _ => return None,
        })
    }

    /// Bytes after the command, to or from the head.
    fn length(self) -> u16 {
        match self {
            Self::Wake | Self::State => 1,
            Self::Who | Self::Expose => 2,
            Self::Frame => FRAME + SUM,
        }
    }

    /// Whether they go to the head, which acts on all of them together.
    fn is_written(self) -> bool {
        matches!(self, Self::Wake | Self::Expose)
    }
}

/// The head.
pub struct ScanHead {
    selected: bool,
    present: bool,
    /// Since when it is awake.
    awake: Option<Ns>,
    /// Until when the last exposure runs, and where in the film it lies.
    exposed: Option<(Ns, u32)>,
    bank: u8,
    /// Sets begun since it woke.
    sets: u32,
    command: Option<Command>,
    /// Bytes after the command so far.
    exchanged: u16,
    row: [u8; ROW],
    sum: u16,
}

impl ScanHead {
    /// Asleep and not selected.
    pub const fn new() -> Self {
        Self {
            selected: false,
            present: false,
            awake: None,
            exposed: None,
            bank: 0,
            sets: 0,
            command: None,
            exchanged: 0,
            row: [0; ROW],
            sum: 0,
        }
    }

    /// The select line falls or rises.
    pub fn select(&mut self, low: bool, _cx: &Context<'_>) -> Result<(), Breach> {
        let exchanged = core::mem::take(&mut self.exchanged);
        self.selected = low;
        match self.command.take() {
            Some(command) if command.is_written() && exchanged < command.length() => {
                Err(breach(exchanged.into(), "select moves in the middle of a command"))
            }
            _ => Ok(()),
        }
    }

    /// Eight clocks: one byte there, one byte back.
    pub fn exchange(&mut self, out: u8, cx: &mut Context<'_>) -> Result<u8, Breach> {
        if !self.selected {
            return Err(breach(out.into(), "clocked while select is high"));
        }
        let Some(command) = self.command else {
            return self.begin(out, cx);
        };
        let place = self.exchanged;
        if place >= command.length() {
            let rule = match command {
                Command::Frame => "read beyond the frame: 1536 pixels, strip and checksum",
                _ => "select must rise between commands",
            };
            return Err(breach(out.into(), rule));
        }
        self.exchanged += 1;
        let answer = match command {
            Command::Who if place == 0 => KIND,
            Command::Who => VERSION,
            Command::Wake => return self.wake(out, cx),
            Command::Expose => return self.expose(place, out, cx),
            Command::State => u8::from(!self.is_exposing(cx.now)),
            Command::Frame => self.frame_byte(place, cx),
        };
        Ok(if self.present { answer } else { FLOATING })
    }

    /// Takes a command and judges whether this is the time for it.
    fn begin(&mut self, byte: u8, cx: &Context<'_>) -> Result<u8, Breach> {
        let Some(command) = Command::of(byte) else {
            return Err(breach(byte.into(), "no such command"));
        };
        self.command = Some(command);
        self.sum = 0xFFFF;
        if !self.present {
            return Ok(FLOATING); // who does not answer does not judge
        }
        let exposing = self.is_exposing(cx.now);
        if exposing && !matches!(command, Command::State | Command::Wake) {
            return Err(breach(byte.into(), "a command while an exposure runs (3 ms)"));
        }
        match command {
            Command::Expose | Command::Frame | Command::State if self.awake.is_none() => {
                Err(breach(byte.into(), "the head is asleep"))
            }
            Command::Expose if self.awake.is_some_and(|since| cx.now < since + WAKE_NS) => {
                Err(breach(byte.into(), "an exposure less than 2 ms after waking"))
            }
            Command::State | Command::Frame if self.exposed.is_none() => {
                Err(breach(byte.into(), "nothing was exposed"))
            }
            _ => Ok(0),
        }
    }

    fn wake(&mut self, argument: u8, cx: &mut Context<'_>) -> Result<u8, Breach> {
        let exposing = self.is_exposing(cx.now);
        self.sets = 0;
        self.exposed = None;
        match argument {
            0 => self.awake = None,
            1 if exposing => {
                return Err(breach(1, "woken while an exposure runs (3 ms)"));
            }
            1 => {
                self.present = cx.outside.film(0, &mut [0]);
                self.awake = Some(cx.now);
            }
            _ => return Err(breach(argument.into(), "wake takes 0 or 1")),
        }
        Ok(if self.present { 0 } else { FLOATING })
    }

    fn expose(&mut self, place: u16, argument: u8, cx: &Context<'_>) -> Result<u8, Breach> {
        if !self.present {
            return Ok(FLOATING);
        }
        if place == 0 {
            self.bank = argument;
            if u32::from(argument) >= BANKS {
                return Err(breach(argument.into(), "there is no such bank of light"));
            }
            // A set begins with its dark exposure.
            self.sets = self.sets.saturating_add((argument == 0).into());
        } else {
            let frame = self.sets.saturating_sub(1).saturating_mul(BANKS);
            let frame = frame.saturating_add(self.bank.into());
            let at = frame.saturating_mul(FRAME.into());
            self.exposed = Some((cx.now + EXPOSURE_NS, at));
        }
        Ok(0)
    }

    fn is_exposing(&self, now: Ns) -> bool {
        self.exposed.is_some_and(|(until, _)| now < until)
    }

    /// The frame's byte at `place`; a head whose film has ended sends nothing.
    fn frame_byte(&mut self, place: u16, cx: &mut Context<'_>) -> u8 {
        if place >= FRAME {
            let [high, low] = self.sum.to_be_bytes();
            return if place == FRAME { high } else { low };
        }
        let within = usize::from(place) % ROW;
        if within == 0 {
            let at = self.exposed.map_or(0, |(_, at)| at);
            let at = at.saturating_add(place.into());
            let length = usize::from(FRAME - place).min(ROW);
            let seen = self.row.get_mut(..length).is_some_and(|row| cx.outside.film(at, row));
            if !seen {
                self.present = false;
            }
        }
        let byte = self.row.get(within).copied().unwrap_or(FLOATING);
        self.sum = crc(self.sum, byte);
        byte
    }
}

impl Default for ScanHead {
    fn default() -> Self {
        Self::new()
    }
}

fn breach(value: u32, rule: &'static str) -> Breach {
    Breach::new("scan head", value, rule)
}

/// One byte more under CRC-16/IBM-3740: polynomial 0x1021, highest bit first.
fn crc(sum: u16, byte: u8) -> u16 {
    let mut high = (sum >> 8) as u8 ^ byte;
    high ^= high >> 4;
    let high = u16::from(high);
    sum << 8 ^ high << 12 ^ high << 5 ^ high
}
