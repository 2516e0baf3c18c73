//! Repeats: a word like the last one, and 128 bits like any of the last 64 words.
//!
//! A peripheral whose clock has stopped, a driver that reads too early and a buffer that
//! goes round all give noise that looks perfect and has been seen before.

use zeroize::Zeroize;

/// Words in a compared block: 128 bits.
const BLOCK: usize = 4;
/// The longest period found, in words.
const LONGEST_PERIOD: usize = 64;
/// Room for a block and what came up to the longest period before it.
const KEPT: usize = LONGEST_PERIOD + BLOCK;

/// The crash record read, oldest overwritten first.
pub(super) struct History {
    words: [u32; KEPT],
    next: usize,
    filled: usize,
}

impl History {
    /// Nothing read yet.
    pub(super) const fn new() -> Self {
        Self { words: [0; KEPT], next: 0, filled: 0 }
    }

    /// Takes a word; at each fourth, says whether those four are new.
    pub(super) fn is_new(&mut self, word: u32) -> bool {
        let newest = self.next;
        let ends_block = newest % BLOCK == BLOCK - 1;
        // One comparison per word kept; only an equal word, once in 2^26, costs more.
        let is_known = ends_block && self.holds(word);
        if let Some(slot) = self.words.get_mut(newest) {
            *slot = word;
        }
        self.next = if newest < KEPT - 1 { newest + 1 } else { 0 };
        if self.filled < KEPT {
            self.filled += 1;
        }
        !(is_known && self.repeats(newest))
    }

    fn holds(&self, word: u32) -> bool {
        let blocks = self.words.as_chunks::<BLOCK>().0;
        blocks.iter().any(|[a, b, c, d]| *a == word || *b == word || *c == word || *d == word)
    }

    /// Whether the four words ending at `newest` stand anywhere before.
    #[cold]
    fn repeats(&self, newest: usize) -> bool {
        let back = |steps: usize| {
            self.words.iter().cycle().nth(newest.wrapping_add(KEPT).wrapping_sub(steps))
        };
        (1..=self.filled.saturating_sub(BLOCK))
            .any(|period| (0..BLOCK).all(|place| back(place) == back(period.wrapping_add(place))))
    }
}

impl Zeroize for History {
    fn zeroize(&mut self) {
        self.words.zeroize();
        (self.next, self.filled) = (0, 0);
    }
}
