//! The store against power cuts, its bounds, and what it promises to its callers.

mod bounds;
mod damage;
#[path = "../shared/dice.rs"]
mod dice;
mod power_cut;
mod values;
