//! The TMC5160, a motion controller on a one-wire UART.

pub mod axis;
pub mod controller;
pub mod datagram;
pub mod register;

#[cfg(test)]
mod tests;

pub use axis::{Axis, AxisStatus, Way};
pub use controller::{Controller, MotionFault};
