//! The shuffler: its image, and its rules in process, on the mechanical world.

mod field;
mod image;
mod machine;
mod mixes;
mod power_cut;
