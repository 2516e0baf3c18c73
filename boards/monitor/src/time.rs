//! The device's time, on SysTick: the only timer that QEMU's machine has.
//!
//! SysTick counts 80 MHz of QEMU's time. It is loaded with the wait until the next event and
//! then set to go on with the longest period, so that a handler that comes late loses nothing.
//!
//! The monitor's own work takes no time ([`Time::enter`], [`Time::leave`]): on silicon there is no
//! trap. Where QEMU counts instructions, the count is held meanwhile. Where it does not, time is
//! the host's, and what the monitor took is dropped from it. So is a stall of the host, which the
//! device cannot have: lateness of an alarm beyond `LATE`. Frames would fill the FIFO of the CAN
//! controller in it, and a timer of 16 bits would lose its periods.

use crate::context::Ns;

/// The longest period SysTick has.
pub const LONGEST: u32 = 0x00FF_FFFF;
/// Ticks of a microsecond.
pub const PER_US: u32 = 80;
/// How late an alarm may be before the rest counts as the host's: 200 us, less than a frame on
/// the bus takes.
const LATE: u32 = 200 * PER_US;
/// What passes between two looks at a count that stands: 2 us. A host takes longer for a trap.
const CRAWL: u64 = 2 * PER_US as u64;
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
    /// Holds the count where it is.
    fn stop(&mut self);
    /// Lets it go on.
    fn run(&mut self);
}

/// Ticks as nanoseconds: 12.5 each.
pub const fn ns(ticks: u64) -> Ns {
    ticks * 12 + ticks / 2
}

/// Nanoseconds as ticks, rounded up: an alarm never comes early.
pub const fn ticks(ns: Ns) -> u64 {
    (ns / 25) * 2 + ((ns % 25) * 2).div_ceil(25)
}

/// Whether `count` is after `last`. A base before time zero has wrapped, so the sign decides.
const fn is_after(count: u64, last: u64) -> bool {
    count.wrapping_sub(last) as i64 > 0
}

/// The later of the two.
const fn later(count: u64, last: u64) -> u64 {
    if is_after(count, last) { count } else { last }
}

/// The device's clock and its one alarm.
#[derive(Debug)]
pub struct Time<C> {
    counter: C,
    /// Ticks before the running period; less than none after a first period full of traps.
    base: u64,
    /// What the running period was loaded with.
    loaded: u32,
    /// RVR holds the longest period already.
    long: bool,
    /// The period that was loaded has run out; its interrupt was taken.
    taken: bool,
    /// The last time returned.
    last: u64,
    /// QEMU counts instructions: no lateness is the host's.
    exact: bool,
    /// Shortest wait: QEMU stretches shorter ones when it does not count instructions.
    shortest: u64,
    /// When the alarm rings, in ticks of the count.
    armed: u64,
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
            last: 0,
            exact,
            shortest,
            armed: 0,
        };
        time.load(FARTHEST);
        time.settle();
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
        let mut count = self.base.wrapping_add(elapsed);
        if !self.exact && !is_after(count, self.last) {
            // A period that was just loaded begins when QEMU's main loop comes to it, and on a
            // busy host that takes milliseconds. Until then time crawls: it must not stand, or
            // an image that polls a bounded number of times gives up.
            count = self.last + CRAWL;
            self.base = count.wrapping_sub(elapsed);
        }
        self.last = later(count, self.last);
        self.last
    }

    /// The running period counts no more: time goes on from here.
    fn fold(&mut self, elapsed: u64) {
        self.base = later(self.base.wrapping_add(elapsed), self.last);
        self.last = self.base;
    }

    /// Starts the shortest period at once: the alarm is overdue.
    fn load_anew(&mut self) {
        let wait = self.shortest;
        self.load_period(wait);
        self.settle();
    }

    fn load_period(&mut self, wait: u64) {
        self.loaded = (wait as u32).saturating_sub(1); // at most FARTHEST, which fits
        self.counter.set_reload(self.loaded);
        self.counter.restart();
        self.long = false;
        self.taken = false;
    }

    /// The first count loads the period; from then on the longest may stand behind it.
    fn settle(&mut self) {
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

    /// The monitor begins to work: device time now.
    pub fn enter(&mut self) -> Ns {
        if self.exact {
            self.counter.stop();
        }
        self.now()
    }

    /// Device time now. It never goes back.
    pub fn now(&mut self) -> Ns {
        ns(self.count())
    }

    /// The monitor's work is done: the image goes on, and the alarm rings at `at` or earlier.
    pub fn leave(&mut self, at: Ns) {
        self.arm(at);
        self.resume();
    }

    /// The same, with the alarm as it is.
    pub fn resume(&mut self) {
        if self.exact {
            self.counter.run();
        } else {
            self.drop_own_time();
        }
        if !self.long && !self.taken {
            self.settle();
        }
    }

    /// Goes on from the last time returned, whatever the host's clock has done since.
    fn drop_own_time(&mut self) {
        let elapsed = self.elapsed();
        self.base = self.last.wrapping_sub(elapsed);
    }

    /// SysTick's interrupt was taken: the period has run out.
    pub fn rang(&mut self) {
        if !self.long {
            self.taken = true;
        }
        self.armed = 0;
    }

    /// Lets the alarm ring at `at`. An alarm that rings earlier is left, because loading a period
    /// costs more than a ring; its handler looks at the time.
    fn arm(&mut self, at: Ns) {
        let due = ticks(at);
        if self.armed > self.last && self.armed <= due {
            return;
        }
        if self.exact {
            let elapsed = self.elapsed();
            self.fold(elapsed);
        } else {
            self.base = self.last;
        }
        self.load(due.saturating_sub(self.base));
    }

    /// The registers, for one who stops and starts the count.
    pub fn counter(&mut self) -> &mut C {
        &mut self.counter
    }
}

#[cfg(test)]
mod tests;
