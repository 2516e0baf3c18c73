//! Ticks of a timer's counter, reckoned from the device's time.
//!
//! A whole number of ticks takes a whole number of nanoseconds, in lowest terms. The origin
//! moves on by just that, so nothing is rounded away, however long the device runs.

use crate::context::Ns;

const NANOSECONDS: u64 = 1_000_000_000;

/// The time base behind a counter.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ticks {
    /// The time from which `taken` and further ticks count; a tick began here.
    origin: Ns,
    /// Ticks since `origin` that the counter has, fewer than `ticks`.
    taken: u64,
    /// This number of ticks ...
    ticks: u64,
    /// ... takes this number of nanoseconds; zero while the clock is off.
    span: u64,
    /// One tick's length where that is a whole number and short, else zero. Two thirds of all
    /// accesses to the chip ask for the count, and dividing 32 bits is one instruction.
    short: u32,
}

impl Ticks {
    /// No clock.
    pub(super) const fn stopped() -> Self {
        Self { origin: 0, taken: 0, ticks: 1, span: 0, short: 0 }
    }

    /// Ticks from now on at `clock` / (`prescaler` + 1); a tick begins now.
    pub(super) fn start(&mut self, now: Ns, clock: u32, prescaler: u16) {
        let (clock, span) = (u64::from(clock), NANOSECONDS * (u64::from(prescaler) + 1));
        if clock == 0 {
            *self = Self { origin: now, ..Self::stopped() };
            return;
        }
        let common = common_divisor(clock, span);
        let (ticks, span) = (clock / common, span / common);
        let short = if ticks == 1 { u32::try_from(span).unwrap_or(0) } else { 0 };
        *self = Self { origin: now, taken: 0, ticks, span, short };
    }

    /// Full ticks since the last that was taken.
    #[inline]
    pub(super) fn passed(&self, now: Ns) -> u64 {
        let since = now.saturating_sub(self.origin);
        match u32::try_from(since).ok().and_then(|since| since.checked_div(self.short)) {
            Some(ticks) => u64::from(ticks),
            None => self.passed_in_long(since),
        }
    }

    #[cold]
    fn passed_in_long(&self, since: Ns) -> u64 {
        let Some(whole) = since.checked_div(self.span) else { return 0 };
        let rest = since % self.span;
        let full = whole.saturating_mul(self.ticks);
        full.saturating_add(rest.saturating_mul(self.ticks) / self.span).saturating_sub(self.taken)
    }

    /// Adds ticks to the counter.
    #[inline]
    pub(super) fn take(&mut self, ticks: u64) {
        if self.ticks == 1 {
            self.origin = self.origin.saturating_add(ticks.saturating_mul(self.span));
            return;
        }
        let taken = self.taken.saturating_add(ticks);
        self.origin = self.origin.saturating_add((taken / self.ticks).saturating_mul(self.span));
        self.taken = taken % self.ticks;
    }

    /// The time at which this number of further ticks is full.
    pub(super) fn time_of(&self, ticks: u64) -> Ns {
        let span = self.taken.saturating_add(ticks).saturating_mul(self.span);
        self.origin.saturating_add(span.div_ceil(self.ticks))
    }

    /// The part of a tick that has passed when the counter stops, all taken.
    pub(super) fn part(&self, now: Ns) -> Ns {
        now.saturating_sub(self.origin)
    }

    /// The counter stood still since `part` of a tick had passed.
    pub(super) fn resume(&mut self, now: Ns, part: Ns) {
        self.origin = now.saturating_sub(part);
    }
}

fn common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
