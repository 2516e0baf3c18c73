//! Shufflers and drawers that are wrong in known ways: the battery's own examination.
//!
//! Each mistake here has been made by someone: in a shuffling machine, in a card room's
//! software, or in a textbook. A battery that cannot reject them proves nothing by passing.

mod mixing;
mod numbers;
mod scaling;
mod starving;

pub use numbers::{BadDraw, Draw};

use crate::ideal::{Seed, below, factory_order, generator};
use crate::supply::{ORDERS_PER_STREAM, Supply};
use anyhow::Result;
use chacha20::ChaCha12Rng;

/// A way to shuffle; most of them wrong.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Shuffle {
    /// Swap each place with any place.
    NaiveSwap,
    /// Fisher-Yates that never leaves a card where it is: one single cycle.
    Sattolo,
    /// Fisher-Yates whose every range is one too wide.
    OffByOne,
    /// A store machine: cards go to random shelves, top or bottom, in some passes.
    Shelves {
        /// Shelves of the machine.
        shelves: u32,
        /// Times the deck goes through.
        passes: u32,
    },
    /// Perfectly human riffle shuffles (Gilbert, Shannon, Reeds).
    Riffles(u32),
    /// Riffles of the deck as the last shuffle left it: only the relative order shows it.
    RifflesFedBack(u32),
    /// Swaps of two random places.
    Transpositions(u32),
    /// Fisher-Yates by the remainder of a word of some bits.
    Modulo(u32),
    /// Fisher-Yates by multiplying a word of some bits and dropping the low part.
    Scale(u32),
    /// Fisher-Yates by masked rejection from bits that are 1 with this chance.
    BiasedBits(f64),
    /// A new generator for each shuffle, from a seed of some bits.
    ShortSeed(u32),
    /// The last order again, once in this number of orders.
    RepeatedOnce(u32),
    /// Stable sort by a random key of some bits.
    SortByKey(u32),
    /// Orders whose rank begins with a 32-bit Weyl sequence.
    Lattice,
}

impl Shuffle {
    /// What a report calls this shuffle.
    pub fn name(self) -> String {
        match self {
            Self::NaiveSwap => "naive swap with any place".into(),
            Self::Sattolo => "Sattolo, one cycle".into(),
            Self::OffByOne => "range one too wide".into(),
            Self::Shelves { shelves, passes: 1 } => format!("{shelves} shelves, one pass"),
            Self::Shelves { shelves, passes } => format!("{shelves} shelves, {passes} passes"),
            Self::Riffles(times) => format!("{times} riffles"),
            Self::RifflesFedBack(times) => format!("{times} riffles, deck fed back"),
            Self::Transpositions(times) => format!("{times} transpositions"),
            Self::Modulo(bits) => format!("remainder of {bits} bits"),
            Self::Scale(bits) => format!("scaled {bits} bits"),
            Self::BiasedBits(chance) => format!("bits that are 1 with {chance}"),
            Self::ShortSeed(bits) => format!("seed of {bits} bits"),
            Self::RepeatedOnce(in_so_many) => format!("last order again, once in {in_so_many}"),
            Self::SortByKey(bits) => format!("sort by {bits}-bit key"),
            Self::Lattice => "rank from a Weyl sequence".into(),
        }
    }
}

/// A supply that shuffles one way.
#[derive(Debug, Clone, Copy)]
pub struct Bad {
    /// How it shuffles.
    pub shuffle: Shuffle,
    /// The seed of the run.
    pub seed: Seed,
}

impl Supply for Bad {
    fn name(&self) -> String {
        self.shuffle.name()
    }

    fn deal(&self, stream: u64, cards: usize, orders: &mut [u16]) -> Result<()> {
        let mut rng = generator(self.seed, stream);
        let mut before = vec![0; cards];
        factory_order(&mut before);
        let mut worker = mixing::Worker::new(cards);
        for (index, deck) in orders.chunks_exact_mut(cards).enumerate() {
            let index = stream * ORDERS_PER_STREAM as u64 + index as u64;
            if self.shuffle == Shuffle::Lattice {
                starving::lattice(&mut rng, deck, index);
            } else {
                deal_one(self.shuffle, &mut rng, deck, &before, &mut worker);
            }
            before.copy_from_slice(deck);
        }
        Ok(())
    }
}

fn deal_one(
    shuffle: Shuffle,
    rng: &mut ChaCha12Rng,
    deck: &mut [u16],
    before: &[u16],
    worker: &mut mixing::Worker,
) {
    let cards = deck.len();
    factory_order(deck);
    match shuffle {
        Shuffle::NaiveSwap => {
            (0..cards).for_each(|i| deck.swap(i, below(rng, cards as u32) as usize))
        }
        Shuffle::Sattolo => {
            (1..cards).rev().for_each(|i| deck.swap(i, below(rng, i as u32) as usize))
        }
        Shuffle::OffByOne => (1..cards).rev().for_each(|i| {
            let range = (i + 2).min(cards);
            deck.swap(i, below(rng, range as u32) as usize);
        }),
        Shuffle::Shelves { shelves, passes } => {
            (0..passes).for_each(|_| worker.shelves(rng, deck, shelves))
        }
        Shuffle::Riffles(times) => (0..times).for_each(|_| worker.riffle(rng, deck)),
        Shuffle::RifflesFedBack(times) => {
            deck.copy_from_slice(before);
            (0..times).for_each(|_| worker.riffle(rng, deck));
        }
        Shuffle::Transpositions(times) => (0..times).for_each(|_| {
            let (a, b) = (below(rng, cards as u32), below(rng, cards as u32));
            deck.swap(a as usize, b as usize);
        }),
        Shuffle::Modulo(bits) => scaling::modulo(rng, deck, bits),
        Shuffle::Scale(bits) => scaling::scale(rng, deck, bits),
        Shuffle::BiasedBits(chance) => scaling::biased_bits(rng, deck, chance),
        Shuffle::SortByKey(bits) => scaling::sort_by_key(rng, deck, bits),
        Shuffle::ShortSeed(bits) => starving::short_seed(rng, deck, bits),
        Shuffle::RepeatedOnce(in_so_many) => starving::repeated(rng, deck, before, in_so_many),
        Shuffle::Lattice => unreachable!("needs the index of the shuffle; dealt by the caller"),
    }
}
