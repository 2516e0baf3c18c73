//! What goes on inside the array: a double word is programmed, or a page erased.
//!
//! Neither is done at once. Between the first step and the last the words concerned are torn:
//! the array holds some of the new bits, and their correction does not fit. A power cut or a
//! reset at any step leaves them so.

use crate::context::{Ns, Outside};

/// A double word (datasheet, flash memory characteristics, typical).
pub(super) const PROGRAM: Ns = 85_000;
/// A page erase, likewise.
pub(super) const ERASE: Ns = 22_000_000;
/// The number of steps in which a page is erased.
pub(super) const ERASE_STEPS: u32 = 8;

pub(super) const PAGE: u32 = 2048;
pub(super) const BANK: u32 = 512 * 1024;
const WORD: u32 = 8;
const SLICE: u32 = PAGE / ERASE_STEPS;

#[derive(Debug, Clone, Copy)]
enum Kind {
    Program { data: [u8; 8] },
    Erase { steps_done: u32 },
}

/// One operation under way.
#[derive(Debug, Clone, Copy)]
pub(super) struct Operation {
    kind: Kind,
    /// From the start of flash: the double word's, or the page's.
    offset: u32,
    started: Ns,
}

impl Operation {
    /// Begins to program a double word: its lower half is in, its upper half not.
    pub(super) fn program(offset: u32, data: [u8; 8], now: Ns, outside: &mut dyn Outside) -> Self {
        outside.flash_step();
        outside.set_torn(offset, true);
        let [a, b, c, d, ..] = data;
        outside.put_flash(offset, &[a, b, c, d]);
        Self { kind: Kind::Program { data }, offset, started: now }
    }

    /// Begins to erase a page: its first slice is torn.
    pub(super) fn erase(offset: u32, now: Ns, outside: &mut dyn Outside) -> Self {
        tear(offset, outside);
        Self { kind: Kind::Erase { steps_done: 1 }, offset, started: now }
    }

    /// Which bank it is in.
    pub(super) fn bank(&self) -> u32 {
        self.offset / BANK
    }

    /// When its next step is due.
    pub(super) fn next(&self) -> Ns {
        let after = match self.kind {
            Kind::Program { .. } => PROGRAM,
            Kind::Erase { steps_done } => ERASE / Ns::from(ERASE_STEPS) * Ns::from(steps_done),
        };
        self.started.saturating_add(after)
    }

    /// When it ends.
    pub(super) fn end(&self) -> Ns {
        let whole = match self.kind {
            Kind::Program { .. } => PROGRAM,
            Kind::Erase { .. } => ERASE,
        };
        self.started.saturating_add(whole)
    }

    /// Whether it is an erase.
    pub(super) fn is_erase(&self) -> bool {
        matches!(self.kind, Kind::Erase { .. })
    }

    /// Does the next step; none when that was the last.
    pub(super) fn step(mut self, outside: &mut dyn Outside) -> Option<Self> {
        match &mut self.kind {
            Kind::Program { data } => {
                outside.flash_step();
                outside.put_flash(self.offset, data);
                outside.set_torn(self.offset, false);
                None
            }
            Kind::Erase { steps_done } if *steps_done < ERASE_STEPS => {
                tear(self.offset.saturating_add(*steps_done * SLICE), outside);
                *steps_done += 1;
                Some(self)
            }
            Kind::Erase { .. } => {
                outside.flash_step();
                for slice in slices(self.offset) {
                    outside.put_flash(slice, &[0xFF; SLICE as usize]);
                }
                for word in words(self.offset, PAGE) {
                    outside.set_torn(word, false);
                }
                None
            }
        }
    }
}

/// One slice of a page on its way to ones: every other bit is there.
fn tear(slice: u32, outside: &mut dyn Outside) {
    outside.flash_step();
    for word in words(slice, SLICE) {
        outside.set_torn(word, true);
        let half_erased = outside.flash_word(word).map(|byte| byte | 0x55);
        outside.put_flash(word, &half_erased);
    }
}

fn words(from: u32, bytes: u32) -> impl Iterator<Item = u32> {
    (from..from.saturating_add(bytes)).step_by(WORD as usize)
}

fn slices(page: u32) -> impl Iterator<Item = u32> {
    (page..page.saturating_add(PAGE)).step_by(SLICE as usize)
}
