//! Proportion tests: too many of one kind in a window (SP 800-90B 4.4.2, and a long one).
//!
//! The short window sees a bias from about 0.65 within two windows, but none under 0.58
//! ever. The long one sees 0.5035, and a source that drifts slowly.

use crate::entropy::Cause;

/// Words in the adaptive proportion test's window: 1024 bits.
const SHORT_WORDS: u32 = 32;
/// Bits equal to the window's first that trip it: alpha 2^-40 at 0.8 bit per bit.
pub(super) const CUT_OFF: u32 = 699;

/// The adaptive proportion test.
pub(super) struct Proportion {
    words_left: u32,
    first_is_one: bool,
    equal: u32,
}

impl Proportion {
    /// Before the first window.
    pub(super) const fn new() -> Self {
        Self { words_left: 0, first_is_one: false, equal: 0 }
    }

    /// Takes a word and its number of ones; says whether the window is still fair.
    pub(super) fn stays_fair(&mut self, word: u32, ones: u32) -> bool {
        if self.words_left == 0 {
            *self = Self { words_left: SHORT_WORDS, first_is_one: word & 1 == 1, equal: 0 };
        }
        self.words_left -= 1;
        let equal = if self.first_is_one { ones } else { 32u32.wrapping_sub(ones) };
        self.equal = self.equal.wrapping_add(equal);
        self.equal < CUT_OFF
    }
}

/// Words in the long window: 2^20 bits.
pub(super) const LONG_WORDS: u32 = 1 << 15;
/// How far from half the count may be: |z| = 7.1 is 7.1 * 1024 / 2 of 2^20 bits.
pub(super) const MOST_OFF: u32 = 3635;

/// Ones and changes over 2^20 bits.
pub(super) struct LongWindow {
    words_left: u32,
    ones: u32,
    changes: u32,
}

impl LongWindow {
    /// An empty window.
    pub(super) const fn new() -> Self {
        Self { words_left: LONG_WORDS, ones: 0, changes: 0 }
    }

    /// Takes a word's ones and changes; at the end of the window, judges.
    pub(super) fn add(&mut self, ones: u32, changes: u32) -> Result<(), Cause> {
        // None can wrap: a window holds 2^20 bits.
        self.ones = self.ones.wrapping_add(ones);
        self.changes = self.changes.wrapping_add(changes);
        self.words_left = self.words_left.wrapping_sub(1);
        if self.words_left > 0 {
            return Ok(());
        }
        let full = core::mem::replace(self, Self::new());
        if is_far_from_half(full.ones) {
            return Err(Cause::Ones);
        }
        if is_far_from_half(full.changes) {
            return Err(Cause::Changes);
        }
        Ok(())
    }
}

fn is_far_from_half(count: u32) -> bool {
    count.abs_diff(LONG_WORDS * 16) > MOST_OFF
}
