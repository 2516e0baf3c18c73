//! The Pai Gow generator on the host: display, keys, numbers and flash that can all break.

#![allow(unreachable_pub, reason = "a test program exports nothing")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "../shared/bank.rs"]
mod bank;
mod certificate;
mod clauses;
mod edges;
#[path = "../shared/generator.rs"]
mod generator;
mod harness;
mod house;
mod linked;
mod phase;
mod power_cut;
mod quick;
mod rounds;
mod sequences;
mod shuffler_key;
mod wire;
