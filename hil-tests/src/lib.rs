//! The bench: a device on QEMU or on a hardware rig, behind one trait.
//!
//! A behaviour test is written once and says nothing of where it runs: it powers
//! a [`Bench`] on, presses keys, watches lamps, reads the log and the links. The
//! `BENCH` variable chooses the bench: `qemu` (default), or a rig in `rigs/`.

pub mod bench;
pub mod client;
pub mod error;
pub mod faces;
pub mod hub;
pub mod image;
pub mod keys;
pub mod link;
pub mod lockstep;
pub mod log;
pub mod monitor;
pub mod nest;
pub mod noise;
pub mod pins;
pub mod plan;
pub mod qemu;
pub mod report;
pub mod rig;
pub mod show;
pub mod stimulus;
pub mod suite;
pub mod table_controller;
pub mod venv;
pub mod wait;
pub mod world;

/// So that the Rust in that document compiles, or the tests fail.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub use bench::{Bench, Hand, Identity, open, open_timed};
pub use error::{BenchError, Result};
pub use hub::Hub;
pub use link::Link;
pub use log::{Level, Line, Log};
pub use pins::{Edge, Mark, Pins};
pub use qemu::{Collected, Collector, Guest, Instrument, Records, Setup};
