//! The random number generator: a word of noise takes its time, and may fail to come.
//!
//! Words come from the bench, one each 40 periods of the 48 MHz clock. What the manual calls
//! a seed error and a clock error can be made to happen, with the flags that silicon sets.

#[cfg(test)]
mod tests;

use crate::breach::Breach;
use crate::context::{Context, Ns, Width};
use crate::lines::Line;

/// Registers by their offset (RM0351, RNG register map).
mod offsets {
    pub(super) const CR: u32 = 0x00;
    pub(super) const SR: u32 = 0x04;
    pub(super) const DR: u32 = 0x08;
}
use offsets::*;

const RNGEN: u32 = 1 << 2;
const IE: u32 = 1 << 3;
const CED: u32 = 1 << 5;
const DRDY: u32 = 1 << 0;
const CECS: u32 = 1 << 1;
const SECS: u32 = 1 << 2;
const CEIS: u32 = 1 << 5;
const SEIS: u32 = 1 << 6;

/// Periods of the generator's clock that a word takes (RM0351, RNG functional description).
const PERIODS: u64 = 40;

/// What is wrong with the noise source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RngFault {
    /// Nothing.
    None,
    /// Its bits do not change as noise does.
    Seed,
    /// Its clock is too slow.
    Clock,
}

/// The generator.
#[derive(Debug, Clone)]
pub struct Rng {
    cr: u32,
    /// CEIS and SEIS: an error that was, until cleared.
    marks: u32,
    data: Option<u32>,
    /// When the word that is being made will be ready; none is made at `Ns::MAX`.
    ready: Ns,
    fault: RngFault,
    /// A seed error that no new start has mended yet.
    failed: bool,
    /// The bench has no more noise.
    silent: bool,
    /// The bench changed something that the line does not show yet.
    unseen: bool,
}

impl Rng {
    /// After reset.
    pub const fn new() -> Self {
        Self {
            cr: 0,
            marks: 0,
            data: None,
            ready: Ns::MAX,
            fault: RngFault::None,
            failed: false,
            silent: false,
            unseen: false,
        }
    }

    /// A reset through RCC; a fault from outside stays.
    pub fn reset(&mut self) {
        *self = Self { fault: self.fault, ..Self::new() };
    }

    /// Makes something go wrong, or right again.
    pub fn set_fault(&mut self, fault: RngFault) {
        self.fault = fault;
        self.unseen = true;
    }

    /// Reads a register.
    pub fn load(&mut self, offset: u32, width: Width, cx: &mut Context<'_>) -> Result<u32, Breach> {
        words_only(offset, width)?;
        self.advance(cx)?;
        let value = match offset {
            CR => self.cr,
            SR => self.sr(cx),
            DR => self.read_data(cx)?,
            _ => return Err(unknown(offset)),
        };
        self.show(cx);
        Ok(value)
    }

    /// Writes a register.
    pub fn store(
        &mut self,
        offset: u32,
        width: Width,
        value: u32,
        cx: &mut Context<'_>,
    ) -> Result<(), Breach> {
        words_only(offset, width)?;
        self.advance(cx)?;
        match offset {
            CR => self.control(value, cx)?,
            // Zeros clear; all else is read only.
            SR => self.marks &= value,
            DR => return Err(Breach::new("RNG_DR", value, "the data register is read only")),
            _ => return Err(unknown(offset)),
        }
        self.show(cx);
        Ok(())
    }

    /// Makes the word that is due.
    pub fn advance(&mut self, cx: &mut Context<'_>) -> Result<(), Breach> {
        self.notice(cx);
        if self.ready <= cx.now && !self.slow(cx) {
            self.ready = Ns::MAX;
            self.data = cx.outside.noise();
            self.silent = self.data.is_none();
        }
        self.show(cx);
        Ok(())
    }

    /// When the line may change. Without the interrupt nothing waits: a look finds the word.
    pub fn next(&self) -> Option<Ns> {
        if self.cr & IE == 0 {
            return None;
        }
        if self.unseen { Some(0) } else { (self.ready != Ns::MAX).then_some(self.ready) }
    }

