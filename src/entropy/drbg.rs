//! HMAC_DRBG over SHA-256 (SP 800-90A 10.1.2): the second line behind the noise.
//!
//! Its output is only ever combined with fresh entropy. If the source should weaken
//! unseen, 256 bits of strength remain; if this should be broken, the entropy remains.

use core::iter;

use zeroize::{ZeroizeOnDrop, Zeroizing};

use crate::hash::{DIGEST_BYTES, Digest, Keyed};

/// Bytes in one block of output.
pub const BLOCK_BYTES: usize = DIGEST_BYTES;
/// Most blocks in one request: 2^19 bits.
const MOST_BLOCKS: u32 = (1 << 19) / (8 * BLOCK_BYTES as u32);
/// Most requests between two reseedings.
const MOST_REQUESTS: u64 = 1 << 48;

/// More was asked for than the standard allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OverLimit;

/// The generator. Wiped when dropped.
pub struct HmacDrbg {
    /// The key, taken in: that saves two of four compressions a block.
    key: Keyed,
    value: Digest,
    requests: u64,
    blocks: u32,
}

impl HmacDrbg {
    /// A generator seeded with entropy, a nonce and a personalisation, in pieces.
    pub fn instantiate(seed: &[&[u8]]) -> Self {
        let mut drbg = Self {
            key: Keyed::new(&Digest::filled_with(0)),
            value: Digest::filled_with(1),
            requests: 0,
            blocks: 0,
        };
        drbg.reseed(seed);
        drbg
    }

    /// Takes in fresh entropy and additional input, in pieces.
    pub fn reseed(&mut self, seed: &[&[u8]]) {
        self.update(seed);
        self.requests = 1;
    }

    /// The next block of the present request.
    pub fn next_block(&mut self) -> Result<&Digest, OverLimit> {
        if self.requests > MOST_REQUESTS || self.blocks >= MOST_BLOCKS {
            return Err(OverLimit);
        }
        self.blocks += 1;
        self.step_value();
        Ok(&self.value)
    }

    /// Ends the present request: from here on, its output cannot be reconstructed.
    pub fn end_request(&mut self, additional: &[&[u8]]) {
        self.update(additional);
        self.requests = self.requests.saturating_add(1);
        self.blocks = 0;
    }

    /// One whole request: `out` from the present state and `additional` input.
    pub fn generate(&mut self, additional: &[&[u8]], out: &mut [u8]) -> Result<(), OverLimit> {
        if !is_empty(additional) {
            self.update(additional);
        }
        for chunk in out.chunks_mut(BLOCK_BYTES) {
            for (out, value) in iter::zip(chunk, &*Zeroizing::new(self.next_block()?.bytes())) {
                *out = *value;
            }
        }
        self.end_request(additional);
        Ok(())
    }

    fn update(&mut self, data: &[&[u8]]) {
        self.step_key(0, data);
        if !is_empty(data) {
            self.step_key(1, data);
        }
    }

    fn step_key(&mut self, round: u8, data: &[&[u8]]) {
        self.key = Keyed::new(&self.key.code(&self.value, round, data));
        self.step_value();
    }

    fn step_value(&mut self) {
        self.value = self.key.code_of(&self.value);
    }
}

impl ZeroizeOnDrop for HmacDrbg {} // both parts wipe themselves

fn is_empty(data: &[&[u8]]) -> bool {
    data.iter().all(|piece| piece.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// PG-06: no test can ask that often, so the count is set.
    #[test]
    fn a_generator_ends_with_its_last_request() {
        let mut drbg = HmacDrbg::instantiate(&[&[1; 48]]);
        drbg.requests = MOST_REQUESTS;
        assert!(drbg.generate(&[], &mut [0; 8]).is_ok(), "the last one");
        assert_eq!(drbg.generate(&[], &mut [0; 8]), Err(OverLimit));
        drbg.reseed(&[&[2; 48]]);
        assert!(drbg.generate(&[], &mut [0; 8]).is_ok(), "a new seed, a new count");
    }
}
