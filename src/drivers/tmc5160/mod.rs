//! TMC5160: stepper driver with motion controller, over a UART on one wire.
//!
//! | | |
//! |---|---|
//! | Part | TMC5160A, Analog Devices (Trinamic); data sheet "TMC5160A", revision 1.14 or later |
//! | Bus | UART on one wire for both ways, 8N1; the part measures the rate, 115,200 baud in our images |
//! | Clock | its own, 12 MHz; speeds and accelerations are converted by it |
//! | Covered | the internal ramp generator, the left reference switch, stall detection while turning |
//! | Not covered | SPI, step and direction, an encoder, StealthChop, more than one part on a wire |
//!
//! The part makes the ramps, watches the reference switch and notices a stall by itself. The
//! driver sets it up, sends it to places and does not trust it: every write is counted
//! back, every answer is checked, and each time the axis passes its switch the place must be
//! the one the steps say.
//!
//! A read of the line must end with `ErrorKind::TimedOut` when nothing comes, and the line must
//! not return what was sent on it.
//!
//! Written by hand because `tmc5160` (0.0.1, 2019) speaks only SPI on embedded-hal 0.2, and
//! `tmc2209` and `tmc2209-uart` know this UART but only parts without a ramp generator. The
//! tests compare our datagrams with those of `tmc2209`.
//!
//! | file | says |
//! |---|---|
//! | [`datagram`] | what travels on the UART, byte by byte |
//! | [`register`] | which registers are used, and their bits |
//! | [`controller`] | reading and writing registers, with proof |
//! | [`axis`] | set-up, homing, moves, and what they ended in |
//! | [`motion_profile`] | how fast and how hard an axis turns, and the part's units |

pub mod axis;
pub mod controller;
pub mod datagram;
pub mod motion_profile;
pub mod register;

#[cfg(test)]
mod tests;

pub use axis::{Axis, AxisStatus, Way};
pub use controller::{Controller, Error};
pub use motion_profile::{MotionProfile, Motor};