    /// CR: on and off.
    fn control(&mut self, value: u32, cx: &mut Context<'_>) -> Result<(), Breach> {
        let value = value & (RNGEN | IE | CED);
        let was_on = self.cr & RNGEN != 0;
        if was_on && (value ^ self.cr) & CED != 0 {
            let rule =
                "clock error detection changes only while the generator is off (RM0351, RNG_CR)";
            return Err(Breach::new("RNG_CR", value, rule));
        }
        self.cr = value;
        if value & RNGEN == 0 {
            self.data = None;
            self.ready = Ns::MAX;
        } else if !was_on {
            self.check_clock(cx)?;
            // A seed error is mended by clearing its mark and switching on again.
            self.failed &= self.marks & SEIS != 0;
            self.notice(cx);
            self.make(cx);
        }
        Ok(())
    }

    /// Switched on, the generator has its clock of 48 MHz (RM0351, RNG clock; too slow is CECS).
    fn check_clock(&self, cx: &Context<'_>) -> Result<(), Breach> {
        let clk48 = cx.clocks.clk48;
        if clk48 == 0 {
            return Err(Breach::new("RNG_CR", self.cr, "RNGEN without its clock (RM0351, RNG)"));
        }
        let about = 47_000_000..=49_000_000;
        if !too_slow(cx) && !about.contains(&clk48) {
            return Err(Breach::new("RNG_CR", clk48, "RNGEN wants 48 MHz (RM0351, RNG)"));
        }
        Ok(())
    }

    /// Begins a word.
    fn make(&mut self, cx: &Context<'_>) {
        if self.cr & RNGEN != 0 && !self.failed && !self.silent {
            let clk48 = u64::from(cx.clocks.clk48).max(1);
            self.ready = cx.now.saturating_add((PERIODS * 1_000_000_000).div_ceil(clk48));
        }
    }

    /// Errors as they are now leave their marks.
    fn notice(&mut self, cx: &Context<'_>) {
        self.unseen = false;
        if self.cr & RNGEN == 0 {
            return;
        }
        if self.fault == RngFault::Seed && !self.failed {
            self.failed = true;
            self.marks |= SEIS;
            self.data = None;
            self.ready = Ns::MAX;
        }
        if self.slow(cx) {
            self.marks |= CEIS;
        }
    }

    /// Whether the clock error detector says so.
    fn slow(&self, cx: &Context<'_>) -> bool {
        let detects = self.cr & (RNGEN | CED) == RNGEN;
        detects && (self.fault == RngFault::Clock || too_slow(cx))
    }

    fn sr(&self, cx: &Context<'_>) -> u32 {
        let flag = |on: bool, bit| if on { bit } else { 0 };
        flag(self.data.is_some(), DRDY)
            | flag(self.slow(cx), CECS)
            | flag(self.failed, SECS)
            | self.marks & (CEIS | SEIS)
    }

    fn read_data(&mut self, cx: &mut Context<'_>) -> Result<u32, Breach> {
        let Some(word) = self.data.take() else {
            // Between the look at DRDY and this read the source may have failed: that is no breach.
            return match self.failed {
                true => Ok(0),
                false => Err(Breach::new("RNG_DR", 0, "data read before DRDY (RM0351, RNG_DR)")),
            };
        };
        self.make(cx);
        Ok(word)
    }

    fn show(&self, cx: &mut Context<'_>) {
        let asks = self.data.is_some() || self.marks & (CEIS | SEIS) != 0;
        cx.lines.set(Line::Rng, self.cr & IE != 0 && asks);
    }
}

impl Default for Rng {
    fn default() -> Self {
        Self::new()
    }
}

/// Below a thirty-second of the processor's clock (RM0351, RNG_SR, CECS).
fn too_slow(cx: &Context<'_>) -> bool {
    cx.clocks.clk48 < cx.clocks.hclk / 32
}

fn words_only(offset: u32, width: Width) -> Result<(), Breach> {
    match width {
        Width::Word => Ok(()),
        _ => Err(Breach::new("RNG", offset, "the generator takes words only (RM0351, RNG)")),
    }
}

fn unknown(offset: u32) -> Breach {
    Breach::new("RNG", offset, "no such register")
}
