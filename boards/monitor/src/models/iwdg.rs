//! The independent watchdog: once started, nothing but a feed in time keeps it from biting.
//!
//! It counts its own 32 kHz, whatever the rest of the chip does. Its registers open by key and
//! cross into the watchdog's clock domain slowly, which is where drivers go wrong: a register
//! that is written before its last value has crossed is lost.

use crate::breach::Breach;
use crate::context::{Context, Ns, Width};
use crate::lanes::{merge, part};

mod offsets {
    pub(super) const KR: u32 = 0x00;
    pub(super) const PR: u32 = 0x04;
    pub(super) const RLR: u32 = 0x08;
    pub(super) const SR: u32 = 0x0C;
    pub(super) const WINR: u32 = 0x10;
}
use offsets::*;

/// One cycle of the 32 kHz LSI.
const LSI: Ns = 31_250;
/// What a register takes to cross into the watchdog's domain, at most (RM0351, IWDG_SR).
const UPDATE: Ns = 5 * LSI;
const MAX: u32 = 0xFFF;

const UNKNOWN_KEY: &str = "keys are 0x5555, 0xAAAA and 0xCCCC (RM0351, IWDG_KR)";
const NO_ACCESS: &str = "PR, RLR and WINR are written after the key 0x5555 (RM0351, IWDG_KR)";
const STILL_UPDATING: &str =
    "a register is not written again while its update bit in IWDG_SR is set (RM0351, IWDG_SR)";

/// The watchdog.
#[derive(Debug, Clone, Copy)]
pub struct Iwdg {
    is_open: bool,
    prescaler: u32,
    reload: u32,
    window: u32,
    /// New values that have not crossed yet, and when they will have.
    new_prescaler: Option<(u32, Ns)>,
    new_reload: Option<(u32, Ns)>,
    new_window: Option<(u32, Ns)>,
    /// Since when it counts, and from what; none when it is not started.
    counting: Option<(Ns, u32)>,
    /// When it was fed too early.
    fed_too_early: Option<Ns>,
    feeds: u32,
}

impl Default for Iwdg {
    fn default() -> Self {
        Self::new()
    }
}

impl Iwdg {
    /// As after reset: not started.
    pub const fn new() -> Self {
        Self {
            is_open: false,
            prescaler: 0,
            reload: MAX,
            window: MAX,
            new_prescaler: None,
            new_reload: None,
            new_window: None,
            counting: None,
            fed_too_early: None,
            feeds: 0,
        }
    }

    /// Whether it was started.
    pub fn is_running(&self) -> bool {
        self.counting.is_some()
    }

    /// How often it was fed since it runs.
    pub fn feeds(&self) -> u32 {
        self.feeds
    }

    /// Whether it resets the chip at `now`, or has.
    pub fn bites(&self, now: Ns) -> bool {
        let mut then = *self;
        then.settle(now);
        then.bite().is_some_and(|at| at <= now)
    }

