//! The shuffler on the host: a small mechanism of cards, in virtual time.

#![allow(unreachable_pub, reason = "a test program exports nothing")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod ages;
#[path = "../shared/bank.rs"]
mod bank;
mod batches;
mod clauses;
mod continuous;
mod counted;
mod counts;
mod cycles;
mod emptying;
mod hands;
mod harness;
mod interruptions;
mod look;
mod path;
mod plan;
mod power_cut;

mod ram;
mod redealt;
mod run;
mod service;
mod storm;
mod stub;
mod surroundings;
mod turns;
mod wire;
mod world;
