//! The gate: noise leaves it only in whole blocks, each after every test has passed.
//!
//! A fault found at a block's last word takes the words before it along.

use zeroize::{Zeroize, ZeroizeOnDrop};

use super::health::{Health, Verdict};
use super::{Cause, NoiseFault, NoiseSource};

/// Words in a block: 640 bits, of which half are taken to be entropy (320 = 256 + 64).
pub const BLOCK_WORDS: usize = 20;
/// Bytes in a block.
pub const BLOCK_BYTES: usize = 4 * BLOCK_WORDS;

/// A block of noise that passed. Wiped when dropped; only the gate makes one.
pub struct Block([u8; BLOCK_BYTES]);

impl Block {
    /// The noise, each word lowest byte first.
    pub const fn bytes(&self) -> &[u8; BLOCK_BYTES] {
        &self.0
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl ZeroizeOnDrop for Block {}

/// Why no block came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// The source reports a seed error, from which there may be a way back.
    SeedError,
    /// The source, or what is made of it, can no longer be trusted.
    Failed(Cause),
}

impl From<NoiseFault> for Stop {
    fn from(fault: NoiseFault) -> Self {
        match fault {
            NoiseFault::Seed => Self::SeedError,
            other => Self::Failed(other.into()),
        }
    }
}

/// A noise source and the tests that stand before it.
pub struct Gate<N> {
    noise: N,
    health: Health,
    words_passed: u32,
}

impl<N: NoiseSource> Gate<N> {
    /// A gate before `noise`; reads nothing yet.
    pub const fn new(noise: N) -> Self {
        Self { noise, health: Health::new(), words_passed: 0 }
    }

    /// The source, to configure it or to recover it.
    pub fn noise(&mut self) -> &mut N {
        &mut self.noise
    }

    /// Forgets the noise it has seen.
    pub fn wipe(&mut self) {
        self.health.zeroize();
    }

    /// Begins again, as after power on.
    pub fn restart(&mut self) {
        self.wipe();
        self.health = Health::new();
    }

    /// Words that passed since this was last asked.
    pub fn take_words_passed(&mut self) -> u32 {
        core::mem::take(&mut self.words_passed)
    }

    /// The next block that passed every test.
    pub fn block(&mut self) -> Result<Block, Stop> {
        // An odd word costs its block; a second one soon after fails, so this ends.
        loop {
            self.noise.settings_hold()?;
            if let Some(block) = self.read_block()? {
                self.noise.settings_hold()?;
                self.words_passed = self.words_passed.saturating_add(BLOCK_WORDS as u32);
                return Ok(block);
            }
        }
    }

    fn read_block(&mut self) -> Result<Option<Block>, Stop> {
        let mut block = Block([0; BLOCK_BYTES]);
        for bytes in block.0.as_chunks_mut().0 {
            let verdict = match self.noise.word() {
                Ok(word) => {
                    *bytes = word.to_le_bytes();
                    self.health.judge(word)
                }
                Err(NoiseFault::Zero) => self.health.judge_odd(),
                Err(fault) => return Err(fault.into()),
            };
            match verdict {
                Verdict::Fair => {}
                Verdict::Odd => return Ok(None),
                Verdict::Failed(cause) => return Err(Stop::Failed(cause)),
            }
        }
        Ok(Some(block))
    }
}
