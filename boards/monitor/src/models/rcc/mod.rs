//! Reset and clock control: oscillators, PLLs, the clock tree, gates, resets.
//!
//! All other models hold an access against [`Clocks`], which are computed here when a register
//! or an oscillator changes. The wait states that HCLK needs are flash's matter: the decoder
//! asks it after each store here.

mod oscillators;
mod registers;
#[cfg(test)]
mod tests;
mod tree;

use crate::breach::Breach;
use crate::clocks::{Clocks, Gate};
use crate::context::{Context, Ns, Width};
use crate::lanes::{merge, part};
use oscillators::{Oscillators, Source};
use registers::*;

const MSI_NOT_READY: &str =
    "MSIRANGE is not changed while MSI is on and not ready (RM0351, RCC_CR)";
const MSI_RANGE: &str = "MSIRANGE is 0 to 11; MSISRANGE 4 to 7, after MSIRGSEL (RM0351, RCC_CR)";
const PLL_ON: &str =
    "PLLN and the dividers are changed only while that PLL is off (RM0351, RCC_PLLCFGR)";
const COMMON_ON: &str =
    "PLLSRC and PLLM are changed only while all PLLs are off (RM0351, RCC_PLLCFGR)";
const SYSCLK_OFF: &str = "PLLREN stays on while the PLL is SYSCLK (RM0351, RCC_PLLCFGR)";
const NOT_READY: &str = "SW goes to a source that is on and ready (RM0351, RCC_CFGR)";
const NO_INTERRUPT: &str = "RCC's interrupts are not there: poll the ready bits";
const FLASH_GATE: &str = "FLASHEN stays on under code that runs from flash (RM0351, RCC_AHB1ENR)";
const BACKUP_LOCKED: &str = "RCC_BDCR is write-protected until DBP in PWR_CR1 (RM0351, RCC_BDCR)";
const RTC_CHOSEN: &str =
    "RTCSEL, once chosen, changes only by a backup domain reset (RM0351, RCC_BDCR)";

/// Why the chip was reset, as `RCC_CSR` says it. A reset from inside drives the reset pin too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResetFlags(u32);

impl ResetFlags {
    /// The reset pin.
    pub const PIN: Self = Self(1 << 26);
    /// Power came on, or a brown-out.
    pub const POWER: Self = Self(1 << 27 | Self::PIN.0);
    /// SYSRESETREQ.
    pub const SOFTWARE: Self = Self(1 << 28 | Self::PIN.0);
    /// The independent watchdog.
    pub const WATCHDOG: Self = Self(1 << 29 | Self::PIN.0);
    /// Option bytes were loaded.
    pub const OPTION_BYTES: Self = Self(1 << 25 | Self::PIN.0);
}

/// Peripherals whose reset bit went high, one bit each as in [`Clocks`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Resets {
    /// Of AHB1.
    pub ahb1: u32,
    /// Of AHB2.
    pub ahb2: u32,
    /// Of APB1, first register.
    pub apb1: u32,
    /// Of APB2.
    pub apb2: u32,
}

impl Resets {
    const NONE: Self = Self { ahb1: 0, ahb2: 0, apb1: 0, apb2: 0 };

    /// Whether a peripheral is among them; its reset bit lies where its enable bit does.
    pub fn has(&self, gate: Gate) -> bool {
        let Self { ahb1, ahb2, apb1, apb2 } = *self;
        Clocks { ahb1, ahb2, apb1, apb2, ..Clocks::RESET }.has(gate)
    }
}

/// Reset and clock control.
#[derive(Debug, Clone)]
pub struct Rcc {
    registers: Registers,
    oscillators: Oscillators,
    clocks: Clocks,
    /// When an oscillator becomes ready and the clocks are to be computed again.
    due: Option<Ns>,
    resets: Resets,
    /// DBP in PWR_CR1: whether RCC_BDCR can be written. Set by power control.
    pub backup_unlocked: bool,
}

impl Default for Rcc {
    fn default() -> Self {
        Self::new()
    }
}

impl Rcc {
    /// As after power came on: MSI at 4 MHz.
    pub const fn new() -> Self {
        Self {
            registers: Registers::new(),
            oscillators: Oscillators::new(),
            clocks: Clocks::RESET,
            due: None,
            resets: Resets::NONE,
            backup_unlocked: false,
        }
    }

    /// The clocks as they are set.
    pub fn clocks(&self) -> Clocks {
        self.clocks
    }

    /// Why the chip was reset; before the start.
    pub fn set_reset_flags(&mut self, flags: ResetFlags) {
        self.registers.set(CSR, self.registers.get(CSR) & !csr::FLAGS | flags.0);
    }

