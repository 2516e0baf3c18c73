//! A timer that counts up: TIM5 keeps the time, TIM7 the task watchdog's beat.
//!
//! The count is not kept but reckoned from the device's time, so a timer costs nothing while
//! it is not read. Flags are set for all that the counter came past between two looks (RM0351,
//! general-purpose timers TIM2 to TIM5, basic timers TIM6 and TIM7).

mod count;
#[cfg(test)]
mod embassy;
#[cfg(test)]
mod tests;
mod ticks;

use crate::breach::Breach;
use crate::clocks::Clocks;
use crate::context::{Context, Ns, Width};
use crate::lines::Line;
use ticks::Ticks;

/// Registers by their offset (RM0351, TIMx register map).
mod offsets {
    pub(super) const CR1: u32 = 0x00;
    pub(super) const CR2: u32 = 0x04;
    pub(super) const SMCR: u32 = 0x08;
    pub(super) const DIER: u32 = 0x0C;
    pub(super) const SR: u32 = 0x10;
    pub(super) const EGR: u32 = 0x14;
    pub(super) const CCMR1: u32 = 0x18;
    pub(super) const CCMR2: u32 = 0x1C;
    pub(super) const CCER: u32 = 0x20;
    pub(super) const CNT: u32 = 0x24;
    pub(super) const PSC: u32 = 0x28;
    pub(super) const ARR: u32 = 0x2C;
    pub(super) const CCR1: u32 = 0x34;
    pub(super) const CCR4: u32 = 0x40;
}
use offsets::*;

const CEN: u32 = 1 << 0;
const UDIS: u32 = 1 << 1;
const URS: u32 = 1 << 2;
const OPM: u32 = 1 << 3;
/// DIR and CMS: counting down or both ways.
const OTHER_WAYS: u32 = 0b111 << 4;
const ARPE: u32 = 1 << 7;
const UIFREMAP: u32 = 1 << 11;
/// DIER's requests to DMA.
const DMA_REQUESTS: u32 = 0x7F00;
const UIF: u32 = 1 << 0;
const UG: u32 = 1 << 0;
/// UIF and CC1IF to CC4IF; in DIER their enables, in EGR what sets them.
const EVENTS: u32 = 0x1F;

/// One timer.
#[derive(Debug, Clone)]
pub struct Timer {
    line: Line,
    /// The counter's greatest value: TIM5 has 32 bits, TIM7 16.
    top: u32,
    /// Whether it has capture/compare channels.
    channels: bool,
    cr1: u32,
    dier: u32,
    sr: u32,
    /// CR2, SMCR, CCMR1, CCMR2, CCER: kept, without effect.
    kept: [u32; 5],
    ccr: [u32; 4],
    /// PSC and ARR as written, and as the counter uses them.
    psc: u16,
    psc_used: u16,
    arr: u32,
    arr_used: u32,
    /// The count at the last look.
    count: u32,
    ticks: Ticks,
    clock: u32,
    /// Enabled, and neither blocked by ARR = 0 nor without a clock.
    runs: bool,
    /// The part of a tick that had passed when the counter stopped.
    part: Ns,
    /// Ticks that surely bring no event and no overflow; at least one.
    ahead: u32,
    /// When an enabled flag will next be set; `Ns::MAX` is never.
    due: Ns,
}

impl Timer {
    /// After reset. `line` says which: TIM7 is a basic timer, others are as TIM5.
    pub const fn new(line: Line) -> Self {
        let basic = matches!(line, Line::Tim7);
        let top = if basic { 0xFFFF } else { u32::MAX };
        Self {
            line,
            top,
            channels: !basic,
            cr1: 0,
            dier: 0,
            sr: 0,
            kept: [0; 5],
            ccr: [0; 4],
            psc: 0,
            psc_used: 0,
            arr: top,
            arr_used: top,
            count: 0,
            ticks: Ticks::stopped(),
            clock: 0,
            runs: false,
            part: 0,
            ahead: u32::MAX,
            due: Ns::MAX,
        }
    }

