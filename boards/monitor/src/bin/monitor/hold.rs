//! How long the executor runs without a pause, seen from outside.
//!
//! The vector of the executor's interrupt leads here first. The longest run is what the image's
//! other tasks have to wait at most.

use monitor::Ns;

use crate::fault::Fault;
use crate::run::State;
use crate::shared::{self, Word};

/// The run that is going on.
pub struct Holds {
    since: Ns,
}

impl Holds {
    /// None yet.
    pub const fn new() -> Self {
        Self { since: 0 }
    }
}

/// The executor's interrupt begins.
#[unsafe(no_mangle)]
extern "C" fn hold_begins() {
    let state = State::get();
    if state.fault == Some(Fault::Hang) {
        state.fault = None;
        hang();
    }
    let stamp = state.time.stamp();
    state.holds.since = state.time.at(stamp);
    state.time.give_back(stamp);
}

/// It ends.
#[unsafe(no_mangle)]
extern "C" fn hold_ends() {
    let state = State::get();
    let stamp = state.time.stamp();
    let held = state.time.at(stamp).saturating_sub(state.holds.since);
    let held = u32::try_from(held).unwrap_or(u32::MAX);
    for word in [Word::LongestHold, Word::RecentHold] {
        if held > shared::get(word) {
            shared::put(word, held);
        }
    }
    state.time.give_back(stamp);
}

/// A task that spins: at the executor's own priority, with everything above it alive.
fn hang() -> ! {
    // SAFETY: lets interrupts in again, which the handler's first instructions have shut out.
    unsafe { core::arch::asm!("cpsie f", options(nostack)) };
    loop {
        core::hint::spin_loop();
    }
}
