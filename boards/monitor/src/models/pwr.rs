//! Power control: the core's voltage range, and the lock on the backup domain.
//!
//! What matters to the others is the range, which limits the clock, and DBP, without which a
//! write to `RCC_BDCR` is lost. Pulls in standby and wake-up pins are kept and do nothing.

use crate::breach::Breach;
use crate::context::{Context, Ns, Width};
use crate::lanes::{merge, part};

mod offsets {
    pub(super) const CR1: u32 = 0x00;
    pub(super) const CR2: u32 = 0x04;
    pub(super) const CR3: u32 = 0x08;
    pub(super) const CR4: u32 = 0x0C;
    pub(super) const SR1: u32 = 0x10;
    pub(super) const SR2: u32 = 0x14;
    pub(super) const SCR: u32 = 0x18;
    pub(super) const PUCRA: u32 = 0x20;
    pub(super) const PDCRH: u32 = 0x5C;
}
use offsets::*;

const DBP: u32 = 1 << 8;
const VOS_SHIFT: u32 = 9;
const LPR: u32 = 1 << 14;
const REGLPS: u32 = 1 << 8;
const REGLPF: u32 = 1 << 9;
const VOSF: u32 = 1 << 10;

/// What the regulator takes from range 2 to range 1 (datasheet, wakeup and transition times).
const RISE: Ns = 20_000;

const FORBIDDEN_VOS: &str = "VOS is 1 or 2; the others are forbidden (RM0351, PWR_CR1)";
const TOO_FAST_FOR_RANGE_2: &str = "HCLK is at most 26 MHz in voltage range 2 (RM0351, PWR)";
const WAIT_STATES_IN_RANGE_2: &str =
    "range 2 needs a wait state each from 6, 12 and 18 MHz of HCLK on (RM0351 3.3.3)";
const TOO_FAST_FOR_LPR: &str = "HCLK is at most 2 MHz in low-power run mode (RM0351, PWR)";

/// The core's voltage range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Range {
    /// High performance, as after reset.
    One,
    /// Low power.
    Two,
}

impl Range {
    /// The fastest HCLK the range allows, in hertz.
    pub const fn max_hclk(self) -> u32 {
        match self {
            Self::One => 80_000_000,
            Self::Two => 26_000_000,
        }
    }
}

/// Power control.
#[derive(Debug, Clone)]
pub struct Pwr {
    cr: [u32; 4],
    /// PUCRA, PDCRA, PUCRB and so on to PDCRH.
    pulls: [u16; 16],
    range: Range,
    /// When range 1 will be reached.
    rises: Option<Ns>,
}

impl Default for Pwr {
    fn default() -> Self {
        Self::new()
    }
}

impl Pwr {
    /// As after reset: range 1, the backup domain locked.
    pub const fn new() -> Self {
        Self { cr: [0x200, 0, 0x8000, 0], pulls: [0; 16], range: Range::One, rises: None }
    }

    /// The range the core is in; 2 until the way to 1 is done.
    pub fn range(&self) -> Range {
        self.range
    }

    /// Whether RCC_BDCR and the RTC can be written: passed to RCC.
    pub fn is_backup_unlocked(&self) -> bool {
        self.cr[0] & DBP != 0
    }

    /// Whether the core's voltage stands `hclk`, with flash at this number of wait states.
    /// `register` and `value` are what has set them. Range 1 is flash's matter.
    pub fn check_clock(
        &self,
        hclk: u32,
        wait_states: u32,
        register: &'static str,
        value: u32,
    ) -> Result<(), Breach> {
        if self.cr[0] & LPR != 0 && hclk > 2_000_000 {
            return Err(Breach::new(register, value, TOO_FAST_FOR_LPR));
        }
        let needed = match hclk {
            _ if self.range == Range::One => return Ok(()),
            0..=6_000_000 => 0,
            6_000_001..=12_000_000 => 1,
            12_000_001..=18_000_000 => 2,
            18_000_001..=26_000_000 => 3,
            _ => return Err(Breach::new(register, value, TOO_FAST_FOR_RANGE_2)),
        };
        if wait_states < needed {
            return Err(Breach::new(register, value, WAIT_STATES_IN_RANGE_2));
        }
        Ok(())
    }

