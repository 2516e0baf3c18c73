//! The gate: noise leaves it only in whole blocks, each after every test has passed.
//!
//! A fault found at a block's last word takes the words before it along.

use zerocopy::transmute_ref;
use zeroize::{Zeroize, ZeroizeOnDrop};

use super::health::{Health, Verdict};
use super::{Cause, NoiseFault, NoiseSource};
use crate::hash::wipe;

/// Words in a block: 640 bits, of which half are taken to be entropy (320 = 256 + 64).
pub(super) const BLOCK_WORDS: usize = 20;
/// Bytes in a block.
pub(super) const BLOCK_BYTES: usize = 4 * BLOCK_WORDS;

/// A block of noise that passed. Wiped when dropped; only the gate makes one.
///
/// Its words are kept as bytes lie in memory, the lowest first.
pub(super) struct Block([u32; BLOCK_WORDS]);

impl Block {
    /// The noise, each word lowest byte first.
    pub(super) fn bytes(&self) -> &[u8; BLOCK_BYTES] {
        transmute_ref!(&self.0)
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        wipe(&mut self.0);
    }
}

impl ZeroizeOnDrop for Block {}

/// Why no block came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stop {
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
pub(super) struct Gate<N> {
    noise: N,
    health: Health,
    words_passed: u32,
}

impl<N: NoiseSource> Gate<N> {
    /// A gate before `noise`; reads nothing yet.
    pub(super) const fn new(noise: N) -> Self {
        Self { noise, health: Health::new(), words_passed: 0 }
    }

    /// The source, to configure it or to recover it.
    pub(super) fn noise(&mut self) -> &mut N {
        &mut self.noise
    }

    /// Forgets the noise it has seen.
    pub(super) fn wipe(&mut self) {
        self.health.zeroize();
    }

    /// Begins again, as after power on.
    pub(super) fn restart(&mut self) {
        self.wipe();
        self.health = Health::new();
    }

    /// Words that passed since this was last asked.
    pub(super) fn take_words_passed(&mut self) -> u32 {
        core::mem::take(&mut self.words_passed)
    }

    /// The next block that passed every test.
    pub(super) fn block(&mut self) -> Result<Block, Stop> {
        let mut block = Block([0; BLOCK_WORDS]);
        self.fill(&mut block)?;
        Ok(block)
    }

    /// Lends out the next block that passed every test: no copy of it is made.
    pub(super) fn lend<T>(
        &mut self,
        work: impl FnOnce(&[u8; BLOCK_BYTES]) -> T,
    ) -> Result<T, Stop> {
        let mut block = Block([0; BLOCK_WORDS]);
        self.fill(&mut block)?;
        Ok(work(block.bytes()))
    }

    fn fill(&mut self, block: &mut Block) -> Result<(), Stop> {
        // An odd word costs its block; a second one soon after fails, so this ends.
        loop {
            self.noise.settings_hold()?;
            if self.read(block)? {
                self.noise.settings_hold()?;
                self.words_passed = self.words_passed.saturating_add(BLOCK_WORDS as u32);
                return Ok(());
            }
        }
    }

    /// Reads a block; says whether every word of it is fair.
    fn read(&mut self, block: &mut Block) -> Result<bool, Stop> {
        for place in &mut block.0 {
            let verdict = match self.noise.word() {
                Ok(word) => {
                    *place = word.to_le();
                    self.health.judge(word)
                }
                Err(NoiseFault::Zero) => self.health.judge_odd(),
                Err(fault) => return Err(fault.into()),
            };
            match verdict {
                Verdict::Fair => {}
                Verdict::Odd => return Ok(false),
                Verdict::Failed(cause) => return Err(Stop::Failed(cause)),
            }
        }
        Ok(true)
    }
}
