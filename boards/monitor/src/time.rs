//! The device's time, on SysTick: the only timer that QEMU's machine has.
//!
//! SysTick counts 80 MHz of QEMU's time. It is loaded with the wait until the next event and
//! then told to go on with the longest period, so that a handler that comes late loses nothing.
//! Device time is that count less what the monitor itself has used ([`Time::give_back`]): a trap
//! takes no time on silicon. When QEMU does not count instructions, a host that stalls is not the
//! device's time either: lateness beyond [`LATE`] is dropped, because a timer of 16 bits on the
//! chip would lose its periods over a stall that silicon cannot have.

use crate::context::Ns;

/// The longest period SysTick has.
pub const LONGEST: u32 = 0x00FF_FFFF;
/// Ticks of a microsecond.
pub const PER_US: u32 = 80;
/// How late an alarm may be before the rest counts as the host's: 2 ms.
const LATE: u32 = 2_000 * PER_US;
/// No alarm is further off: 50 ms.
const FARTHEST: u64 = 50_000 * PER_US as u64;

/// SysTick's registers.
pub trait Counter {
    /// CVR.
    fn current(&self) -> u32;
    /// Sets RVR.
    fn set_reload(&mut self, reload: u32);
    /// Clears CVR, so that the next count loads RVR, then clears a pending interrupt.
    fn restart(&mut self);
    /// Whether the interrupt is pending.
    fn is_pending(&self) -> bool;
}

/// Ticks as nanoseconds: 12.5 each.
pub const fn ns(ticks: u64) -> Ns {
    ticks * 12 + ticks / 2
}

/// Nanoseconds as ticks, rounded up: an alarm never comes early.
pub const fn ticks(ns: Ns) -> u64 {
    (ns / 25) * 2 + ((ns % 25) * 2).div_ceil(25)
}

/// The device's clock and its one alarm.
#[derive(Debug)]
pub struct Time<C> {
    counter: C,
    /// Ticks before the running period.
    base: u64,
    /// What the running period was loaded with.
    loaded: u32,
    /// RVR holds the longest period already.
    long: bool,
    /// The period that was loaded has run out; its interrupt was taken.
    taken: bool,
    /// Ticks that are not the device's.
    foreign: u64,
    /// The last time told.
    last: u64,
    /// QEMU counts instructions: no lateness is the host's.
    exact: bool,
    /// Shortest wait: QEMU stretches shorter ones when it does not count instructions.
    shortest: u64,
    /// When the alarm rings, in ticks of the count.
    armed: u64,
    /// Ticks of a trap that lie before its stamp and after it is given back.
    edges: u64,
    /// The last device time told.
    told: u64,
}

impl<C: Counter> Time<C> {
    /// Time zero, now. `exact` when QEMU counts instructions.
    pub fn start(counter: C, exact: bool) -> Self {
        let shortest = u64::from(PER_US) * if exact { 1 } else { 10 };
        let mut time = Self {
            counter,
            base: 0,
            loaded: 0,
            long: false,
            taken: false,
            foreign: 0,
            last: 0,
            exact,
            shortest,
            armed: 0,
            edges: 0,
            told: 0,
        };
        time.load(FARTHEST);
        time
    }

    /// Ticks since the running period was loaded.
    fn elapsed(&mut self) -> u64 {
        let loaded = self.loaded;
        let mut current = self.counter.current();
        if !self.long {
            let expired = self.taken || self.counter.is_pending();
            if expired {
                // It may have run out between the two reads.
                current = self.counter.current();
                let again = if current == 0 { 0 } else { (loaded + 1).saturating_sub(current) };
                return u64::from(loaded) + 1 + u64::from(again);
            }
            if current == 0 {
                return 0; // not loaded yet
            }
            self.counter.set_reload(LONGEST);
            self.long = true;
        }
        if current > loaded {
            u64::from(loaded) + 1 + u64::from(LONGEST + 1 - current)
        } else {
            u64::from(loaded + 1 - current)
        }
    }

