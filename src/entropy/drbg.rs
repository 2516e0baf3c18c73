//! HMAC_DRBG over SHA-256 (SP 800-90A 10.1.2): the second line behind the noise.
//!
//! Its output is only ever combined with fresh entropy. If the source should weaken
//! unseen, 256 bits of strength remain; if this should be broken, the entropy remains.

use core::iter;

use hmac::digest::FixedOutput;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

/// Bytes in one block of output.
pub const BLOCK_BYTES: usize = 32;
/// Most blocks in one request: 2^19 bits.
const MOST_BLOCKS: u32 = (1 << 19) / (8 * BLOCK_BYTES as u32);
/// Most requests between two reseedings.
const MOST_REQUESTS: u64 = 1 << 48;

/// More was asked for than the standard allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OverLimit;

/// The generator. Wiped when dropped.
pub struct HmacDrbg {
    /// HMAC with the key already taken in, which saves two of four compressions a block.
    keyed: Hmac<Sha256>,
    value: [u8; BLOCK_BYTES],
    requests: u64,
    blocks: u32,
}

impl HmacDrbg {
    /// A generator seeded with entropy, a nonce and a personalisation, in pieces.
    pub fn instantiate(seed: &[&[u8]]) -> Self {
        let mut drbg = Self {
            keyed: keyed(&[0; BLOCK_BYTES]),
            value: [1; BLOCK_BYTES],
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
    pub fn next_block(&mut self) -> Result<&[u8; BLOCK_BYTES], OverLimit> {
        if self.requests > MOST_REQUESTS || self.blocks >= MOST_BLOCKS {
            return Err(OverLimit);
        }
        self.blocks += 1;
        self.step_value();
        Ok(&self.value)
    }

    /// Ends the present request: from here, nothing can tell what it gave out.
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
            for (out, value) in iter::zip(chunk, self.next_block()?) {
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
        let mut mac = self.keyed.clone();
        mac.update(&self.value);
        mac.update(&[round]);
        data.iter().for_each(|piece| mac.update(piece));
        let mut key = Zeroizing::new([0; BLOCK_BYTES]);
        mac.finalize_into((&mut *key).into());
        self.keyed = keyed(&key);
        self.step_value();
    }

    fn step_value(&mut self) {
        let mut mac = self.keyed.clone();
        mac.update(&self.value);
        mac.finalize_into((&mut self.value).into());
    }
}

impl Drop for HmacDrbg {
    fn drop(&mut self) {
        self.value.zeroize(); // `keyed` wipes itself
    }
}

impl ZeroizeOnDrop for HmacDrbg {}

fn is_empty(data: &[&[u8]]) -> bool {
    data.iter().all(|piece| piece.is_empty())
}

/// HMAC pads a short key with zeros to the hash's block; padded here, it cannot fail.
fn keyed(key: &[u8; BLOCK_BYTES]) -> Hmac<Sha256> {
    let mut padded = Zeroizing::new([0; 64]);
    if let Some(start) = padded.first_chunk_mut() {
        *start = *key;
    }
    Hmac::new((&*padded).into())
}
