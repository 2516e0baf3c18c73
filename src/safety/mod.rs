//! What keeps a device honest when it stops: the task watchdog and the crash record.
//!
//! A device on a card table may stop, but it may not stop quietly, and it may not
//! give an answer while it is unsure of itself (RD-10, SH-22, PG-16). So every task
//! checks in with the [task watchdog](task_watchdog), and a run that ends leaves a
//! [crash record](crash_record) that the next run reports. Both are plain data here; boards
//! bring the watchdog, the memory that outlives a reset, and the safe levels of pins.

pub mod crash_record;
pub mod fault_frame;
pub mod task_watchdog;

pub use crash_record::{CrashReason, CrashRecord, HardwareReset, Place, ResetCause};
pub use task_watchdog::{TaskId, TaskSet, TaskWatchdog, Verdict};