    /// Reads a register.
    pub fn load(&mut self, offset: u32, width: Width, cx: &mut Context<'_>) -> Result<u32, Breach> {
        self.look(cx);
        if offset == CNT && width == Width::Word {
            return Ok(self.cnt());
        }
        let part = Part::of(offset, width)?;
        let value = match part.register {
            CR1 => self.cr1,
            DIER => self.dier,
            SR => self.sr,
            EGR => 0,
            CNT => self.cnt(),
            PSC => self.psc.into(),
            ARR => self.arr,
            CR2 => self.kept[0],
            SMCR..=CCR4 if !self.channels => return Err(unknown(offset)),
            CCR1..=CCR4 => self.ccr.get(channel(part.register)).copied().unwrap_or(0),
            SMCR => self.kept[1],
            CCMR1 => self.kept[2],
            CCMR2 => self.kept[3],
            CCER => self.kept[4],
            _ => return Err(unknown(offset)),
        };
        Ok(part.take(value))
    }

    /// Writes a register.
    pub fn store(
        &mut self,
        offset: u32,
        width: Width,
        value: u32,
        cx: &mut Context<'_>,
    ) -> Result<(), Breach> {
        self.look(cx);
        let part = Part::of(offset, width)?;
        match part.register {
            CR1 => self.store_cr1(part.put(self.cr1, value), cx.now)?,
            DIER => self.store_dier(part.put(self.dier, value))?,
            // Zeros clear; the half that is not written stays.
            SR => self.sr &= part.put(u32::MAX, value),
            EGR => self.generate(part.put(0, value), cx.now),
            CNT => self.count = part.put(self.count, value) & self.top,
            PSC => self.psc = part.put(self.psc.into(), value) as u16,
            ARR => self.store_arr(part.put(self.arr, value), cx.now),
            CR2 => self.kept[0] = part.put(self.kept[0], value),
            SMCR..=CCR4 if !self.channels => return Err(unknown(offset)),
            CCR1..=CCR4 => {
                if let Some(ccr) = self.ccr.get_mut(channel(part.register)) {
                    *ccr = part.put(*ccr, value);
                }
            }
            SMCR => {
                // SMS, its high bit and ECE choose another clock than the internal one.
                let smcr = part.put(self.kept[1], value);
                if smcr & 0x0001_4007 != 0 {
                    return Err(Breach::new("TIM_SMCR", smcr, "slave modes are not modelled"));
                }
                self.kept[1] = smcr;
            }
            CCMR1 => self.kept[2] = part.put(self.kept[2], value),
            CCMR2 => self.kept[3] = part.put(self.kept[3], value),
            CCER => self.kept[4] = part.put(self.kept[4], value),
            _ => return Err(unknown(offset)),
        }
        self.settle(cx);
        Ok(())
    }

    /// Counts up to now.
    pub fn advance(&mut self, cx: &mut Context<'_>) -> Result<(), Breach> {
        self.look(cx);
        Ok(())
    }

    /// When a flag whose interrupt is enabled will newly be set.
    pub fn next(&self) -> Option<Ns> {
        (self.due != Ns::MAX).then_some(self.due)
    }

    /// CNT, with the copy of UIF where that is asked for.
    fn cnt(&self) -> u32 {
        if self.cr1 & UIFREMAP == 0 {
            return self.count;
        }
        self.count & !(1 << 31) | (self.sr & UIF) << 31
    }

    fn store_cr1(&mut self, value: u32, now: Ns) -> Result<(), Breach> {
        if self.channels && value & OTHER_WAYS != 0 {
            return Err(Breach::new("TIM_CR1", value, "only counting up is modelled"));
        }
        self.cr1 = value & if self.channels { 0x0BFF } else { 0x088F };
        if self.cr1 & ARPE == 0 {
            self.arr_used = self.arr;
        }
        self.run_or_stand(now);
        Ok(())
    }

