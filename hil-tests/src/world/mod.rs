//! The simulated world around a device: what its sensors would have met.
//!
//! One folder for each physical thing. A test or a bench asks it for what a sensor
//! delivers; it never learns what the device makes of it.

pub mod display;
pub mod optics;
pub mod shuffler;
