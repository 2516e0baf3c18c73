//! HMAC-SHA-256 (FIPS 198-1), with its key taken in once.
//!
//! Half of a short code's work is taking in the key, twice. A generator that makes many
//! under one key keeps the two states after it.

use zeroize::ZeroizeOnDrop;

use super::compression::{Block, START, State, compress};
use super::message::BLOCK_BYTES;
use super::{DIGEST_BYTES, Digest, Message, wipe};

/// A key, ready for messages. Wiped when dropped.
pub struct Keyed {
    inner: State,
    outer: State,
}

impl Keyed {
    /// Takes in a key of a digest's length.
    pub fn new(key: &Digest) -> Self {
        Self { inner: after_key(key, 0x3636_3636), outer: after_key(key, 0x5c5c_5c5c) }
    }

    /// The code of `start`, `mark` and the pieces after them.
    pub fn code(&self, start: &Digest, mark: u8, pieces: &[&[u8]]) -> Digest {
        let mut message = Message::second_block(self.inner, start);
        message.take_byte(mark);
        pieces.iter().for_each(|piece| message.take(piece));
        after_block(self.outer, &message.end())
    }

    /// The code of a message in pieces.
    pub fn code_of_all(&self, pieces: &[&[u8]]) -> Digest {
        let mut message = Message::after_block(self.inner);
        pieces.iter().for_each(|piece| message.take(piece));
        after_block(self.outer, &message.end())
    }

    /// The code of a digest.
    pub fn code_of(&self, digest: &Digest) -> Digest {
        after_block(self.outer, &after_block(self.inner, digest))
    }
}

impl Drop for Keyed {
    fn drop(&mut self) {
        wipe(&mut self.inner);
        wipe(&mut self.outer);
    }
}

impl ZeroizeOnDrop for Keyed {}

/// The state after the key's block.
fn after_key(key: &Digest, pad: u32) -> State {
    let [a, b, c, d, e, f, g, h] = key.0.map(|word| word ^ pad);
    closing(START, [a, b, c, d, e, f, g, h, pad, pad, pad, pad, pad, pad, pad, pad])
}

/// Ends a message of one block and a digest.
fn after_block(state: State, digest: &Digest) -> Digest {
    const BITS: u32 = 8 * (BLOCK_BYTES + DIGEST_BYTES) as u32;
    let [a, b, c, d, e, f, g, h] = digest.0;
    Digest(closing(state, [a, b, c, d, e, f, g, h, 1 << 31, 0, 0, 0, 0, 0, 0, BITS]))
}

/// Takes in one block and forgets it.
fn closing(mut state: State, mut block: Block) -> State {
    compress(&mut state, &mut block);
    wipe(&mut block);
    state
}
