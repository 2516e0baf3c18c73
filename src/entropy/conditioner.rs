//! The conditioner: 640 tested bits in, 256 bits of full entropy out (SP 800-90C).
//!
//! Full entropy asks for 64 bits of min-entropy more than come out. The source is
//! assessed at half a bit per bit, so 640 bits hold the 320 that 256 need.

use super::gate::BLOCK_BYTES;
use crate::hash::{Digest, sha256};

/// Bits of full entropy in one conditioned block.
pub(super) const FRESH_BITS: u32 = 256;

/// What the hash is used for. This long, message and padding fill two hash blocks exactly.
const DOMAIN: &[u8; 31] = b"croupier: full entropy, block  ";

/// SHA-256 over domain, counter and noise. No two calls share a counter.
pub(super) fn condition(counter: u64, noise: &[u8; BLOCK_BYTES]) -> Digest {
    sha256(&[DOMAIN, &counter.to_le_bytes(), noise])
}

/// A mark by which the first noise of a start can be known again, and nothing else.
pub(super) fn mark_of(noise: &[u8; BLOCK_BYTES]) -> u64 {
    let [first, second, ..] = sha256(&[b"croupier: first noise of a start", noise]).0;
    u64::from(second.swap_bytes()) << 32 | u64::from(first.swap_bytes())
}
