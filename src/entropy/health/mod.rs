//! Continuous health tests: what the processor really read, judged word by word.
//!
//! The chip tests its own analogue noise; these prove that the peripheral, the bus and
//! the driver between live too. Both are needed. Each test's chance to trip on a good
//! source is 2^-40 or less, about one false alarm in a hundred thousand device years.
//!
//! By convention a zero word came before the first.

mod history;
mod runs;
mod windows;

use zeroize::Zeroize;

use super::{Cause, ErrorBudget};
use history::History;
use runs::{Lanes, Run};
use windows::{LongWindow, Proportion};

/// How a word was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing against it.
    Fair,
    /// Zero or the same again, the first in a long while: its block is discarded.
    Odd,
    /// The source has failed.
    Failed(Cause),
}

/// All tests over one source, since power on.
pub struct Health {
    last: u32,
    equal: Run,
    alternating: Run,
    lanes: Lanes,
    proportion: Proportion,
    long: LongWindow,
    history: History,
    odd_words: ErrorBudget,
}

impl Health {
    /// Before the first word.
    pub const fn new() -> Self {
        Self {
            last: 0,
            equal: Run::new(),
            alternating: Run::new(),
            lanes: Lanes::new(),
            proportion: Proportion::new(),
            long: LongWindow::new(),
            history: History::new(),
            odd_words: ErrorBudget::new(),
        }
    }

    /// Judges the next word. Its first bit is its lowest.
    pub fn judge(&mut self, word: u32) -> Verdict {
        let last = core::mem::replace(&mut self.last, word);
        if let Err(cause) = self.run_tests(word, last) {
            return Verdict::Failed(cause);
        }
        if word == 0 || word == last {
            return self.judge_odd();
        }
        self.odd_words.pass(1);
        Verdict::Fair
    }

    /// Judges a zero word that the driver has already refused.
    pub fn judge_odd(&mut self) -> Verdict {
        if self.odd_words.is_first() { Verdict::Odd } else { Verdict::Failed(Cause::OddWord) }
    }

    fn run_tests(&mut self, word: u32, last: u32) -> Result<(), Cause> {
        let changes = word ^ (word << 1 | last >> 31);
        let ones = word.count_ones();
        trip(self.equal.stays_short(changes), Cause::Repetition)?;
        trip(self.alternating.stays_short(!changes), Cause::Alternation)?;
        trip(self.lanes.stay_short(word ^ last), Cause::Lane)?;
        trip(self.proportion.stays_fair(word, ones), Cause::Proportion)?;
        trip(self.history.is_new(word), Cause::RepeatedBlock)?;
        self.long.add(ones, changes.count_ones())
    }
}

impl Default for Health {
    fn default() -> Self {
        Self::new()
    }
}

fn trip(fair: bool, cause: Cause) -> Result<(), Cause> {
    if fair { Ok(()) } else { Err(cause) }
}

impl Zeroize for Health {
    /// Forgets the words; the counts of odd words and runs are no secret.
    fn zeroize(&mut self) {
        self.last.zeroize();
        self.history.zeroize();
    }
}
