//! What keeps a fallen device honest: roll call before, last words after.
//!
//! A device on a card table may stop, but it may not stop quietly, and it may not
//! give an answer while it is unsure of itself (RD-10, SH-22, PG-16). So every task
//! answers a [roll call](roll_call), and whatever ends a run leaves [last
//! words](last_words) that the next run reports. Both are plain data here; boards
//! bring the watchdog, the memory that outlives a reset, and the safe levels of pins.

pub mod fault_frame;
pub mod last_words;
pub mod roll_call;

pub use last_words::{Fall, HardwareReset, LastWords, Place, ResetCause};
pub use roll_call::{Duties, Duty, RollCall, Verdict};
