//! The Pai Gow generator on its image: rounds, display, power cuts, a source that fails.

#![allow(unreachable_pub, reason = "a test program exports nothing")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod display;
mod harness;
mod power_cut;
mod rounds;
mod source_faults;
mod store_power_cut;