    /// Reads a register.
    pub fn load(&mut self, offset: u32, width: Width, cx: &mut Context<'_>) -> Result<u32, Breach> {
        self.settle(cx.now);
        let word = match offset & !3 {
            CR1 => self.cr[0],
            CR2 => self.cr[1],
            CR3 => self.cr[2],
            CR4 => self.cr[3],
            SR1 | SCR => 0,
            SR2 => {
                let low_power = if self.cr[0] & LPR != 0 { REGLPF } else { 0 };
                let rising = if self.rises.is_some() { VOSF } else { 0 };
                REGLPS | low_power | rising
            }
            at @ PUCRA..=PDCRH => self.pull(at).map_or(0, |pull| u32::from(*pull)),
            _ => return Err(Breach::new("PWR", offset, "no such register")),
        };
        Ok(part(word, offset, width))
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
        let merged = |old| merge(old, offset, width, value);
        match offset & !3 {
            CR1 => return self.store_cr1(merged(self.cr[0]), cx),
            CR2 => self.cr[1] = merged(self.cr[1]) & 0x6FF,
            CR3 => self.cr[2] = merged(self.cr[2]) & 0x851F,
            CR4 => self.cr[3] = merged(self.cr[3]) & 0x31F,
            SCR => {} // Clears flags of SR1, none of which rises here: no standby.
            SR1 | SR2 => {
                let rule = "PWR_SR1 and PWR_SR2 are read-only (RM0351, PWR)";
                return Err(Breach::new("PWR_SR", value, rule));
            }
            at @ PUCRA..=PDCRH => {
                if let Some(pull) = self.pull(at) {
                    *pull = (merged(u32::from(*pull)) & 0xFFFF) as u16;
                }
            }
            _ => return Err(Breach::new("PWR", offset, "no such register")),
        }
        Ok(())
    }

    /// Ends the way to range 1.
    pub fn advance(&mut self, cx: &mut Context<'_>) -> Result<(), Breach> {
        self.settle(cx.now);
        Ok(())
    }

    /// When range 1 will be reached.
    pub fn next(&self) -> Option<Ns> {
        self.rises
    }

    fn store_cr1(&mut self, value: u32, cx: &mut Context<'_>) -> Result<(), Breach> {
        let range = match value >> VOS_SHIFT & 3 {
            1 => Range::One,
            2 => Range::Two,
            _ => return Err(Breach::new("PWR_CR1", value, FORBIDDEN_VOS)),
        };
        if cx.clocks.hclk > range.max_hclk() {
            return Err(Breach::new("PWR_CR1", value, TOO_FAST_FOR_RANGE_2));
        }
        if value & LPR != 0 && cx.clocks.hclk > 2_000_000 {
            return Err(Breach::new("PWR_CR1", value, TOO_FAST_FOR_LPR));
        }
        self.cr[0] = value & 0x4707;
        match range {
            Range::Two => (self.range, self.rises) = (Range::Two, None),
            Range::One if self.range == Range::Two && self.rises.is_none() => {
                self.rises = Some(cx.now.saturating_add(RISE));
            }
            Range::One => {}
        }
        Ok(())
    }

    fn pull(&mut self, offset: u32) -> Option<&mut u16> {
        self.pulls.get_mut(((offset - PUCRA) / 4) as usize)
    }

