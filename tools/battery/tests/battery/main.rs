//! The battery: its tails, its evidence files, what it must see, and the simulated shuffler in it.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod calibration;
mod evidence;
mod tails;
mod wheel;
