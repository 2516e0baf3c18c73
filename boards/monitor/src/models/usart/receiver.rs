//! The receiving half: bytes come in at the far end's pace and wait in RDR to be read.

use super::registers::*;
use super::{FRAME_BITS, TURN_BITS, Usart};
use crate::context::Ns;

impl Usart {
    /// Lets the next byte wait so long for RDR to be read.
    pub fn set_patience(&mut self, patience: Ns) {
        self.patience = patience;
    }

    /// The bench has sent bytes: they come in one after the other. What finds no
    /// [`room`](Self::room) is lost.
    pub fn receive(&mut self, bytes: &[u8], now: Ns) {
        for byte in bytes {
            if !self.coming.push(*byte) {
                self.overruns = self.overruns.saturating_add(1);
            }
        }
        if !self.coming.is_empty() && self.idles.is_some_and(|idles| now < idles) {
            self.idles = None; // the next start bit is there before
        }
        self.expect(now);
    }

    /// How many bytes [`receive`](Self::receive) takes.
    pub fn room(&self) -> usize {
        self.coming.room()
    }

    /// Bytes lost because the one before had not been read.
    pub fn overruns(&self) -> u32 {
        self.overruns
    }

    /// The longest time that a received byte has waited to be read.
    pub fn longest_wait(&self) -> Ns {
        self.longest_wait
    }

    /// Whether DMA is asked to fetch a received byte.
    pub fn rx_request(&self) -> bool {
        self.cr3 & cr3::DMAR != 0 && self.isr & isr::RXNE != 0
    }

    /// When the next byte comes to RDR, which may still be full.
    pub(super) fn due_in(&self) -> Option<Ns> {
        let waits = if self.isr & isr::RXNE == 0 { 0 } else { self.patience };
        self.comes.filter(|_| !self.is_held_off()).map(|comes| comes.saturating_add(waits))
    }

    pub(super) fn read_data(&mut self, offset: u32, now: Ns) -> u32 {
        if offset == RDR {
            if self.isr & isr::RXNE != 0 {
                self.longest_wait = self.longest_wait.max(now.saturating_sub(self.filled));
            }
            self.isr &= !isr::RXNE;
        }
        u32::from(self.rdr)
    }

    /// A byte is whole on our receiver.
    pub(super) fn take_in(&mut self, byte: u8, now: Ns) {
        if !self.is_enabled() || self.cr1 & cr1::RE == 0 {
            return;
        }
        self.idles = Some(now.saturating_add(self.far_frame()));
        if self.isr & isr::RXNE != 0 && self.cr3 & cr3::OVRDIS == 0 {
            self.isr |= isr::ORE;
            self.overruns = self.overruns.saturating_add(1);
            return;
        }
        (self.rdr, self.filled) = (byte, now);
        self.isr |= isr::RXNE;
    }

    /// Says when the next byte comes, if one waits.
    pub(super) fn expect(&mut self, now: Ns) {
        if self.coming.is_empty() {
            self.comes = None;
        } else if self.comes.is_none() {
            let mut begins = now.max(self.came);
            if self.echoes() {
                let turn = TURN_BITS * self.far_frame() / FRAME_BITS;
                begins = begins.max(self.sent.saturating_add(turn));
            }
            self.comes = Some(begins.saturating_add(self.far_frame()));
        }
    }
}
