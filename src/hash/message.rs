//! A message on its way through the hash.

use zeroize::ZeroizeOnDrop;

use super::compression::{Block, START, State, compress};
use super::{Digest, wipe};

/// Bytes in a block.
pub(super) const BLOCK_BYTES: usize = 64;
/// Bytes at a block's end that say how long the message was.
const LENGTH_BYTES: usize = 8;
/// The bit after a message's last.
const END: u8 = 0x80;

/// What has been taken of a message. Wiped when dropped.
pub struct Message {
    state: State,
    /// The block being filled; zero where nothing has come yet.
    block: Block,
    /// Bytes taken.
    length: usize,
}

impl Message {
    /// Nothing taken yet.
    pub const fn new() -> Self {
        Self { state: START, block: [0; 16], length: 0 }
    }

    /// A message whose first block is in `state` already.
    pub(super) const fn after_block(state: State) -> Self {
        Self { state, block: [0; 16], length: BLOCK_BYTES }
    }

    /// The same, and its second begins with `start`.
    pub(super) fn second_block(state: State, start: &Digest) -> Self {
        let [a, b, c, d, e, f, g, h] = start.0;
        let block = [a, b, c, d, e, f, g, h, 0, 0, 0, 0, 0, 0, 0, 0];
        Self { state, block, length: BLOCK_BYTES + super::DIGEST_BYTES }
    }

    /// Takes the next bytes.
    pub fn take(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks();
        let (mut at, shift) = (self.length / 4 % 16, self.length % 4 * 8);
        for word in words {
            let word = u32::from_be_bytes(*word);
            self.block[at] |= word >> shift;
            at = (at + 1) % 16;
            if at == 0 {
                self.compress();
            }
            // In two steps: nothing is left over if the words fit, and 32 is no shift.
            self.block[at] = word << 1 << (31 - shift);
        }
        self.length = self.length.wrapping_add(4 * words.len());
        rest.iter().for_each(|byte| self.take_byte(*byte));
    }

    /// Takes one byte.
    pub fn take_byte(&mut self, byte: u8) {
        self.block[self.length / 4 % 16] |= u32::from(byte) << (24 - self.length % 4 * 8);
        self.length = self.length.wrapping_add(1);
        if self.length.is_multiple_of(BLOCK_BYTES) {
            self.compress();
        }
    }

    /// The digest of what was taken.
    pub fn end(&mut self) -> Digest {
        let bits = (self.length as u64).wrapping_mul(8);
        self.take_byte(END);
        if self.length % BLOCK_BYTES > BLOCK_BYTES - LENGTH_BYTES {
            self.compress();
        }
        let [.., high, low] = &mut self.block;
        (*high, *low) = ((bits >> 32) as u32, bits as u32);
        self.compress();
        let digest = Digest(self.state);
        (self.state, self.length) = (START, 0);
        digest
    }

    fn compress(&mut self) {
        compress(&mut self.state, &mut self.block);
        wipe(&mut self.block);
    }
}

impl Default for Message {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Message {
    fn drop(&mut self) {
        wipe(&mut self.state);
        wipe(&mut self.block);
    }
}

impl ZeroizeOnDrop for Message {}