    /// The peripherals whose reset bit went high since the last call.
    pub fn take_resets(&mut self) -> Option<Resets> {
        let resets = core::mem::take(&mut self.resets);
        (resets != Resets::NONE).then_some(resets)
    }

    /// Whether a peripheral is held in reset.
    pub fn is_held_in_reset(&self, gate: Gate) -> bool {
        let [ahb1, ahb2, apb1, apb2] =
            [AHB1RSTR, AHB2RSTR, APB1RSTR1, APB2RSTR].map(|at| self.registers.get(at));
        Resets { ahb1, ahb2, apb1, apb2 }.has(gate)
    }

    /// Reads a register.
    pub fn load(&mut self, offset: u32, width: Width, cx: &mut Context<'_>) -> Result<u32, Breach> {
        self.settle(cx.now);
        let at = offset & !3;
        if describe(at).is_none() {
            return Err(Breach::new("RCC", offset, "no such register"));
        }
        Ok(part(self.registers.get(at) | self.status(at, cx.now), offset, width))
    }

    /// Writes a register.
    pub fn store(
        &mut self,
        offset: u32,
        width: Width,
        value: u32,
        cx: &mut Context<'_>,
    ) -> Result<(), Breach> {
        self.settle(cx.now);
        let at = offset & !3;
        let Some((name, bits)) = describe(at) else {
            return Err(Breach::new("RCC", offset, "no such register"));
        };
        let old = self.registers.get(at);
        let new = merge(old, offset, width, value) & bits | old & !bits;
        let breach = |rule| Err(Breach::new(name, new, rule));
        let new = match at {
            CR => self.prepare_cr(old, new, cx.now)?,
            CFGR => self.prepare_cfgr(new, cx.now)?,
            PLLCFGR | PLLSAI1CFGR | PLLSAI2CFGR => self.prepare_pll(at, name, old, new)?,
            CIER if new != 0 => return breach(NO_INTERRUPT),
            AHB1ENR if new & 1 << 8 == 0 => return breach(FLASH_GATE),
            BDCR => self.prepare_bdcr(old, new)?,
            CSR => self.prepare_csr(old, new, merge(0, offset, width, value) & csr::RMVF != 0)?,
            _ => new,
        };
        self.registers.set(at, new);
        self.note_resets(at, new & !old);
        self.turn(cx.now);
        tree::check_plls(&self.registers, &self.oscillators, cx.now, name, new)?;
        self.compute(cx.now);
        Ok(())
    }

    /// Lets oscillators become ready.
    pub fn advance(&mut self, cx: &mut Context<'_>) -> Result<(), Breach> {
        self.settle(cx.now);
        Ok(())
    }

    /// When the next oscillator becomes ready.
    pub fn next(&self) -> Option<Ns> {
        self.due
    }

    fn settle(&mut self, now: Ns) {
        if self.due.is_some_and(|at| at <= now) {
            self.compute(now);
        }
    }

    fn compute(&mut self, now: Ns) {
        self.clocks = tree::clocks(&self.registers, &self.oscillators, now);
        self.due = self.oscillators.next(now);
    }

    /// The bits that hardware sets: what is ready, and where SYSCLK comes from.
    fn status(&self, at: u32, now: Ns) -> u32 {
        let ready = |source, bit| if self.oscillators.is_ready(source, now) { bit } else { 0 };
        match at {
            CR => {
                ready(Source::Msi, cr::MSIRDY)
                    | ready(Source::Hsi, cr::HSIRDY)
                    | ready(Source::Pll, cr::PLLRDY)
                    | ready(Source::PllSai1, cr::PLLSAI1RDY)
                    | ready(Source::PllSai2, cr::PLLSAI2RDY)
            }
            CFGR => (self.registers.get(CFGR) & 3) << 2,
            BDCR => ready(Source::Lse, bdcr::LSERDY),
            CSR => ready(Source::Lsi, csr::LSIRDY),
            _ => 0,
        }
    }

    /// Turns the oscillators as the registers say.
    fn turn(&mut self, now: Ns) {
        let (cr, csr, bdcr) =
            (self.registers.get(CR), self.registers.get(CSR), self.registers.get(BDCR));
        for (source, on) in [
            (Source::Msi, cr & cr::MSION),
            (Source::Hsi, cr & cr::HSION),
            (Source::Pll, cr & cr::PLLON),
            (Source::PllSai1, cr & cr::PLLSAI1ON),
            (Source::PllSai2, cr & cr::PLLSAI2ON),
            (Source::Lsi, csr & csr::LSION),
            (Source::Lse, bdcr & bdcr::LSEON),
        ] {
            self.oscillators.turn(source, on != 0, now);
        }
    }

