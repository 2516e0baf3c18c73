//! How long the executor runs without a pause, seen from outside.
//!
//! The vector of the executor's interrupt leads here first. The longest run is what the image's
//! other tasks have to wait at most.

use monitor::Ns;

use crate::fault::Fault;
use crate::run::State;
use crate::shared::{self, Word};

/// The run that is going on.
pub(crate) struct Holds {
    since: Ns,
}

impl Holds {
    /// None yet.
    pub(crate) const fn new() -> Self {
        Self { since: 0 }
    }
}

/// The executor's interrupt begins; whether a task is to spin in it for ever. That is left to the
/// handler, since it must be on the image's stack: the monitor's is used by every trap above it.
#[unsafe(no_mangle)]
extern "C" fn hold_begins() -> bool {
    let state = State::get();
    if state.fault == Some(Fault::Hang) {
        state.fault = None;
        return true;
    }
    state.holds.since = state.time.enter();
    state.time.resume();
    false
}

/// It ends.
#[unsafe(no_mangle)]
extern "C" fn hold_ends() {
    let state = State::get();
    let held = state.time.enter().saturating_sub(state.holds.since);
    let held = u32::try_from(held).unwrap_or(u32::MAX);
    for word in [Word::LongestHold, Word::RecentHold] {
        if held > shared::get(word) {
            shared::put(word, held);
        }
    }
    state.time.resume();
}
