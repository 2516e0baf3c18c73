//! SHA-256 and HMAC, for a core with thirteen registers and 32-bit words.
//!
//! A draw is 24 compressions and little else. The `sha2` crate writes them for wide
//! processors, and the `hmac` and `digest` crates copy and buffer as much again as a third
//! of them: a draw took 85,000 instructions, and with this takes 67,600; and they are 7 KiB
//! of flash that seals, brands and attestation can do without too. So this is ours:
//! words all through, keyed states kept, nothing copied twice. The examples of FIPS 180-4,
//! every ACVP vector of the generator above it and both crates, on random messages, agree.
//!
//! Whatever is held here is taken to be secret: it is wiped when dropped.

mod compression;
mod hmac;
mod message;
#[cfg(test)]
mod tests;

pub use hmac::Keyed;
pub use message::Message;

use zeroize::{Zeroize, ZeroizeOnDrop};

/// Bytes in a digest.
pub const DIGEST_BYTES: usize = 32;

/// What comes out of the hash, as the words it is made of.
#[derive(Clone)]
pub struct Digest(pub(crate) [u32; 8]);

impl Digest {
    /// A digest of these bytes: the fixed beginnings that a standard names.
    pub const fn filled_with(byte: u8) -> Self {
        Self([u32::from_be_bytes([byte; 4]); 8])
    }

    /// The digest, or the key of a digest's length, with these bytes.
    pub fn from_bytes(bytes: &[u8; DIGEST_BYTES]) -> Self {
        let (words, _) = bytes.as_chunks();
        let mut digest = [0; 8];
        for (word, bytes) in digest.iter_mut().zip(words) {
            *word = u32::from_be_bytes(*bytes);
        }
        Self(digest)
    }

    /// Its bytes, the first first.
    pub fn bytes(&self) -> [u8; DIGEST_BYTES] {
        let mut bytes = [0; DIGEST_BYTES];
        for (bytes, word) in bytes.as_chunks_mut().0.iter_mut().zip(self.0) {
            *bytes = word.to_be_bytes();
        }
        bytes
    }
}

impl Drop for Digest {
    fn drop(&mut self) {
        wipe(&mut self.0);
    }
}

impl ZeroizeOnDrop for Digest {}

/// Wipes eight words at a time: a loop over single ones costs a draw a thousand instructions.
#[inline]
pub(crate) fn wipe(words: &mut [u32]) {
    let (eights, rest) = words.as_chunks_mut();
    for [a, b, c, d, e, f, g, h] in eights {
        a.zeroize();
        b.zeroize();
        c.zeroize();
        d.zeroize();
        e.zeroize();
        f.zeroize();
        g.zeroize();
        h.zeroize();
    }
    rest.zeroize();
}

/// SHA-256 of a message, in pieces.
pub fn sha256(pieces: &[&[u8]]) -> Digest {
    let mut message = Message::new();
    pieces.iter().for_each(|piece| message.take(piece));
    message.end()
}