    /// Reads a register.
    pub fn load(&mut self, offset: u32, width: Width, cx: &mut Context<'_>) -> Result<u32, Breach> {
        self.settle(cx.now);
        let word = match offset & !3 {
            KR => 0,
            PR => self.new_prescaler.map_or(self.prescaler, |(new, _)| new),
            RLR => self.new_reload.map_or(self.reload, |(new, _)| new),
            WINR => self.new_window.map_or(self.window, |(new, _)| new),
            SR => {
                u32::from(self.new_prescaler.is_some())
                    | u32::from(self.new_reload.is_some()) << 1
                    | u32::from(self.new_window.is_some()) << 2
            }
            _ => return Err(Breach::new("IWDG", offset, "no such register")),
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
        let value = merge(0, offset, width, value);
        match offset & !3 {
            KR => self.key(value & 0xFFFF, cx.now),
            PR => {
                self.may_write("IWDG_PR", value, self.new_prescaler.is_some())?;
                self.new_prescaler = Some((value & 7, self.crossed(cx.now)));
                self.settle(cx.now);
                Ok(())
            }
            RLR => {
                self.may_write("IWDG_RLR", value, self.new_reload.is_some())?;
                self.new_reload = Some((value & MAX, self.crossed(cx.now)));
                self.settle(cx.now);
                Ok(())
            }
            WINR => {
                self.may_write("IWDG_WINR", value, self.new_window.is_some())?;
                self.new_window = Some((value & MAX, self.crossed(cx.now)));
                self.settle(cx.now);
                // A window is set together with a fresh count (RM0351, IWDG window option).
                self.counting = self.counting.map(|_| (cx.now, self.reload));
                Ok(())
            }
            SR => Err(Breach::new("IWDG_SR", value, "IWDG_SR is read-only (RM0351, IWDG_SR)")),
            _ => Err(Breach::new("IWDG", offset, "no such register")),
        }
    }

    /// Lets new values cross.
    pub fn advance(&mut self, cx: &mut Context<'_>) -> Result<(), Breach> {
        self.settle(cx.now);
        Ok(())
    }

    /// When a new prescaler has crossed or it bites, whichever is sooner.
    pub fn next(&self) -> Option<Ns> {
        [self.new_prescaler.map(|(_, at)| at), self.bite()].into_iter().flatten().min()
    }

    fn key(&mut self, key: u32, now: Ns) -> Result<(), Breach> {
        match key {
            0x5555 => self.is_open = true,
            0xAAAA => {
                self.is_open = false;
                self.feed(now);
            }
            0xCCCC => {
                self.is_open = false;
                // It starts from its reset value; the first feed brings RLR (RM0351, IWDG).
                self.counting = self.counting.or(Some((now, MAX)));
            }
            _ => return Err(Breach::new("IWDG_KR", key, UNKNOWN_KEY)),
        }
        Ok(())
    }

    fn feed(&mut self, now: Ns) {
        let Some(count) = self.count(now) else { return };
        if count > self.window {
            self.fed_too_early = self.fed_too_early.or(Some(now));
        }
        if self.bite().is_none_or(|at| at > now) {
            self.feeds = self.feeds.saturating_add(1);
            self.counting = Some((now, self.reload));
        }
    }

    fn may_write(&self, register: &'static str, value: u32, updates: bool) -> Result<(), Breach> {
        if !self.is_open {
            Err(Breach::new(register, value, NO_ACCESS))
        } else if updates {
            Err(Breach::new(register, value, STILL_UPDATING))
        } else {
            Ok(())
        }
    }

    /// When a value written now has crossed: at once while it does not run.
    fn crossed(&self, now: Ns) -> Ns {
        if self.is_running() { now.saturating_add(UPDATE) } else { now }
    }

    /// One count.
    fn tick(&self) -> Ns {
        LSI << (2 + self.prescaler.min(6))
    }

    fn count(&self, now: Ns) -> Option<u32> {
        let (since, from) = self.counting?;
        let ticks = now.saturating_sub(since) / self.tick();
        Some(from.saturating_sub(u32::try_from(ticks).unwrap_or(MAX)))
    }

    /// When it bites: a tick after the count of zero, or when it was fed too early.
    fn bite(&self) -> Option<Ns> {
        let (since, from) = self.counting?;
        let end = since.saturating_add((Ns::from(from) + 1) * self.tick());
        Some(self.fed_too_early.map_or(end, |early| early.min(end)))
    }

    fn settle(&mut self, now: Ns) {
        if let Some((new, at)) = self.new_prescaler
            && at <= now
        {
            // The count goes on from where it is, at the new rate.
            self.counting = self.counting.zip(self.count(at)).map(|(_, count)| (at, count));
            (self.prescaler, self.new_prescaler) = (new, None);
        }
        if let Some((new, at)) = self.new_reload
            && at <= now
        {
            (self.reload, self.new_reload) = (new, None);
        }
        if let Some((new, at)) = self.new_window
            && at <= now
        {
            (self.window, self.new_window) = (new, None);
        }
    }
}

#[cfg(test)]
mod tests;
