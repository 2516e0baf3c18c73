//! Each rule seen to fire, and the driver's own sequence seen to pass.

mod array;
mod rules;

use super::*;
use crate::context::Outside;
use crate::testing::memory::{Bench, START};

const US: Ns = 1_000;
const MS: Ns = 1_000 * US;

/// The controller at 80 MHz, as it is when the image first uses it.
struct Chip {
    flash: Flash,
    bench: Bench,
}

impl Chip {
    fn new() -> Self {
        let mut chip = Self { flash: Flash::new(), bench: Bench::new() };
        chip.modify(ACR, |acr| acr & !acr::LATENCY | 4).unwrap();
        chip.bench.clocks.hclk = 80_000_000;
        chip
    }

    /// The same with the data cache off and flash unlocked.
    fn unlocked() -> Self {
        let mut chip = Self::new();
        chip.modify(ACR, |acr| acr & !acr::DCEN).unwrap();
        chip.unlock();
        chip
    }

    fn load(&mut self, offset: u32) -> u32 {
        self.flash.load(offset, Width::Word, &mut self.bench.cx()).unwrap()
    }

    fn store(&mut self, offset: u32, value: u32) -> Result<(), Breach> {
        self.flash.store(offset, Width::Word, value, &mut self.bench.cx())
    }

    fn modify(&mut self, offset: u32, change: impl FnOnce(u32) -> u32) -> Result<(), Breach> {
        let value = change(self.load(offset));
        self.store(offset, value)
    }

    fn program(&mut self, offset: u32, value: u32) -> Result<(), Breach> {
        self.flash.program(offset, Width::Word, value, &mut self.bench.cx())
    }

    fn unlock(&mut self) {
        self.store(KEYR, 0x4567_0123).unwrap();
        self.store(KEYR, 0xCDEF_89AB).unwrap();
    }

    /// Spins on SR, a microsecond a turn; says what SR holds at the end, and how long it took.
    fn wait_ready(&mut self) -> (u32, Ns) {
        let start = self.bench.now;
        loop {
            let sr = self.load(SR);
            if sr & sr::BSY == 0 {
                return (sr, self.bench.now - start);
            }
            self.bench.now += US;
        }
    }

    /// embassy-stm32 0.6.0, `write_chunk_unlocked`.
    fn driver_writes(&mut self, offset: u32, data: u64) -> Result<(u32, Ns), Breach> {
        self.modify(SR, |sr| sr)?;
        if self.load(CR) & cr::LOCK != 0 {
            self.unlock();
        }
        self.store(CR, cr::PG)?;
        self.program(offset, data as u32)?;
        self.program(offset + 4, (data >> 32) as u32)?;
        let ended = self.wait_ready();
        self.store(CR, 0)?;
        self.modify(CR, |cr| cr | cr::LOCK)?;
        Ok(ended)
    }

    /// embassy-stm32 0.6.0, `erase_sector_unlocked`.
    fn driver_erases(&mut self, offset: u32) -> Result<(u32, Ns), Breach> {
        self.modify(SR, |sr| sr)?;
        if self.load(CR) & cr::LOCK != 0 {
            self.unlock();
        }
        let (bank, page) = (offset / BANK, offset % BANK / PAGE);
        let which = page << cr::PNB_SHIFT | if bank == 1 { cr::BKER } else { 0 };
        self.modify(CR, |cr| cr | cr::PER | which | cr::STRT)?;
        let ended = self.wait_ready();
        self.modify(CR, |cr| cr & !cr::PER)?;
        self.modify(SR, |sr| sr)?;
        self.modify(CR, |cr| cr | cr::LOCK)?;
        Ok(ended)
    }

    fn cache_off(&mut self) -> Result<(), Breach> {
        self.modify(ACR, |acr| acr & !acr::DCEN)
    }

    fn cache_flushed_and_on(&mut self) -> Result<(), Breach> {
        self.modify(ACR, |acr| acr | acr::DCRST)?;
        self.modify(ACR, |acr| acr & !acr::DCRST)?;
        self.modify(ACR, |acr| acr | acr::DCEN)
    }

    fn word(&mut self, offset: u32) -> u64 {
        u64::from_le_bytes(self.bench.memory.flash_word(offset))
    }

    fn is_torn(&mut self, offset: u32) -> bool {
        self.bench.memory.is_torn(offset)
    }
}
