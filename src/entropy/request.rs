//! One request: fresh entropy combined with the generator, a block at a time (RBG3(XS)).
//!
//! Blocks are made when the sampler asks, so a request takes exactly what it needs: one
//! for a single deck (two once in 1500), twelve for eight decks. Each is accounted for.

use zeroize::Zeroize;

use super::conditioner::{FRESH_BITS, condition};
use super::drbg::HmacDrbg;
use super::gate::{Gate, Stop};
use super::ledger::Ledger;
use super::sampler::Refill;
use super::{Cause, NoiseSource};

const POOL_BYTES: usize = 32;

/// A request being answered. What it holds is wiped when dropped.
pub struct Request<'core, N> {
    gate: &'core mut Gate<N>,
    drbg: &'core mut HmacDrbg,
    counter: &'core mut u64,
    pool: [u8; POOL_BYTES],
    /// Pairs of bytes.
    taken: usize,
    ledger: Ledger,
}

impl<'core, N: NoiseSource> Request<'core, N> {
    /// Begins with a block of fresh noise into the generator (prediction resistance).
    pub fn begin(
        gate: &'core mut Gate<N>,
        drbg: &'core mut HmacDrbg,
        counter: &'core mut u64,
    ) -> Result<Self, Stop> {
        drbg.reseed(&[gate.block()?.bytes()]);
        Ok(Self {
            gate,
            drbg,
            counter,
            pool: [0; POOL_BYTES],
            taken: POOL_BYTES / 2,
            ledger: Ledger::new(),
        })
    }

    /// Ends the request, if it took in what its outcome is worth.
    pub fn end(self, worth_bits: u32) -> Result<(), Stop> {
        if !self.ledger.covers(worth_bits) {
            return Err(Stop::Failed(Cause::Ledger));
        }
        self.drbg.end_request(&[]);
        Ok(())
    }

    /// Fresh bits xor generator bits, into the pool.
    #[inline(never)] // once in 32 bytes; kept out of the sampler's loop
    fn fill_pool(&mut self) -> Result<(), Stop> {
        let noise = self.gate.block()?;
        condition(*self.counter, noise.bytes(), &mut self.pool);
        *self.counter = self.counter.wrapping_add(1);
        self.ledger.take_in(FRESH_BITS);
        let generated = self.drbg.next_block().map_err(|_| Stop::Failed(Cause::Generator))?;
        for (byte, generated) in self.pool.iter_mut().zip(generated) {
            *byte ^= generated;
        }
        self.taken = 0;
        Ok(())
    }
}

impl<N: NoiseSource> Refill for Request<'_, N> {
    type Stop = Stop;

    /// The next two bytes.
    #[inline]
    fn refill(&mut self) -> Result<u32, Stop> {
        loop {
            if let Some(&bytes) = self.pool.as_chunks().0.get(self.taken) {
                self.taken += 1;
                return Ok(u16::from_le_bytes(bytes).into());
            }
            self.fill_pool()?;
        }
    }
}

impl<N> Drop for Request<'_, N> {
    fn drop(&mut self) {
        self.pool.zeroize();
    }
}
