//! The hole-card reader on the host: a nest, lamps, keys, eye and flash that can all break.

#![allow(unreachable_pub, reason = "a test program exports nothing")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "../shared/bank.rs"]
mod bank;
mod brand;
mod check;
mod clauses;
mod floor;
mod gaming_day;
mod harness;
mod house;
mod power_cut;
mod rounds;
mod scan_head;
mod silence;
mod slips;
mod storm;
mod teaching;
mod world;
