//! The namespace `croupier`, written from the DSDL by `cargo xtask dsdl`.

pub mod common;
pub mod paigow;
pub mod reader;
pub mod shuffler;