    /// Ticks of the count, with the host's stalls taken out.
    fn count(&mut self) -> u64 {
        let mut elapsed = self.elapsed();
        let limit = u64::from(self.loaded) + u64::from(LATE);
        if !self.exact && elapsed > limit {
            // The count goes on as if the alarm had been that late and no more.
            self.fold(limit);
            self.load_anew();
            elapsed = 0;
        }
        let count = (self.base + elapsed).max(self.last);
        self.last = count;
        count
    }

    fn fold(&mut self, elapsed: u64) {
        self.base = (self.base + elapsed).max(self.last);
        self.last = self.base;
    }

    /// Starts the shortest period at once: the alarm is overdue.
    fn load_anew(&mut self) {
        let wait = self.shortest;
        self.load_period(wait);
    }

    fn load_period(&mut self, wait: u64) {
        self.loaded = (wait as u32).saturating_sub(1); // at most FARTHEST, which fits
        self.counter.set_reload(self.loaded);
        self.counter.restart();
        self.long = false;
        self.taken = false;
        // The first count loads the period; from then on the longest may stand behind it.
        for _ in 0..4 {
            if self.counter.current() != 0 {
                self.counter.set_reload(LONGEST);
                self.long = true;
                return;
            }
        }
    }

    fn load(&mut self, wait: u64) {
        let wait = wait.clamp(self.shortest, FARTHEST);
        self.armed = self.base + wait;
        self.load_period(wait);
    }

    /// The count now, for [`Time::give_back`].
    pub fn stamp(&mut self) -> u64 {
        self.count()
    }

    /// Device time at a stamp. It never goes back.
    pub fn at(&mut self, stamp: u64) -> Ns {
        self.told = stamp.saturating_sub(self.foreign).max(self.told);
        ns(self.told)
    }

    /// Ticks that a trap takes beside what [`Time::give_back`] sees: the way into its handler and
    /// out again.
    pub fn set_edges(&mut self, edges: u64) {
        self.edges = edges;
    }

    /// Device time now.
    pub fn now(&mut self) -> Ns {
        let stamp = self.stamp();
        self.at(stamp)
    }

    /// What has passed since `stamp` was the monitor's own time. Only when instructions are
    /// counted: otherwise time is the host's, and traps take their share of it. The count now.
    pub fn give_back(&mut self, stamp: u64) -> u64 {
        if !self.exact {
            return stamp;
        }
        let count = self.count();
        self.foreign += count.saturating_sub(stamp);
        count
    }

    /// [`Time::give_back`], then [`Time::arm`]: the end of every run of the monitor. After a trap
    /// its way in and out is given back too; a ring comes when the image is not to lose time by
    /// it, and a clock that loses more than passes would never come to the next alarm.
    pub fn finish(&mut self, stamp: u64, at: Ns, trapped: bool) {
        let count = self.give_back(stamp);
        if self.exact && trapped {
            // The way is a mean. Where it is less, what was given back too much must not pile up:
            // a clock far behind what it told would stand still while the image runs.
            let most = count.saturating_sub(self.told) + self.edges;
            self.foreign = (self.foreign + self.edges).min(most);
        }
        self.arm_from(count, at);
    }

    /// SysTick's interrupt was taken: the period has run out.
    pub fn rang(&mut self) {
        if !self.long {
            self.taken = true;
        }
        self.armed = 0;
    }

    /// Lets the alarm ring at `at`, or earlier: whoever hears it looks at the time. An alarm that
    /// rings early is left, because loading a period costs more than a ring.
    pub fn arm(&mut self, at: Ns) {
        let count = self.count();
        self.arm_from(count, at);
    }

    fn arm_from(&mut self, count: u64, at: Ns) {
        let due = ticks(at).saturating_add(self.foreign);
        if self.armed > count && self.armed <= due {
            return;
        }
        let elapsed = self.elapsed();
        self.fold(elapsed);
        let wait = due.saturating_sub(self.base);
        self.load(wait);
    }

    /// The registers, for one who stops and starts the count.
    pub fn counter(&mut self) -> &mut C {
        &mut self.counter
    }
}

#[cfg(test)]
mod tests;
