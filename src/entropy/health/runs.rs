//! Repetition count: the same thing too often in a row (SP 800-90B 4.4.1).
//!
//! Works on marks, one bit per sample: a one ends the run, a zero carries it on. A run
//! as long as the limit cannot lie inside one word, so the zeros at a word's two ends
//! tell all, in a few instructions and without a loop over the bits.

/// Equal samples at which the source is called stuck: alpha 2^-40 at 0.8 bit per bit.
pub(super) const CUT_OFF: u32 = 51;

/// Samples that agreed with the one before, when the cut-off is reached.
const LIMIT: u32 = CUT_OFF - 1;

/// How long the present run is, over one stream of bits.
pub(super) struct Run(u32);

impl Run {
    /// No run yet.
    pub(super) const fn new() -> Self {
        Self(0)
    }

    /// Takes 32 marks, the first in the lowest bit, and says whether every run stays short.
    pub(super) fn stays_short(&mut self, marks: u32) -> bool {
        let longest = self.0.wrapping_add(marks.trailing_zeros());
        self.0 = if marks == 0 { longest.min(LIMIT) } else { marks.leading_zeros() };
        longest < LIMIT
    }
}

/// One run per line of the data register, counted in words.
///
/// The 32 counters lie across six words, one word per binary digit, so that one step of
/// logic moves all of them.
pub(super) struct Lanes([u32; 6]);

impl Lanes {
    /// No run on any line.
    pub(super) const fn new() -> Self {
        Self([0; 6])
    }

    /// Takes one word's marks and says whether every line has moved lately.
    pub(super) fn stay_short(&mut self, marks: u32) -> bool {
        let still = !marks;
        let mut carry = still;
        let mut count = |digit: u32| {
            let sum = (digit ^ carry) & still;
            carry &= digit;
            sum
        };
        // Written out: the compiler keeps a loop, and this runs for every word.
        let [a, b, c, d, e, f] = self.0;
        let [a, b, c, d, e, f] = [count(a), count(b), count(c), count(d), count(e), count(f)];
        self.0 = [a, b, c, d, e, f];
        const { assert!(LIMIT == 0b11_0010, "the digits below") };
        f & e & !d & !c & b & !a == 0
    }
}
