//! FLASH_ACR: wait states against the clock, and the caches against the array.
//!
//! Two rules that cost boards their life and that no register read shows. With too few wait
//! states the processor fetches what is not yet there. With the data cache on while one bank is
//! programmed and the other read, the cache takes wrong lines (errata sheet, "Data cache might be
//! corrupted during flash memory read-while-write operation"); and lines that it took before the
//! operation are stale after it.

use super::registers::acr::*;
use crate::breach::Breach;

pub(super) const TOO_MANY_WAIT_STATES: &str = "LATENCY is at most 4 wait states (RM0351 3.7.1)";
pub(super) const RESET_WHILE_ON: &str =
    "a cache is reset only while it is disabled: DCRST, ICRST (RM0351 3.7.1)";
pub(super) const CACHE_DURING_OPERATION: &str = "data cache on while flash is programmed or erased: \
    turn DCEN off, then DCRST (RM0351, read-while-write; errata sheet, data cache corruption)";
pub(super) const STALE_CACHE: &str =
    "data cache on again after a flash operation without DCRST: its lines are stale (RM0351 3.3.4)";
pub(super) const POWER_DOWN: &str =
    "flash is not powered down under code that runs from it (RM0351, FLASH_ACR RUN_PD)";

/// Wait states that `hclk` needs in voltage range 1, and the rule (RM0351 3.3.3).
const fn needed(hclk: u32) -> (u32, &'static str) {
    match hclk {
        0..=16_000_000 => (0, ""),
        16_000_001..=32_000_000 => {
            (1, "HCLK above 16 up to 32 MHz needs 1 wait state (RM0351 3.3.3)")
        }
        32_000_001..=48_000_000 => {
            (2, "HCLK above 32 up to 48 MHz needs 2 wait states (RM0351 3.3.3)")
        }
        48_000_001..=64_000_000 => {
            (3, "HCLK above 48 up to 64 MHz needs 3 wait states (RM0351 3.3.3)")
        }
        64_000_001..=80_000_000 => {
            (4, "HCLK above 64 up to 80 MHz needs 4 wait states (RM0351 3.3.3)")
        }
        _ => (u32::MAX, "HCLK above 80 MHz: no number of wait states is enough (RM0351 3.3.3)"),
    }
}

fn check_latency(
    wait_states: u32,
    hclk: u32,
    register: &'static str,
    value: u32,
) -> Result<(), Breach> {
    let (needed, rule) = needed(hclk);
    if wait_states < needed { Err(Breach::new(register, value, rule)) } else { Ok(()) }
}

/// FLASH_ACR and what it means for the data cache.
#[derive(Debug, Clone)]
pub(super) struct Access {
    acr: u32,
    /// Flash has changed since the data cache was last on.
    has_changed: bool,
    /// The data cache was reset since it was last on.
    is_flushed: bool,
}

impl Access {
    pub(super) const fn new() -> Self {
        Self { acr: RESET, has_changed: false, is_flushed: false }
    }

    pub(super) fn read(&self) -> u32 {
        self.acr
    }

    pub(super) fn wait_states(&self) -> u32 {
        self.acr & LATENCY
    }

    pub(super) fn check_clock(
        &self,
        hclk: u32,
        register: &'static str,
        value: u32,
    ) -> Result<(), Breach> {
        check_latency(self.wait_states(), hclk, register, value)
    }

    pub(super) fn write(&mut self, value: u32, hclk: u32, is_busy: bool) -> Result<(), Breach> {
        let old = self.acr;
        let breach = |rule| Err(Breach::new("FLASH_ACR", value, rule));
        if value & LATENCY > 4 {
            return breach(TOO_MANY_WAIT_STATES);
        }
        check_latency(value & LATENCY, hclk, "FLASH_ACR", value)?;
        if value & RUN_PD != 0 {
            return breach(POWER_DOWN);
        }
        let on = old | value;
        if value & DCRST != 0 && on & DCEN != 0 || value & ICRST != 0 && on & ICEN != 0 {
            return breach(RESET_WHILE_ON);
        }
        if value & DCEN != 0 && old & DCEN == 0 {
            if is_busy {
                return breach(CACHE_DURING_OPERATION);
            }
            if self.has_changed && !self.is_flushed {
                return breach(STALE_CACHE);
            }
            self.has_changed = false;
        }
        if value & DCEN != 0 {
            self.is_flushed = false;
        } else if value & DCRST != 0 {
            self.is_flushed = true;
        }
        self.acr = value & ALL;
        Ok(())
    }

    /// An operation starts; `register` and `value` have started it.
    pub(super) fn start(&mut self, register: &'static str, value: u32) -> Result<(), Breach> {
        if self.acr & DCEN != 0 {
            return Err(Breach::new(register, value, CACHE_DURING_OPERATION));
        }
        self.has_changed = true;
        Ok(())
    }
}