    fn note_resets(&mut self, at: u32, risen: u32) {
        match at {
            AHB1RSTR => self.resets.ahb1 |= risen,
            AHB2RSTR => self.resets.ahb2 |= risen,
            APB1RSTR1 => self.resets.apb1 |= risen,
            APB2RSTR => self.resets.apb2 |= risen,
            _ => {}
        }
    }

    /// What SYSCLK stands on cannot be turned off: hardware keeps the bit (RM0351, RCC_CR).
    fn held(&self) -> u32 {
        match (self.registers.get(CFGR) & 3, self.registers.get(PLLCFGR) & pll::SRC) {
            (0, _) => cr::MSION,
            (1, _) => cr::HSION,
            (3, 1) => cr::PLLON | cr::MSION,
            (3, 2) => cr::PLLON | cr::HSION,
            _ => 0,
        }
    }

    fn prepare_cr(&self, old: u32, new: u32, now: Ns) -> Result<u32, Breach> {
        let is_ready = |source| self.oscillators.is_ready(source, now);
        let range_changes = (old ^ new) & cr::MSIRANGE != 0;
        if range_changes && old & cr::MSION != 0 && !is_ready(Source::Msi) {
            return Err(Breach::new("RCC_CR", new, MSI_NOT_READY));
        }
        if (new & cr::MSIRANGE) >> 4 > 11 {
            return Err(Breach::new("RCC_CR", new, MSI_RANGE));
        }
        let set_only = old & (cr::MSIRGSEL | cr::CSSON);
        // Hardware refuses MSI's lock to LSE before LSE is ready (RM0351, RCC_CR).
        let refused = if is_ready(Source::Lse) { 0 } else { cr::MSIPLLEN };
        Ok((new | set_only | self.held()) & !refused)
    }

    fn prepare_cfgr(&self, new: u32, now: Ns) -> Result<u32, Breach> {
        let is_ready = |source| self.oscillators.is_ready(source, now);
        let ready = match new & 3 {
            0 => is_ready(Source::Msi),
            1 => is_ready(Source::Hsi),
            3 => is_ready(Source::Pll) && self.registers.get(PLLCFGR) & pll::REN != 0,
            _ => false,
        };
        if ready { Ok(new) } else { Err(Breach::new("RCC_CFGR", new, NOT_READY)) }
    }

    fn prepare_pll(&self, at: u32, name: &'static str, old: u32, new: u32) -> Result<u32, Breach> {
        let (changed, on) = (old ^ new, self.registers.get(CR));
        let own = match at {
            PLLCFGR => cr::PLLON,
            PLLSAI1CFGR => cr::PLLSAI1ON,
            _ => cr::PLLSAI2ON,
        };
        if changed & (pll::SRC | pll::M) != 0 && on & cr::ALL_PLLS != 0 {
            return Err(Breach::new(name, new, COMMON_ON));
        }
        if changed & (pll::N | pll::P | pll::Q | pll::R) != 0 && on & own != 0 {
            return Err(Breach::new(name, new, PLL_ON));
        }
        let is_sysclk = at == PLLCFGR && self.registers.get(CFGR) & 3 == 3;
        if is_sysclk && new & pll::REN == 0 {
            return Err(Breach::new(name, new, SYSCLK_OFF));
        }
        Ok(new)
    }

    fn prepare_bdcr(&mut self, old: u32, new: u32) -> Result<u32, Breach> {
        if !self.backup_unlocked {
            return Err(Breach::new("RCC_BDCR", new, BACKUP_LOCKED));
        }
        if new & bdcr::BDRST != 0 {
            return Ok(bdcr::BDRST);
        }
        if old & bdcr::RTCSEL != 0 && (old ^ new) & bdcr::RTCSEL != 0 {
            return Err(Breach::new("RCC_BDCR", new, RTC_CHOSEN));
        }
        Ok(new)
    }

    fn prepare_csr(&self, old: u32, new: u32, remove: bool) -> Result<u32, Breach> {
        let may_change = self.registers.get(CR) & cr::MSIRGSEL != 0;
        let range = (new & csr::MSISRANGE) >> 8;
        if (old ^ new) & csr::MSISRANGE != 0 && !(may_change && (4..=7).contains(&range)) {
            return Err(Breach::new("RCC_CSR", new, MSI_RANGE));
        }
        Ok(if remove { new & !csr::FLAGS } else { new })
    }
}