    fn settle(&mut self, now: Ns) {
        if self.rises.is_some_and(|at| at <= now) {
            (self.range, self.rises) = (Range::One, None);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::memory::Bench;

    fn load(pwr: &mut Pwr, bench: &mut Bench, offset: u32) -> u32 {
        pwr.load(offset, Width::Word, &mut bench.cx()).unwrap()
    }

    fn store(pwr: &mut Pwr, bench: &mut Bench, offset: u32, value: u32) -> Result<(), Breach> {
        pwr.store(offset, Width::Word, value, &mut bench.cx())
    }

    #[test]
    fn registers_have_the_manuals_reset_values() {
        let (mut pwr, mut bench) = (Pwr::new(), Bench::new());
        let values = [CR1, CR2, CR3, CR4, SR1, SR2, SCR, PUCRA, PDCRH]
            .map(|offset| load(&mut pwr, &mut bench, offset));
        assert_eq!(values, [0x200, 0, 0x8000, 0, 0, 0x100, 0, 0, 0]);
        assert_eq!(pwr.range(), Range::One);
    }

    #[test]
    fn embassy_unlocks_the_backup_domain_and_reads_it_back() {
        let (mut pwr, mut bench) = (Pwr::new(), Bench::new());
        assert!(!pwr.is_backup_unlocked());
        let cr1 = load(&mut pwr, &mut bench, CR1);
        store(&mut pwr, &mut bench, CR1, cr1 | DBP).unwrap();
        assert_eq!(load(&mut pwr, &mut bench, CR1), 0x300);
        assert!(pwr.is_backup_unlocked());
    }

    #[test]
    fn the_way_to_range_1_takes_20_us_with_vosf_set() {
        let (mut pwr, mut bench) = (Pwr::new(), Bench::new());
        store(&mut pwr, &mut bench, CR1, 2 << VOS_SHIFT).unwrap();
        assert_eq!(pwr.range(), Range::Two);
        store(&mut pwr, &mut bench, CR1, 1 << VOS_SHIFT).unwrap();
        bench.now = 19_999;
        assert_eq!(load(&mut pwr, &mut bench, SR2) & VOSF, VOSF);
        assert_eq!((pwr.range(), pwr.next()), (Range::Two, Some(20_000)));
        bench.now = 20_000;
        pwr.advance(&mut bench.cx()).unwrap();
        assert_eq!((pwr.range(), pwr.next()), (Range::One, None));
        assert_eq!(load(&mut pwr, &mut bench, SR2) & VOSF, 0);
    }

    #[test]
    fn a_forbidden_vos_is_a_breach() {
        for vos in [0, 3] {
            let breach = store(&mut Pwr::new(), &mut Bench::new(), CR1, vos << VOS_SHIFT);
            assert_eq!(breach.unwrap_err().rule, FORBIDDEN_VOS);
        }
    }

    #[test]
    fn range_2_stands_26_mhz_and_low_power_run_2_mhz() {
        let (mut pwr, mut bench) = (Pwr::new(), Bench::new());
        bench.clocks.hclk = 80_000_000;
        let breach = store(&mut pwr, &mut bench, CR1, 2 << VOS_SHIFT).unwrap_err();
        assert_eq!(breach.rule, TOO_FAST_FOR_RANGE_2);
        let breach = store(&mut pwr, &mut bench, CR1, 1 << VOS_SHIFT | LPR).unwrap_err();
        assert_eq!(breach.rule, TOO_FAST_FOR_LPR);
        bench.clocks.hclk = 2_000_000;
        store(&mut pwr, &mut bench, CR1, 2 << VOS_SHIFT | LPR).unwrap();
        assert_eq!(load(&mut pwr, &mut bench, SR2) & REGLPF, REGLPF);
        let breach = pwr.check_clock(4_000_000, 0, "RCC_CR", 0).unwrap_err();
        assert_eq!(breach.rule, TOO_FAST_FOR_LPR);
    }

    #[test]
    fn range_2_needs_more_wait_states_and_range_1_leaves_them_to_flash() {
        let (mut pwr, mut bench) = (Pwr::new(), Bench::new());
        pwr.check_clock(80_000_000, 0, "RCC_CFGR", 3).unwrap();
        store(&mut pwr, &mut bench, CR1, 2 << VOS_SHIFT).unwrap();
        for (hclk, needed) in [(6, 0), (7, 1), (12, 1), (13, 2), (18, 2), (19, 3), (26, 3)] {
            let check = |states| pwr.check_clock(hclk * 1_000_000, states, "RCC_CFGR", 1);
            check(needed).unwrap();
            if needed > 0 {
                assert_eq!(check(needed - 1).unwrap_err().rule, WAIT_STATES_IN_RANGE_2);
            }
        }
        let breach = pwr.check_clock(27_000_000, 4, "RCC_CFGR", 1).unwrap_err();
        assert_eq!(breach.rule, TOO_FAST_FOR_RANGE_2);
    }

    #[test]
    fn pulls_are_kept_each_in_its_own_register() {
        let (mut pwr, mut bench) = (Pwr::new(), Bench::new());
        for offset in (PUCRA..=PDCRH).step_by(4) {
            store(&mut pwr, &mut bench, offset, 0xABCD_0000 | offset).unwrap();
        }
        for offset in (PUCRA..=PDCRH).step_by(4) {
            assert_eq!(load(&mut pwr, &mut bench, offset), offset);
        }
    }

    #[test]
    fn an_offset_beyond_the_block_is_no_register_and_status_is_read_only() {
        let (mut pwr, mut bench) = (Pwr::new(), Bench::new());
        for offset in [0x1C, 0x60] {
            let breach = store(&mut pwr, &mut bench, offset, 0).unwrap_err();
            assert_eq!(breach.rule, "no such register");
        }
        assert!(store(&mut pwr, &mut bench, SR2, 0).is_err());
    }
}
