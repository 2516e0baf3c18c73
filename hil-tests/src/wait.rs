//! Waiting with a deadline, and Ctrl-C as one more way for a wait to end.
//!
//! No part of the bench sleeps: everything waits on a condition that the thread
//! which changes it signals. Waits wake now and then to see an interruption.

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
}

impl<T> Watched<T> {
    /// Shares `state`.
    pub fn new(state: T) -> Self {
        Self { state: Mutex::new(state), bell: Condvar::new() }
    }

    /// Looks at the state.
    pub fn look<R>(&self, look: impl FnOnce(&T) -> R) -> R {
        look(&self.lock())
    }

    /// Changes the state and wakes every wait.
    pub fn change<R>(&self, change: impl FnOnce(&mut T) -> R) -> R {
        let result = change(&mut self.lock());
        self.bell.notify_all();
        result
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
            if left.is_zero() {
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
    fn a_wait_for_nothing_runs_out() {
        let shared = Watched::new(());
        assert_eq!(shared.wait(Duration::from_millis(5), |()| None::<()>), Waited::RanOut);
    }
}
