//! A receive FIFO: three frames, then something is lost.

use super::frame::Frame;
use crate::breach::Breach;

const FULL: u32 = 1 << 3;
const FOVR: u32 = 1 << 4;
const RFOM: u32 = 1 << 5;

/// A frame as it came in.
#[derive(Debug, Clone, Copy)]
pub(super) struct Received {
    pub frame: Frame,
    /// Bit times at its start, when TTCM counts them.
    pub time: u16,
    pub filter: u8,
}

/// One FIFO.
#[derive(Debug, Clone)]
pub(super) struct Fifo {
    slots: [Received; 3],
    held: usize,
    /// FULL and FOVR.
    marks: u32,
}

impl Fifo {
    pub(super) const fn new() -> Self {
        let empty = Received { frame: Frame::EMPTY, time: 0, filter: 0 };
        Self { slots: [empty; 3], held: 0, marks: 0 }
    }

    /// RFxR.
    pub(super) fn status(&self) -> u32 {
        self.held as u32 | self.marks
    }

    /// Takes a frame in; false when one was lost, the newest where the FIFO is `locked`, else the
    /// one before it (RM0351, bxCAN overrun).
    pub(super) fn push(&mut self, received: Received, locked: bool) -> bool {
        if let Some(slot) = self.slots.get_mut(self.held) {
            *slot = received;
            self.held += 1;
            if self.is_full() {
                self.marks |= FULL;
            }
            return true;
        }
        self.marks |= FOVR;
        if !locked && let Some(last) = self.slots.last_mut() {
            *last = received;
        }
        false
    }

    /// Whether the next frame would be lost.
    pub(super) fn is_full(&self) -> bool {
        self.held == self.slots.len()
    }

    /// A write to RFxR: ones clear the marks, RFOM releases the oldest.
    pub(super) fn store(&mut self, value: u32) {
        self.marks &= !value;
        if value & RFOM != 0 && self.held > 0 {
            self.slots.rotate_left(1);
            self.held -= 1;
        }
    }

    /// RIxR, RDTxR, RDLxR, RDHxR of the oldest frame.
    pub(super) fn load(&self, word: u32) -> Result<u32, Breach> {
        let [oldest, ..] = &self.slots;
        if self.held == 0 {
            let rule =
                "the receive mailbox is read while FMP is 0 (RM0351, bxCAN reception handling)";
            return Err(Breach::new("CAN_RIxR", 0, rule));
        }
        let [a, b, c, d, e, f, g, h] = oldest.frame.data;
        Ok(match word {
            0 => oldest.frame.id,
            1 => {
                let (time, filter) = (u32::from(oldest.time), u32::from(oldest.filter));
                time << 16 | filter << 8 | u32::from(oldest.frame.length)
            }
            2 => u32::from_le_bytes([a, b, c, d]),
            _ => u32::from_le_bytes([e, f, g, h]),
        })
    }

    /// Whether it interrupts, by its three enables: pending, full, overrun.
    pub(super) fn asks(&self, enables: u32) -> bool {
        enables & 1 != 0 && self.held > 0
            || enables & 2 != 0 && self.marks & FULL != 0
            || enables & 4 != 0 && self.marks & FOVR != 0
    }

    /// A master reset empties it.
    pub(super) fn clear(&mut self) {
        self.held = 0;
        self.marks = 0;
    }
}
