//! The watchdog for a guest that has masked its interrupts: resets it when it stops feeding.
//!
//! The monitor models the independent watchdog and bites in the device's time. It cannot while
//! the image has all interrupts masked and touches no peripheral; then this thread does, a
//! little later. It counts its own ticks rather than wall time: when the whole machine stalls,
//! guest and thread stall together and no guest is reset for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use super::machine::{Cause, Machine};
use crate::log::Log;
use crate::pins::{Mark, Pins};
use crate::wait::{Waited, Watched};

/// The pin that the monitor turns over at every feed.
pub(super) const PIN: &str = "watchdog";

const TICK: Duration = Duration::from_millis(50);

/// Counts silent ticks since the last feed; knows nothing of threads or guests.
#[derive(Debug)]
struct Patience {
    limit: u32,
    silent: Option<u32>,
}

impl Patience {
    fn new(limit: Duration) -> Self {
        let ticks = limit.as_millis() / TICK.as_millis();
        Self { limit: u32::try_from(ticks).unwrap_or(u32::MAX).max(1), silent: None }
    }

    /// As on silicon: after a reset the watchdog is off until the device starts it.
    fn sleep(&mut self) {
        self.silent = None;
    }

    /// One tick has passed; true when the dog bites.
    fn tick(&mut self, fed: bool) -> bool {
        self.silent = if fed { Some(0) } else { self.silent.map(|ticks| ticks + 1) };
        let bites = self.silent.is_some_and(|ticks| ticks >= self.limit);
        if bites {
            self.sleep();
        }
        bites
    }
}

#[derive(Debug, Default)]
struct Orders {
    stop: bool,
    slept: bool,
}

/// Lets the RESET listener put the dog to sleep.
#[derive(Clone, Default)]
pub(super) struct Leash(Arc<Watched<Orders>>);

impl Leash {
    /// The guest was reset: wait for its first feed again.
    pub(super) fn sleep(&self) {
        self.0.change(|orders| orders.slept = true);
    }
}

/// The thread; dropping it ends it.
pub(super) struct Watchdog {
    leash: Leash,
    thread: Option<JoinHandle<()>>,
}

/// What the watchdog watches, and where it reports.
pub(super) struct Watch {
    /// The guest's pins.
    pub pins: Arc<Pins>,
    /// The guest's log.
    pub log: Arc<Log>,
    /// The guest's machine.
    pub machine: Machine,
    /// How often it has bitten.
    pub bites: Arc<AtomicUsize>,
}

impl Watchdog {
    /// Watches a guest from now on.
    pub(super) fn start(watch: Watch, limit: Duration, leash: Leash) -> Self {
        let held = leash.clone();
        let thread = std::thread::spawn(move || run(&watch, limit, &held));
        Self { leash, thread: Some(thread) }
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.leash.0.change(|orders| orders.stop = true);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join(); // it holds nothing that could be lost
        }
    }
}

fn run(watch: &Watch, limit: Duration, leash: &Leash) {
    let mut patience = Patience::new(limit);
    let mut mark = watch.pins.mark();
    while let Waited::RanOut = leash.0.wait(TICK, |orders| orders.stop.then_some(())) {
        if leash.0.change(|orders| std::mem::take(&mut orders.slept)) {
            patience.sleep();
            mark = watch.pins.mark();
        }
        if !patience.tick(fed_since(&watch.pins, &mut mark)) {
            continue;
        }
        watch.log.note(format!("watchdog: `{PIN}` rested for {} ms, resetting", limit.as_millis()));
        watch.bites.fetch_add(1, Ordering::SeqCst);
        if watch.machine.reset(Cause::Watchdog).is_err() {
            return; // the guest is gone, and with it the reason to watch
        }
    }
}

fn fed_since(pins: &Pins, mark: &mut Mark) -> bool {
    let edges = pins.edges(*mark);
    *mark = mark.after(edges.len());
    edges.iter().any(|edge| edge.pin == PIN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_bites_once_after_the_limit_and_only_when_it_was_fed_before() {
        let mut patience = Patience::new(TICK * 3);
        assert!(
            (0..10).all(|_| !patience.tick(false)),
            "a guest that never fed it is still booting"
        );
        assert!(!patience.tick(true));
        assert!(!patience.tick(false) && !patience.tick(false));
        assert!(patience.tick(false));
        assert!((0..10).all(|_| !patience.tick(false)), "it sleeps until fed again");
    }

    #[test]
    fn a_feed_starts_the_count_anew() {
        let mut patience = Patience::new(TICK * 2);
        for fed in [true, false, true, false, true, false] {
            assert!(!patience.tick(fed));
        }
    }
}
