//! The store against power cuts, its bounds, and what it promises to its callers.

#![allow(unreachable_pub, reason = "a test program exports nothing")]

mod bounds;
mod damage;
#[path = "../shared/dice.rs"]
mod dice;
mod power_cut;
mod values;
