//! The parts of the STM32L475 that QEMU lacks, as register models.
//!
//! The flashed image runs in QEMU byte for byte; each access to a peripheral that QEMU does
//! not model traps into the monitor, which carries it out here. The models answer as the
//! reference manual (RM0351) says, and they **assert** it: an access that silicon would
//! punish is a [`Breach`], and a breach ends the run with register, value and program counter.
//!
//! This library has no chip, no heap and no `unsafe`, so every model is tested on the host.
//! The program around it (`src/bin/monitor`) has the trap handler, the decoder and the time.
#![cfg_attr(not(test), no_std)]
#![forbid(unsafe_code)]

pub mod breach;
pub mod chip;
pub mod clocks;
pub mod context;
pub mod decode;
pub mod lanes;
pub mod lines;
pub mod models;
pub mod parts;
#[cfg(test)]
mod testing;
pub mod time;

pub use breach::Breach;
pub use context::{Context, Ns, Outside, Stream, Width};