    fn store_dier(&mut self, value: u32) -> Result<(), Breach> {
        if value & DMA_REQUESTS != 0 {
            return Err(Breach::new("TIM_DIER", value, "a timer's DMA requests are not modelled"));
        }
        self.dier = value & if self.channels { 0x5F } else { UIF };
        Ok(())
    }

    fn store_arr(&mut self, value: u32, now: Ns) {
        self.arr = value & self.top;
        if self.cr1 & ARPE == 0 {
            self.arr_used = self.arr;
            self.run_or_stand(now);
        }
    }

    /// EGR: events by software.
    fn generate(&mut self, value: u32, now: Ns) {
        if self.channels {
            self.sr |= value & EVENTS & !UIF;
        }
        if value & UG == 0 {
            return;
        }
        // Counter and prescaler begin again even where UDIS keeps the event back.
        self.count = 0;
        self.part = 0;
        if self.cr1 & UDIS == 0 {
            self.take_over();
            if self.cr1 & URS == 0 {
                self.sr |= UIF;
            }
        }
        self.ticks.start(now, self.clock, self.psc_used);
        self.run_or_stand(now);
    }

    /// An update event: PSC and ARR as written are now those in use.
    fn take_over(&mut self) {
        self.psc_used = self.psc;
        self.arr_used = self.arr;
    }

    /// Lets the counter run or stand, as its registers say.
    fn run_or_stand(&mut self, now: Ns) {
        // A counter whose auto-reload value is null is blocked (RM0351, TIMx_ARR).
        let runs = self.cr1 & CEN != 0 && self.arr_used != 0 && self.clock != 0;
        if runs && !self.runs {
            self.ticks.resume(now, self.part);
        } else if !runs && self.runs {
            self.part = self.ticks.part(now);
        }
        self.runs = runs;
    }

    /// The clock was changed: ticks are of another length from now on.
    #[cold]
    fn reclock(&mut self, clock: u32, now: Ns) {
        self.clock = clock;
        self.part = 0;
        self.ticks.start(now, clock, self.psc_used);
        self.run_or_stand(now);
    }

    /// After any change: how far nothing happens, when something will, and the line.
    fn settle(&mut self, cx: &mut Context<'_>) {
        self.ahead = u32::try_from(self.nearest(EVENTS).min(self.to_zero())).unwrap_or(u32::MAX);
        let waited = self.dier & !self.sr & EVENTS;
        self.due = match self.runs && waited != 0 {
            true => self.ticks.time_of(self.nearest(waited)),
            false => Ns::MAX,
        };
        cx.lines.set(self.line, self.sr & self.dier & EVENTS != 0);
    }
}

/// A timer's clock is that of its bus, or double where the bus has a prescaler (RM0351, clock tree).
fn timer_clock(clocks: &Clocks) -> u32 {
    match clocks.hclk == clocks.pclk1 {
        true => clocks.pclk1,
        false => clocks.pclk1.saturating_mul(2),
    }
}

fn channel(register: u32) -> usize {
    (register.saturating_sub(CCR1) / 4) as usize
}

fn unknown(offset: u32) -> Breach {
    Breach::new("TIM", offset, "no such register")
}

/// Which half of a register an access takes, or the whole.
#[derive(Clone, Copy)]
struct Part {
    register: u32,
    shift: u32,
    mask: u32,
}

impl Part {
    fn of(offset: u32, width: Width) -> Result<Self, Breach> {
        let shift = (offset & 2) * 8;
        match width {
            Width::Word if offset & 3 == 0 => {
                Ok(Self { register: offset, shift: 0, mask: u32::MAX })
            }
            Width::Half if offset & 1 == 0 => {
                Ok(Self { register: offset & !3, shift, mask: 0xFFFF << shift })
            }
            _ => {
                let rule = "a timer's registers take words and half-words (RM0351, TIMx registers)";
                Err(Breach::new("TIM", offset, rule))
            }
        }
    }

    fn take(self, value: u32) -> u32 {
        (value & self.mask) >> self.shift
    }

    fn put(self, old: u32, value: u32) -> u32 {
        old & !self.mask | value << self.shift & self.mask
    }
}
