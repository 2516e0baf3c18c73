//! The reference shuffler: Fisher-Yates, Lemire's exact scaling, ChaCha12.
//!
//! It shares no line with the production code, so a battery that passes it and rejects
//! the calibration set says something about the battery and not about the firmware.

use crate::supply::Supply;
use anyhow::Result;
use chacha20::ChaCha12Rng;
use rand_core::{Rng, SeedableRng};

/// A seed of one run, printed so that the run can be repeated.
pub type Seed = u64;

/// The generator of one stream of one run.
pub fn generator(seed: Seed, stream: u64) -> ChaCha12Rng {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key[8..16].copy_from_slice(&stream.to_le_bytes());
    ChaCha12Rng::from_seed(key)
}

/// A number from 0 to `n` - 1, each exactly equally likely (Lemire's rejection).
pub fn below(rng: &mut impl Rng, n: u32) -> u32 {
    loop {
        let product = u64::from(rng.next_u32()) * u64::from(n);
        if product as u32 >= n || product as u32 >= n.wrapping_neg() % n {
            return (product >> 32) as u32;
        }
    }
}

/// A deck in factory order.
pub fn factory_order(deck: &mut [u16]) {
    for (place, card) in deck.iter_mut().enumerate() {
        *card = place as u16;
    }
}

/// Fisher-Yates from the bottom up, with `pick(n)` giving 0 to n - 1.
pub fn fisher_yates(deck: &mut [u16], mut pick: impl FnMut(u32) -> u32) {
    factory_order(deck);
    for last in (1..deck.len()).rev() {
        deck.swap(last, pick(last as u32 + 1) as usize);
    }
}

/// The reference supply.
#[derive(Debug, Clone, Copy)]
pub struct Ideal(
    /// The seed of the run.
    pub Seed,
);

impl Supply for Ideal {
    fn name(&self) -> String {
        "ideal (ChaCha12, Lemire, Fisher-Yates)".into()
    }

    fn deal(&self, stream: u64, cards: usize, orders: &mut [u16]) -> Result<()> {
        let mut rng = generator(self.0, stream);
        for deck in orders.chunks_exact_mut(cards) {
            fisher_yates(deck, |n| below(&mut rng, n));
        }
        Ok(())
    }

    fn draw(&self, stream: u64, sides: u16, numbers: &mut [u16]) -> Result<()> {
        let mut rng = generator(self.0, stream);
        numbers.fill_with(|| below(&mut rng, sides.into()) as u16 + 1);
        Ok(())
    }

    fn raw(&self, stream: u64, bytes: &mut [u8]) -> Result<()> {
        generator(self.0, stream).fill_bytes(bytes);
        Ok(())
    }
}
