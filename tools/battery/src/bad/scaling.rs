//! Shuffles that bend good bits, or start from bent ones.

use crate::ideal::fisher_yates;
use rand_core::Rng;

pub(super) fn modulo(rng: &mut impl Rng, deck: &mut [u16], bits: u32) {
    fisher_yates(deck, |n| (rng.next_u32() >> (32 - bits)) % n);
}

pub(super) fn scale(rng: &mut impl Rng, deck: &mut [u16], bits: u32) {
    fisher_yates(deck, |n| {
        ((u64::from(rng.next_u32() >> (32 - bits)) * u64::from(n)) >> bits) as u32
    });
}

/// Masked rejection is exact, but the bits it is fed are not fair.
pub(super) fn biased_bits(rng: &mut impl Rng, deck: &mut [u16], chance: f64) {
    let limit = (chance * 65_536.0) as u32;
    fisher_yates(deck, |n| {
        let width = 32 - (n - 1).leading_zeros();
        loop {
            let draw = (0..width).fold(0, |draw, _| {
                let coin = (rng.next_u32() >> 16) < limit;
                draw << 1 | u32::from(coin)
            });
            if draw < n {
                return draw;
            }
        }
    });
}

pub(super) fn sort_by_key(rng: &mut impl Rng, deck: &mut [u16], bits: u32) {
    let mut keyed = [(0, 0); 1024];
    let keyed = &mut keyed[..deck.len()];
    for (entry, &card) in keyed.iter_mut().zip(deck.iter()) {
        // Key first, then the card: sorting the pair is a stable sort by key.
        *entry = (rng.next_u32() >> (32 - bits), card);
    }
    keyed.sort_unstable();
    for (card, entry) in deck.iter_mut().zip(keyed) {
        *card = entry.1;
    }
}
