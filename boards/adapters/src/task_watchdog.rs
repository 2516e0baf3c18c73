//! The task watchdog on the chip: tasks check in, a timer interrupt evaluates.
//!
//! The timer runs above every task, so a task that spins cannot stop it. It feeds the
//! hardware watchdog, or ends the run with the names of the missing tasks. The hardware
//! watchdog acts only if the timer itself is dead.

use crate::clock::DeviceClock;
use core::cell::RefCell;
use critical_section::Mutex;
use croupier::ports::{CheckIn, Clock as _};
use croupier::safety::{CrashReason, TaskId, TaskWatchdog, Verdict};

static WATCHDOG: Mutex<RefCell<TaskWatchdog>> = Mutex::new(RefCell::new(TaskWatchdog::new()));

/// A task's place in the watchdog.
pub struct Registration(TaskId);

/// Expects `task` from now on; the holder of the registration must check in.
pub fn register(task: TaskId) -> Registration {
    let now = DeviceClock.now();
    critical_section::with(|cs| WATCHDOG.borrow_ref_mut(cs).expect(task, now));
    Registration(task)
}

impl CheckIn for Registration {
    fn check_in(&mut self) {
        critical_section::with(|cs| WATCHDOG.borrow_ref_mut(cs).check_in(self.0));
    }
}

/// Expects the start itself: until [`booted`] nothing feeds the hardware watchdog.
pub fn boot() {
    register(TaskId::Boot);
}

/// The start is over: every task has run once and has registered.
pub fn booted() {
    let now = DeviceClock.now();
    critical_section::with(|cs| WATCHDOG.borrow_ref_mut(cs).release(TaskId::Boot, now));
}

/// Evaluates the window; calls `feed` when every task has checked in.
///
/// Call from a timer interrupt above all tasks, several times per window.
pub fn evaluate(feed: impl FnOnce()) {
    let now = DeviceClock.now();
    match critical_section::with(|cs| WATCHDOG.borrow_ref_mut(cs).evaluate(now)) {
        Verdict::Wait => {}
        Verdict::Feed => feed(),
        Verdict::Missing(tasks) => crate::crash::crash(CrashReason::Hung(tasks)),
    }
}
