//! The store against power cuts, its bounds, and what it promises to its callers.

mod bounds;
mod power_cut;
mod values;
