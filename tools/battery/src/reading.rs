//! Everything the battery wants to know about one order.
//!
//! One pass per family of features; the scratch memory is kept between orders, because
//! a release run reads four million shoes of 416 cards.

use crate::ideal::factory_order;

/// The single numbers read off one order, as indices into [`Reading::scores`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
pub enum Score {
    /// Places where a lower card follows a higher one.
    Descents,
    /// Descents of the inverse order: rising sequences less one.
    RisingSequences,
    /// Cards at their factory place.
    FixedPoints,
    /// Cycles of the order as a permutation.
    Cycles,
    /// Pairs of cards out of factory order.
    Inversions,
    /// Factory neighbours still together, in order.
    NeighboursKept,
    /// Factory neighbours still together, reversed.
    NeighboursReversed,
    /// Right guesses of a player who always names the next card up still out.
    GuessUp,
    /// Right guesses of a player who always names the next card down still out.
    GuessDown,
    /// Whether the order is an odd permutation.
    Odd,
}

/// How many scores there are.
pub const SCORES: usize = 10;

/// Scratch memory and the results for the order last read.
#[derive(Debug)]
pub struct Reading {
    /// Place of each card.
    pub place_of: Vec<u16>,
    /// Draws that a Fisher-Yates shuffle must have made; `[i]` lies in 0..=i.
    pub swaps: Vec<u16>,
    /// How many lower cards follow; `[place]` lies in 0..n-place.
    pub lehmer: Vec<u16>,
    /// The single numbers, indexed by [`Score`].
    pub scores: [u32; SCORES],
    state: Vec<u16>,
    slot_of: Vec<u16>,
    left: Vec<u64>,
    left_below: Vec<u16>,
    seen: Vec<bool>,
}

impl Reading {
    /// Scratch memory for orders of `cards` cards.
    pub fn new(cards: usize) -> Self {
        let words = cards.div_ceil(64);
        Self {
            place_of: vec![0; cards],
            swaps: vec![0; cards],
            lehmer: vec![0; cards],
            scores: [0; SCORES],
            state: vec![0; cards],
            slot_of: vec![0; cards],
            left: vec![0; words],
            left_below: vec![0; words],
            seen: vec![false; cards],
        }
    }

    /// One score of the order last read.
    pub fn score(&self, score: Score) -> u32 {
        self.scores[score as usize]
    }

    /// Reads `order`, which must be a permutation of as many cards as the scratch was made for.
    pub fn read(&mut self, order: &[u16]) {
        for (place, &card) in order.iter().enumerate() {
            self.place_of[usize::from(card)] = place as u16;
        }
        self.read_neighbours(order);
        self.read_cycles(order);
        self.read_swaps(order);
        self.read_remaining(order);
    }

    fn read_neighbours(&mut self, order: &[u16]) {
        let (mut descents, mut kept, mut reversed) = (0, 0, 0);
        for pair in order.windows(2) {
            descents += u32::from(pair[1] < pair[0]);
            kept += u32::from(pair[1] == pair[0] + 1);
            reversed += u32::from(pair[0] == pair[1] + 1);
        }
        let rising = self.place_of.windows(2).map(|p| u32::from(p[1] < p[0])).sum();
        let fixed =
            order.iter().zip(0..).map(|(&card, place): (_, u16)| u32::from(card == place)).sum();
        self.scores[Score::Descents as usize] = descents;
        self.scores[Score::RisingSequences as usize] = rising;
        self.scores[Score::FixedPoints as usize] = fixed;
        self.scores[Score::NeighboursKept as usize] = kept;
        self.scores[Score::NeighboursReversed as usize] = reversed;
    }

    fn read_cycles(&mut self, order: &[u16]) {
        self.seen.fill(false);
        let mut cycles = 0;
        for start in 0..order.len() {
            if self.seen[start] {
                continue;
            }
            cycles += 1;
            let mut place = start;
            while !self.seen[place] {
                self.seen[place] = true;
                place = usize::from(order[place]);
            }
        }
        self.scores[Score::Cycles as usize] = cycles;
        self.scores[Score::Odd as usize] = (order.len() as u32 - cycles) % 2;
    }

    /// Replays Fisher-Yates: which slot must have been drawn to put this card last?
    fn read_swaps(&mut self, order: &[u16]) {
        factory_order(&mut self.state);
        factory_order(&mut self.slot_of);
        for last in (0..order.len()).rev() {
            let slot = self.slot_of[usize::from(order[last])];
            self.swaps[last] = slot;
            let moved = self.state[last];
            self.state[usize::from(slot)] = moved;
            self.slot_of[usize::from(moved)] = slot;
        }
    }

    /// Deals the order card by card with the set of cards still out at hand.
    fn read_remaining(&mut self, order: &[u16]) {
        let cards = order.len();
        self.left.fill(u64::MAX);
        if !cards.is_multiple_of(64) {
            self.left[cards / 64] = (1 << (cards % 64)) - 1;
        }
        for (word, below) in self.left_below.iter_mut().enumerate() {
            *below = (64 * word) as u16;
        }
        let (mut inversions, mut up_hits, mut down_hits) = (0, 0, 0);
        let (mut up, mut down) = (0, cards - 1);
        for (place, &card) in order.iter().enumerate() {
            let card = usize::from(card);
            up_hits += u32::from(up == card);
            down_hits += u32::from(down == card);
            let (word, bit) = (card / 64, card % 64);
            let lower = (self.left[word] & ((1 << bit) - 1)).count_ones()
                + u32::from(self.left_below[word]);
            self.lehmer[place] = lower as u16;
            inversions += lower;
            self.left[word] &= !(1 << bit);
            for below in &mut self.left_below[word + 1..] {
                *below -= 1;
            }
            up = self.next_up(card);
            down = self.next_down(card);
        }
        self.scores[Score::Inversions as usize] = inversions;
        self.scores[Score::GuessUp as usize] = up_hits;
        self.scores[Score::GuessDown as usize] = down_hits;
    }

    /// The lowest card above `card` still out; past the top, the lowest of all.
    fn next_up(&self, card: usize) -> usize {
        let word = card / 64;
        let above = self.left[word] & (u64::MAX << (card % 64));
        if above != 0 {
            return 64 * word + above.trailing_zeros() as usize;
        }
        let words = self.left.len();
        (1..=words)
            .map(|step| (word + step) % words)
            .find(|&w| self.left[w] != 0)
            .map_or(usize::MAX, |w| 64 * w + self.left[w].trailing_zeros() as usize)
    }

    /// The highest card below `card` still out; past the bottom, the highest of all.
    fn next_down(&self, card: usize) -> usize {
        let word = card / 64;
        let below = self.left[word] & ((1 << (card % 64)) - 1);
        if below != 0 {
            return 64 * word + 63 - below.leading_zeros() as usize;
        }
        let words = self.left.len();
        (1..=words)
            .map(|step| (word + words - step) % words)
            .find(|&w| self.left[w] != 0)
            .map_or(usize::MAX, |w| 64 * w + 63 - self.left[w].leading_zeros() as usize)
    }

    /// The leading 64 bits of this order's rank among all n! orders.
    pub fn rank_bits(&self) -> u64 {
        let cards = self.lehmer.len() as u64;
        let mut digits = 0;
        let mut reach = 1u128;
        while digits < cards && reach < 1 << 80 {
            reach *= u128::from(cards - digits);
            digits += 1;
        }
        (0..digits).rev().fold(0, |rank, digit| {
            let whole = u128::from(self.lehmer[digit as usize]) << 64 | u128::from(rank);
            (whole / u128::from(cards - digit)) as u64
        })
    }
}
