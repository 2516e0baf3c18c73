//! Evidence of randomness: collect, test, and prove that the tests can fail.
//!
//! The tests look at orders and numbers from outside and need no knowledge of how they
//! were made. What they cannot see, and what shows it instead, is in `docs/randomness.md`.
//!
//! - [`supply`]: where orders and numbers come from; [`ideal`] and [`bad`] are two of them
//! - [`reading`], [`tally`], [`run`]: from orders to counts, on all cores
//! - [`null`], [`tail`], [`order_tests`], [`numbers`]: from counts to p-values
//! - [`production`], [`simulated`]: the firmware's random core as a supply, here and in QEMU
//! - [`wheel`]: what comes out of the simulated shuffler, as a supply
//! - [`evidence`], [`collect`]: files
//! - [`report`], [`uniform`], [`judges`]: what is shown, and what others say
//! - [`verdict`]: from p-values to a decision; [`calibrate`] examines the whole chain

pub mod bad;
pub mod calibrate;
pub mod collect;
pub mod evidence;
pub mod ideal;
pub mod judges;
pub mod null;
pub mod numbers;
pub mod order_tests;
pub mod outcome;
pub mod production;
pub mod reading;
pub mod repeats;
pub mod report;
pub mod run;
pub mod simulated;
pub mod supply;
pub mod tail;
pub mod tally;
pub mod uniform;
pub mod verdict;
pub mod wheel;
