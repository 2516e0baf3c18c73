//! Mishaps that a good source has too, but rarely: one is tolerated, the next is not.
//!
//! A zero word, a repeated word and a seed error each happen to a healthy generator
//! within a device's life. Latching on the first would take good tables out of use;
//! ignoring them would hide a dying source.

/// Words after which a mishap is forgotten.
const WORDS: u32 = 1 << 20;
/// Seconds that seed errors are remembered for: a day.
const DAY: u32 = 24 * 60 * 60;

/// One kind of mishap, tolerated once in 2^20 words.
pub(super) struct ErrorBudget {
    words_to_go: u32,
}

impl ErrorBudget {
    /// No mishap yet.
    pub(super) const fn new() -> Self {
        Self { words_to_go: 0 }
    }

    /// That many words passed without one.
    pub(super) fn pass(&mut self, words: u32) {
        self.words_to_go = self.words_to_go.saturating_sub(words);
    }

    /// A mishap; says whether it is the first in 2^20 words.
    pub(super) fn is_first(&mut self) -> bool {
        let first = self.words_to_go == 0;
        self.words_to_go = WORDS;
        first
    }
}

/// Seed errors of the last day, besides: two are tolerated, the third is not.
///
/// The count outlives a reset; the clock does not, so what was counted before a reset
/// is taken to have happened at the reset.
pub(super) struct SeedErrors {
    lately: ErrorBudget,
    at_seconds: [Option<u32>; 2],
}

impl SeedErrors {
    /// With `count` remembered from before the reset.
    pub(super) fn new(count: u8) -> Self {
        let at = |place| (count > place).then_some(0);
        Self { lately: ErrorBudget::new(), at_seconds: [at(0), at(1)] }
    }

    /// That many words passed without one.
    pub(super) fn pass(&mut self, words: u32) {
        self.lately.pass(words);
    }

    /// Forgets errors older than a day; says whether there were any.
    pub(super) fn age(&mut self, now_seconds: u32) -> bool {
        let before = self.count();
        for at in &mut self.at_seconds {
            *at = at.filter(|at| now_seconds.saturating_sub(*at) < DAY);
        }
        self.count() != before
    }

    /// A seed error; says whether it may be tolerated.
    pub(super) fn tolerates(&mut self, now_seconds: u32) -> bool {
        self.age(now_seconds);
        let first_lately = self.lately.is_first();
        match self.at_seconds.iter_mut().find(|at| at.is_none()) {
            Some(free) => {
                *free = Some(now_seconds);
                first_lately
            }
            None => false,
        }
    }

    /// How many are remembered.
    pub(super) fn count(&self) -> u8 {
        self.at_seconds.iter().flatten().fold(0, |count: u8, _| count.saturating_add(1))
    }
}
