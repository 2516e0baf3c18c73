//! The firmware's own random core, fed noise by the host instead of a chip.
//!
//! Everything after the noise is what a device runs: health tests, conditioner,
//! generator, ledger, sampler. With a seed the noise is ChaCha20 and the run can be
//! repeated; without, it is the operating system's random device.

use crate::supply::Supply;
use anyhow::{Context, Result};
use chacha20::ChaCha20Rng;
use croupier::entropy::{Lost, Memory, NoiseFault, NoiseSource, OrderBuffer, RandomCore, RngLatch};
use rand_core::{Rng, SeedableRng, TryRng};
use std::num::NonZeroU8;

/// Bytes asked of the core at once: one request each, here and in the simulated chip.
pub const RAW_REQUEST: usize = 1024;

/// The production core over host noise.
#[derive(Debug, Clone, Copy)]
pub struct Production(
    /// The seed of the noise, or none for the operating system's random device.
    pub Option<u64>,
);

impl Production {
    fn core(&self, stream: u64) -> Result<RandomCore<HostNoise, Forgetful>> {
        let noise = HostNoise::new(self.0, stream);
        let mut core = RandomCore::new(noise, Forgetful, serial(stream));
        core.start()
            .map_err(|fault| anyhow::anyhow!("the random core did not start: {fault:?}"))?;
        Ok(core)
    }
}

impl Supply for Production {
    fn name(&self) -> String {
        "production random core".into()
    }

    fn deal(&self, stream: u64, cards: usize, orders: &mut [u16]) -> Result<()> {
        let mut core = self.core(stream)?;
        let mut tray = OrderBuffer::new();
        for deck in orders.chunks_exact_mut(cards) {
            let order = core
                .order(cards, &mut tray)
                .map_err(|fault| anyhow::anyhow!("no order: {fault:?}"))?;
            deck.copy_from_slice(order.cards());
        }
        Ok(())
    }

    fn draw(&self, stream: u64, sides: u16, numbers: &mut [u16]) -> Result<()> {
        let sides = u8::try_from(sides)
            .ok()
            .and_then(NonZeroU8::new)
            .context("a draw has 1 to 255 sides")?;
        let mut core = self.core(stream)?;
        for number in numbers {
            let drawn =
                core.number(sides).map_err(|fault| anyhow::anyhow!("no number: {fault:?}"))?;
            *number = drawn.get().into();
        }
        Ok(())
    }

    fn raw(&self, stream: u64, bytes: &mut [u8]) -> Result<()> {
        let mut core = self.core(stream)?;
        for request in bytes.chunks_mut(RAW_REQUEST) {
            core.try_fill_bytes(request)
                .map_err(|fault| anyhow::anyhow!("no output: {fault:?}"))?;
        }
        Ok(())
    }
}

/// The serial number of the device that makes a stream.
pub fn serial(stream: u64) -> [u8; 12] {
    let mut serial = *b"host 0000000";
    serial[4..].copy_from_slice(&stream.to_le_bytes());
    serial
}

/// The noise under a stream of a seeded supply.
pub fn seeded_noise(seed: u64, stream: u64) -> ChaCha20Rng {
    let mut key = [0xC5; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key[8..16].copy_from_slice(&stream.to_le_bytes());
    ChaCha20Rng::from_seed(key)
}

/// Noise words from the host; the random device is read a page at a time.
enum HostNoise {
    Seeded(Box<ChaCha20Rng>),
    Device { page: Box<[u8; 4096]>, used: usize },
}

impl HostNoise {
    fn new(seed: Option<u64>, stream: u64) -> Self {
        match seed {
            Some(seed) => Self::Seeded(Box::new(seeded_noise(seed, stream))),
            None => Self::Device { page: Box::new([0; 4096]), used: 4096 },
        }
    }
}

impl NoiseSource for HostNoise {
    fn word(&mut self) -> Result<u32, NoiseFault> {
        match self {
            Self::Seeded(rng) => Ok(rng.next_u32()),
            Self::Device { page, used } => {
                if *used == page.len() {
                    getrandom::fill(&mut page[..]).map_err(|_| NoiseFault::Absent)?;
                    *used = 0;
                }
                let word = page[*used..].first_chunk().ok_or(NoiseFault::Silent)?;
                *used += 4;
                Ok(u32::from_le_bytes(*word))
            }
        }
    }
}

/// A host run has no flash: every stream is a device started for the first time.
struct Forgetful;

impl Memory for Forgetful {
    fn recall(&mut self) -> Result<RngLatch, Lost> {
        Ok(RngLatch::new())
    }

    fn keep(&mut self, _: &RngLatch) -> Result<(), Lost> {
        Ok(())
    }
}
