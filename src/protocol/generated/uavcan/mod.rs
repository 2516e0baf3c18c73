//! The namespace `uavcan`, written from the DSDL by `cargo xtask dsdl`.

pub mod node;
