//! The table bus and the serial bridge, without a device.

#![allow(unreachable_pub, reason = "a test program exports nothing")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod bus;
mod harness;
mod serial;
