//! Both framings, and slcan: what is sent arrives once, whole and in order, or not at all.

#![allow(unreachable_pub, reason = "a test program exports nothing")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod babble;
mod can;
mod canadensis;
#[path = "../shared/dice.rs"]
mod dice;
mod fuzz;
mod harness;
mod serial;
mod slcan;
