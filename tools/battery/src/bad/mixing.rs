//! Shuffles that copy machines and hands: shelves and riffles.

use crate::ideal::below;
use rand_core::Rng;

/// Scratch memory for moving cards.
pub(super) struct Worker {
    pile: Vec<u16>,
    choices: Vec<usize>,
    place: Vec<usize>,
}

impl Worker {
    pub(super) fn new(cards: usize) -> Self {
        Self { pile: vec![0; cards], choices: Vec::new(), place: Vec::new() }
    }

    /// One pass through a store machine: each card to a random store, over or under what lies there.
    pub(super) fn shelves(&mut self, rng: &mut impl Rng, deck: &mut [u16], shelves: u32) {
        self.choices.clear();
        self.choices.extend((0..deck.len()).map(|_| below(rng, 2 * shelves) as usize));
        // A store holds the cards put on top, the last one first, and then those put under.
        self.place.clear();
        self.place.resize(2 * shelves as usize + 1, 0);
        for &choice in &self.choices {
            self.place[choice + 1] += 1;
        }
        for choice in 0..2 * shelves as usize {
            self.place[choice + 1] += self.place[choice];
        }
        let (mut next, mut last) = (self.place.clone(), self.place.split_off(1));
        for (&card, &choice) in deck.iter().zip(&self.choices) {
            if choice.is_multiple_of(2) {
                last[choice] -= 1;
                self.pile[last[choice]] = card;
            } else {
                self.pile[next[choice]] = card;
                next[choice] += 1;
            }
        }
        deck.copy_from_slice(&self.pile);
    }

    /// One riffle: cut by coin tosses, drop from each half in proportion to its size.
    pub(super) fn riffle(&mut self, rng: &mut impl Rng, deck: &mut [u16]) {
        let cards = deck.len();
        // A fair coin for each place of the result says which half the card comes from:
        // that is the same law as cut and drop, and needs no counting.
        let mut left_size = 0;
        let mut coins = [0u64; 16];
        for (word, coins) in coins.iter_mut().enumerate().take(cards.div_ceil(64)) {
            let used = (cards - 64 * word).min(64);
            *coins = rng.next_u64() & (u64::MAX >> (64 - used));
            left_size += coins.count_ones() as usize;
        }
        let (mut left, mut right) = (0, left_size);
        for (place, card) in self.pile.iter_mut().enumerate() {
            let from =
                if coins[place / 64] >> (place % 64) & 1 == 1 { &mut left } else { &mut right };
            *card = deck[*from];
            *from += 1;
        }
        deck.copy_from_slice(&self.pile);
    }
}
