//! One request: fresh entropy combined with the generator, a block at a time (RBG3(XS)).
//!
//! Blocks are made when the sampler asks, so a request takes exactly what it needs: one
//! for a single deck (two once in 1500), twelve for eight decks. Each is accounted for.

use zerocopy::transmute_ref;

use super::conditioner::{FRESH_BITS, condition};
use super::drbg::HmacDrbg;
use super::gate::{Gate, Stop};
use super::ledger::Ledger;
use super::sampler::Refill;
use super::{Cause, NoiseSource};
use crate::hash::{DIGEST_BYTES, wipe};

/// Pairs of bytes in the pool.
const PAIRS: usize = DIGEST_BYTES / 2;

/// A request being answered. What it holds is wiped when dropped.
pub(super) struct Request<'core, N> {
    gate: &'core mut Gate<N>,
    drbg: &'core mut HmacDrbg,
    counter: &'core mut u64,
    /// Words whose bytes lie in memory in their order.
    pool: [u32; DIGEST_BYTES / 4],
    pairs_taken: usize,
    ledger: Ledger,
}

impl<'core, N: NoiseSource> Request<'core, N> {
    /// Begins with a block of fresh noise into the generator (prediction resistance).
    pub(super) fn begin(
        gate: &'core mut Gate<N>,
        drbg: &'core mut HmacDrbg,
        counter: &'core mut u64,
    ) -> Result<Self, Stop> {
        gate.lend(|noise| drbg.reseed(&[noise]))?;
        Ok(Self {
            gate,
            drbg,
            counter,
            pool: [0; DIGEST_BYTES / 4],
            pairs_taken: PAIRS,
            ledger: Ledger::new(),
        })
    }

    /// Ends the request, if it took in what its outcome is worth.
    pub(super) fn end(self, worth_bits: u32) -> Result<(), Stop> {
        if !self.ledger.covers(worth_bits) {
            return Err(Stop::Failed(Cause::Ledger));
        }
        self.drbg.end_request(&[]);
        Ok(())
    }

    /// Fresh bits xor generator bits, into the pool.
    #[inline(never)] // once in 32 bytes; kept out of the sampler's loop
    fn fill_pool(&mut self) -> Result<(), Stop> {
        let fresh = self.gate.lend(|noise| condition(*self.counter, noise))?;
        *self.counter = self.counter.wrapping_add(1);
        self.ledger.take_in(FRESH_BITS);
        let generated = self.drbg.next_block().map_err(|_| Stop::Failed(Cause::Generator))?;
        for (word, (fresh, generated)) in self.pool.iter_mut().zip(fresh.0.iter().zip(&generated.0))
        {
            *word = (fresh ^ generated).to_be();
        }
        self.pairs_taken = 0;
        Ok(())
    }
}

impl<N: NoiseSource> Refill for Request<'_, N> {
    type Stop = Stop;

    /// The next two bytes.
    #[inline]
    fn refill(&mut self) -> Result<u32, Stop> {
        loop {
            let pairs: &[[u8; 2]; PAIRS] = transmute_ref!(&self.pool);
            if let Some(&pair) = pairs.get(self.pairs_taken) {
                self.pairs_taken += 1;
                return Ok(u16::from_le_bytes(pair).into());
            }
            self.fill_pool()?;
        }
    }
}

impl<N> Drop for Request<'_, N> {
    fn drop(&mut self) {
        wipe(&mut self.pool);
    }
}
