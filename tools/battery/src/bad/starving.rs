//! Shuffles that run out of randomness: short seeds, stale blocks, lattices.

use crate::ideal::{below, fisher_yates};
use rand_core::Rng;

/// SplitMix64: good enough that only the shortness of its seed can give it away.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
}

pub(super) fn short_seed(rng: &mut impl Rng, deck: &mut [u16], bits: u32) {
    let mut small = SplitMix(rng.next_u64() >> (64 - bits));
    small.0 = small.next();
    fisher_yates(deck, |n| ((u128::from(small.next()) * u128::from(n)) >> 64) as u32);
}

pub(super) fn repeated(rng: &mut impl Rng, deck: &mut [u16], before: &[u16], in_so_many: u32) {
    if below(rng, in_so_many) == 0 {
        deck.copy_from_slice(before);
    } else {
        fisher_yates(deck, |n| below(rng, n));
    }
}

/// The order's rank begins with a Weyl sequence, one step for each shuffle: every single
/// rank looks fair, but only a few different gaps lie between them.
pub(super) fn lattice(rng: &mut impl Rng, deck: &mut [u16], index: u64) {
    let cards = deck.len() as u64;
    let mut rank =
        u64::from((index as u32).wrapping_mul(0x9E37_79B9)) << 32 | u64::from(rng.next_u32());
    fisher_yates(deck, |n| below(rng, n));
    let mut out: Vec<u16> = (0..cards as u16).collect();
    let mut top = Vec::new();
    for taken in 0..8 {
        let wide = u128::from(rank) * u128::from(cards - taken);
        top.push(out.remove((wide >> 64) as usize));
        rank = wide as u64;
    }
    let rest: Vec<u16> = deck.iter().copied().filter(|card| !top.contains(card)).collect();
    deck[..8].copy_from_slice(&top);
    deck[8..].copy_from_slice(&rest);
}
