//! How the counter goes on, and what it comes past.

use super::{CEN, OPM, Timer, UDIS, UIF, timer_clock};
use crate::context::{Context, Ns};

impl Timer {
    /// Brings the count up to now.
    #[inline]
    pub(super) fn look(&mut self, cx: &mut Context<'_>) {
        let clock = timer_clock(cx.clocks);
        if clock != self.clock {
            if self.runs {
                self.come_past(cx.now);
            }
            self.reclock(clock, cx.now);
            self.settle(cx);
        }
        if !self.runs {
            return;
        }
        let ticks = self.ticks.passed(cx.now);
        if ticks < u64::from(self.ahead) {
            self.count = self.count.wrapping_add(ticks as u32);
            self.ahead -= ticks as u32;
            self.ticks.take(ticks);
            return;
        }
        self.come_past(cx.now);
        self.settle(cx);
    }

    /// Sets the flags of all that the counter comes past until now.
    fn come_past(&mut self, now: Ns) {
        let ticks = self.ticks.passed(now);
        let update = self.to_update();
        // What an update event takes over, or ends, divides the way: up to it and from it.
        let divided = self.psc != self.psc_used || self.arr != self.arr_used || self.one_pulse();
        if !divided || ticks < update || self.cr1 & UDIS != 0 {
            self.go(ticks);
            return;
        }
        let at = self.ticks.time_of(update);
        self.go(update);
        self.take_over();
        self.ticks.start(at, self.clock, self.psc_used);
        if self.one_pulse() {
            self.cr1 &= !CEN;
        }
        self.run_or_stand(at);
        if self.runs {
            self.go(self.ticks.passed(now));
        }
    }

    fn one_pulse(&self) -> bool {
        self.cr1 & OPM != 0
    }

    /// Goes on by a number of ticks, at one rate and with one reload value.
    fn go(&mut self, ticks: u64) {
        for event in (0..5).map(|bit| 1 << bit) {
            if self.reachable(event) && ticks >= self.distance(event) {
                self.sr |= event;
            }
        }
        let lap = self.to_zero();
        self.count = match ticks.checked_sub(lap) {
            None => self.count.wrapping_add(ticks as u32),
            Some(over) => (over % (u64::from(self.arr_used) + 1)) as u32,
        };
        self.ticks.take(ticks);
    }

    /// Ticks to the nearest of these events; `u64::MAX` where none can come.
    pub(super) fn nearest(&self, events: u32) -> u64 {
        (0..5)
            .map(|bit| 1 << bit)
            .filter(|event| events & event != 0 && self.reachable(*event))
            .map(|event| self.distance(event))
            .min()
            .unwrap_or(u64::MAX)
    }

    fn reachable(&self, event: u32) -> bool {
        if event == UIF { self.cr1 & UDIS == 0 } else { self.channels }
    }

    fn distance(&self, event: u32) -> u64 {
        match event {
            UIF => self.to_update(),
            _ => self.to_match(self.ccr[(event.trailing_zeros() as usize - 1) & 3]),
        }
    }

    /// Ticks until the counter is zero again.
    pub(super) fn to_zero(&self) -> u64 {
        // A counter beyond its reload value runs on to its end.
        let last = if self.count <= self.arr_used { self.arr_used } else { self.top };
        u64::from(last - self.count) + 1
    }

    /// Ticks until it overflows at its reload value: the update event.
    fn to_update(&self) -> u64 {
        match self.count <= self.arr_used {
            true => self.to_zero(),
            false => self.to_zero() + u64::from(self.arr_used) + 1,
        }
    }

    /// Ticks until it becomes `ccr`. A value that it has already is met the next time round.
    fn to_match(&self, ccr: u32) -> u64 {
        if ccr > self.count && (ccr <= self.arr_used || self.count > self.arr_used) {
            return u64::from(ccr - self.count);
        }
        if ccr <= self.arr_used {
            return self.to_zero() + u64::from(ccr);
        }
        // Beyond the reload value: with the overflow (RM0351, TIMx_SR, CC1IF).
        self.to_update()
    }
}
