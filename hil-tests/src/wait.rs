//! Waiting with a deadline, and Ctrl-C as one more way for a wait to end.
//!
//! No part of the bench sleeps: everything waits on a condition that the thread
//! which changes it signals. Waits wake now and then to see an interruption. What can
//! never come any more is not waited for: the thread that knows it ends the wait.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How often a wait looks up to see whether someone pressed Ctrl-C.
const GLANCE: Duration = Duration::from_millis(100);

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Ends every wait of this process; safe to call from a signal thread.
pub fn interrupt() {
    INTERRUPTED.store(true, Ordering::SeqCst);
}

/// Whether someone asked to stop.
pub fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}

/// How a wait ended.
#[derive(Debug, PartialEq, Eq)]
pub enum Waited<T> {
    /// It came.
    Came(T),
    /// It did not come in time.
    RanOut,
    /// Someone pressed Ctrl-C.
    Interrupted,
}

/// State shared with the threads that change it, and the bell they ring.
#[derive(Debug, Default)]
pub struct Watched<T> {
    state: Mutex<T>,
    bell: Condvar,
    vain: AtomicBool,
}

impl<T> Watched<T> {
    /// Shares `state`.
    pub fn new(state: T) -> Self {
        Self { state: Mutex::new(state), bell: Condvar::new(), vain: AtomicBool::new(false) }
    }

    /// Looks at the state.
    pub fn look<R>(&self, look: impl FnOnce(&T) -> R) -> R {
        look(&self.lock())
    }

    /// Changes the state and notifies every wait.
    pub fn change<R>(&self, change: impl FnOnce(&mut T) -> R) -> R {
        let result = change(&mut self.lock());
        self.bell.notify_all();
        result
    }

    /// Nothing more will come, or something may again. In vain, a wait finds what is there
    /// already or has run out at once.
    pub fn give_up(&self, vain: bool) {
        self.vain.store(vain, Ordering::SeqCst);
        // With the lock, so that no wait is between its look and its sleep.
        drop(self.lock());
        self.bell.notify_all();
    }

    /// Waits until `found` finds what it looks for.
    pub fn wait<R>(
        &self,
        within: Duration,
        mut found: impl FnMut(&mut T) -> Option<R>,
    ) -> Waited<R> {
        let deadline = Instant::now() + within;
        let mut state = self.lock();
        loop {
            if let Some(result) = found(&mut state) {
                return Waited::Came(result);
            }
            if interrupted() {
                return Waited::Interrupted;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() || self.vain.load(Ordering::SeqCst) {
                return Waited::RanOut;
            }
            let woken = self.bell.wait_timeout(state, left.min(GLANCE));
            state = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    // A test that panicked in a wait must not stop the others from cleaning up.
    fn lock(&self) -> MutexGuard<'_, T> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn a_wait_ends_when_another_thread_brings_what_it_waits_for() {
        let shared = Arc::new(Watched::new(0));
        let other = Arc::clone(&shared);
        let bringer = std::thread::spawn(move || other.change(|n| *n = 7));
        let seen = shared.wait(Duration::from_secs(10), |n| (*n == 7).then_some(*n));
        bringer.join().unwrap();
        assert_eq!(seen, Waited::Came(7));
    }

    #[test]
    fn a_wait_that_is_given_up_ends_at_once_and_still_finds_what_is_there() {
        let shared = Arc::new(Watched::new(3));
        let other = Arc::clone(&shared);
        let begun = Instant::now();
        let ender = std::thread::spawn(move || other.give_up(true));
        let long = Duration::from_secs(60);
        assert_eq!(shared.wait(long, |_| None::<()>), Waited::RanOut);
        ender.join().unwrap();
        assert_eq!(shared.wait(long, |n| (*n == 3).then_some(*n)), Waited::Came(3));
        assert!(begun.elapsed() < long / 2);
        shared.give_up(false);
        assert_eq!(shared.wait(Duration::from_millis(5), |_| None::<()>), Waited::RanOut);
    }

    #[test]
    fn a_wait_for_nothing_runs_out() {
        let shared = Watched::new(());
        assert_eq!(shared.wait(Duration::from_millis(5), |()| None::<()>), Waited::RanOut);
    }
}
