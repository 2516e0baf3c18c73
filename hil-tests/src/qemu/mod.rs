//! The bench that needs no hardware: a QEMU guest per device.
//!
//! Everything of a guest lives in a temporary folder: sockets, the store's file,
//! log and pin trace. It goes when the guest is dropped, unless the test failed:
//! then it stays, and its place is printed.

mod collector;
mod guest;
mod hand;
mod instrument;
mod process;
mod qmp;
mod qtest;
mod setup;
mod step;
mod watchdog;

pub use collector::{Collected, Collector, Records};
pub use guest::Guest;
pub use instrument::Instrument;
pub use process::program;
pub use setup::{NOR, Setup};
pub use step::{STEP, Steps};
