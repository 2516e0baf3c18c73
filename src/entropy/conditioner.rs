//! The conditioner: 640 tested bits in, 256 bits of full entropy out (SP 800-90C).
//!
//! Full entropy asks for 64 bits of min-entropy more than come out. The source is
//! assessed at half a bit per bit, so 640 bits hold the 320 that 256 need.

use sha2::{Digest, Sha256};
use zeroize::{Zeroize, Zeroizing};

use super::gate::BLOCK_BYTES;

/// Bits of full entropy in one conditioned block.
pub const FRESH_BITS: u32 = 256;

/// What the hash is used for. This long, message and padding fill two hash blocks exactly.
const DOMAIN: &[u8; 31] = b"croupier: full entropy, block  ";
const COUNTER: usize = DOMAIN.len();
const NOISE: usize = COUNTER + 8;
const MESSAGE: usize = NOISE + BLOCK_BYTES;

/// SHA-256 over domain, counter and noise. No two calls share a counter.
pub fn condition(counter: u64, noise: &[u8; BLOCK_BYTES], fresh: &mut [u8; 32]) {
    let mut message = Zeroizing::new([0; MESSAGE]);
    message[..COUNTER].copy_from_slice(DOMAIN);
    message[COUNTER..NOISE].copy_from_slice(&counter.to_le_bytes());
    message[NOISE..].copy_from_slice(noise);
    Sha256::new_with_prefix(message.as_slice()).finalize_into(fresh.into());
}

/// A mark by which the first noise of a start can be known again, and nothing else.
pub fn mark_of(noise: &[u8; BLOCK_BYTES]) -> u64 {
    let mut hash: [u8; 32] = Sha256::new_with_prefix(b"croupier: first noise of a start")
        .chain_update(noise)
        .finalize()
        .into();
    let (first, _) = hash.split_first_chunk().unwrap_or((&[0; 8], &[]));
    let mark = u64::from_le_bytes(*first);
    hash.zeroize();
    mark
}
