//! The namespace `uavcan.primitive`, written from the DSDL by `cargo xtask dsdl`.

pub mod array;
mod empty;
mod string;
mod unstructured;

pub use empty::Empty;
pub use string::String;
pub use unstructured::Unstructured;
