//! The bench that needs no hardware: a QEMU guest per device.
//!
//! A device runs the image for silicon, byte for byte, with the monitor beside it; an
//! instrument runs alone. Everything of a guest lives in a temporary folder: sockets, the store's file,
//! log and pin trace. It goes when the guest is dropped, unless the test failed:
//! then it stays, and its place is printed.

mod bridge;
mod collector;
mod guest;
mod hand;
mod inbox;
mod instrument;
mod machine;
mod process;
mod qmp;
mod qtest;
mod records;
mod setup;
mod step;
pub mod store;
mod tally;
mod watchdog;

pub use collector::{Collected, Collector, Records};
pub use guest::Guest;
pub use instrument::Instrument;
pub use machine::Cause;
pub use process::program;
pub use setup::{BOARD, FLASH, NOR, Setup, TORN};
pub use step::{STEP, Steps};
pub use tally::Tally;
