//! Roll call on the chip: tasks answer, a timer interrupt judges.
//!
//! The judge runs above every task, so a task that spins cannot keep it from noticing.
//! It feeds the watchdog, or ends the run with the names of the missing. Only when the
//! judge itself is dead does the hardware watchdog have to act.

use core::cell::RefCell;
use critical_section::Mutex;
use croupier::panel::ports::Attendance;
use croupier::safety::{Duty, Fall, RollCall, Verdict};
use embassy_time::Instant;

static ROLL: Mutex<RefCell<RollCall>> = Mutex::new(RefCell::new(RollCall::new()));

/// The right to answer for one duty.
pub struct Attendee(Duty);

/// Puts `duty` on the roll; whoever holds the answer must give it.
pub fn attend(duty: Duty) -> Attendee {
    let now = Instant::now().as_millis();
    critical_section::with(|cs| ROLL.borrow_ref_mut(cs).expect(duty, now));
    Attendee(duty)
}

impl Attendance for Attendee {
    fn here(&mut self) {
        critical_section::with(|cs| ROLL.borrow_ref_mut(cs).here(self.0));
    }
}

/// Puts the start itself on the roll: until [`booted`] nothing feeds the watchdog.
pub fn boot() {
    attend(Duty::Boot);
}

/// The start is over: every task has run once and has taken on its duty.
pub fn booted() {
    let now = Instant::now().as_millis();
    critical_section::with(|cs| ROLL.borrow_ref_mut(cs).release(Duty::Boot, now));
}

/// Judges the roll; feeds the watchdog through `feed` when all are present.
///
/// Call from a timer interrupt above all tasks, several times per window.
pub fn judge(feed: impl FnOnce()) {
    let now = Instant::now().as_millis();
    match critical_section::with(|cs| ROLL.borrow_ref_mut(cs).judge(now)) {
        Verdict::Wait => {}
        Verdict::Feed => feed(),
        Verdict::Missing(duties) => crate::fall::fall(Fall::Hung(duties)),
    }
}
