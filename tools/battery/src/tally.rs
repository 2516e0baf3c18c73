//! Counts over many orders: all that is kept of a run.
//!
//! Tallies of separate streams add up, so cores share nothing while they count.

use crate::reading::{Reading, SCORES, Score};
use xxhash_rust::xxh3::xxh3_128;

/// Guess scores above this share one bar.
pub const GUESS_BARS: usize = 24;

/// Faces of one deck: in a shoe, copies of a card are alike for the first-cards tests.
const FACES: usize = 52;

/// Above this the table of three faces would not fit in memory, nor fill.
const MOST_FACES: usize = 64;

/// What one family of orders (as dealt, or relative to the shuffle before) has shown.
#[derive(Debug, Clone)]
pub struct Tally {
    /// Cards in each order.
    pub cards: usize,
    /// Orders counted.
    pub orders: u64,
    /// Times card c lay at place p, at `[p * cards + c]`.
    pub matrix: Vec<u32>,
    /// Times Fisher-Yates draw i was j, in triangular rows: row i has i + 1 cells.
    pub swaps: Vec<u32>,
    /// Times Lehmer digit with k possible values was j: row k - 1 has k cells.
    pub lehmer: Vec<u32>,
    /// Sums of the scores.
    pub sums: [u64; SCORES],
    /// Orders by guess score, for the up and the down player.
    pub guess_bars: [[u64; GUESS_BARS]; 2],
    /// Pairs of successive orders and the cards at the same place in both.
    pub pairs: u64,
    /// Cards found at the same place as in the order before.
    pub matches: u64,
    /// First two faces.
    pub first_two: Vec<u32>,
    /// First three faces.
    pub first_three: Vec<u32>,
    /// A 128-bit fingerprint of every order.
    pub prints: Vec<u128>,
    /// The leading 64 bits of every order's rank.
    pub ranks: Vec<u64>,
}

/// Distinguishable faces among `cards` cards: whole decks have 52, anything else is all distinct.
pub fn faces(cards: usize) -> usize {
    if cards.is_multiple_of(FACES) { FACES } else { cards }
}

/// Where triangular row `row` begins.
pub fn triangle(row: usize) -> usize {
    row * (row + 1) / 2
}

impl Tally {
    /// An empty tally for orders of `cards` cards.
    pub fn new(cards: usize) -> Self {
        let faces = faces(cards);
        Self {
            cards,
            orders: 0,
            matrix: vec![0; cards * cards],
            swaps: vec![0; triangle(cards)],
            lehmer: vec![0; triangle(cards)],
            sums: [0; SCORES],
            guess_bars: [[0; GUESS_BARS]; 2],
            pairs: 0,
            matches: 0,
            first_two: vec![0; if cards > 2 { faces.pow(2) } else { 0 }],
            first_three: vec![0; if (4..=MOST_FACES).contains(&faces) { faces.pow(3) } else { 0 }],
            prints: Vec::new(),
            ranks: Vec::new(),
        }
    }

    /// Counts `order`, of which `reading` is the reading.
    pub fn count(&mut self, order: &[u16], reading: &Reading) {
        self.orders += 1;
        for (row, &card) in self.matrix.chunks_exact_mut(self.cards).zip(order) {
            row[usize::from(card)] += 1;
        }
        for (last, &slot) in reading.swaps.iter().enumerate() {
            self.swaps[triangle(last) + usize::from(slot)] += 1;
        }
        for (place, &lower) in reading.lehmer.iter().enumerate() {
            self.lehmer[triangle(self.cards - 1 - place) + usize::from(lower)] += 1;
        }
        for (sum, &score) in self.sums.iter_mut().zip(&reading.scores) {
            *sum += u64::from(score);
        }
        for (bars, score) in self.guess_bars.iter_mut().zip([Score::GuessUp, Score::GuessDown]) {
            bars[(reading.score(score) as usize).min(GUESS_BARS - 1)] += 1;
        }
        self.count_first_cards(order);
        self.prints.push(fingerprint(order));
        self.ranks.push(reading.rank_bits());
    }

    fn count_first_cards(&mut self, order: &[u16]) {
        let faces = faces(self.cards);
        let mut cell = 0;
        for (dealt, &card) in order.iter().take(3).enumerate() {
            cell = cell * faces + usize::from(card) % faces;
            match dealt {
                1 if !self.first_two.is_empty() => self.first_two[cell] += 1,
                2 if !self.first_three.is_empty() => self.first_three[cell] += 1,
                _ => {}
            }
        }
    }

    /// Counts the cards that lie where they lay in the order before.
    pub fn compare(&mut self, before: &[u16], order: &[u16]) {
        self.pairs += 1;
        self.matches += before.iter().zip(order).filter(|(a, b)| a == b).count() as u64;
    }

    /// Both tallies together.
    pub fn join(mut self, other: Self) -> Self {
        if self.orders == 0 {
            return other;
        }
        self.orders += other.orders;
        self.pairs += other.pairs;
        self.matches += other.matches;
        add_cells(&mut self.matrix, &other.matrix);
        add_cells(&mut self.swaps, &other.swaps);
        add_cells(&mut self.lehmer, &other.lehmer);
        add_cells(&mut self.first_two, &other.first_two);
        add_cells(&mut self.first_three, &other.first_three);
        for (sum, more) in self.sums.iter_mut().zip(other.sums) {
            *sum += more;
        }
        for (bars, more) in
            self.guess_bars.iter_mut().flatten().zip(other.guess_bars.iter().flatten())
        {
            *bars += more;
        }
        self.prints.extend(other.prints);
        self.ranks.extend(other.ranks);
        self
    }
}

fn add_cells(cells: &mut [u32], more: &[u32]) {
    for (cell, more) in cells.iter_mut().zip(more) {
        *cell += more;
    }
}

fn fingerprint(order: &[u16]) -> u128 {
    let mut bytes = [0; 2048];
    let used = order.len().min(1024) * 2;
    for (pair, card) in bytes.chunks_exact_mut(2).zip(order) {
        pair.copy_from_slice(&card.to_le_bytes());
    }
    xxh3_128(&bytes[..used])
}
