//! The namespace `uavcan.primitive.array`, written from the DSDL by `cargo xtask dsdl`.

mod bit;
mod integer16;
mod integer32;
mod integer64;
mod integer8;
mod natural16;
mod natural32;
mod natural64;
mod natural8;
mod real16;
mod real32;
mod real64;

pub use bit::Bit;
pub use integer8::Integer8;
pub use integer16::Integer16;
pub use integer32::Integer32;
pub use integer64::Integer64;
pub use natural8::Natural8;
pub use natural16::Natural16;
pub use natural32::Natural32;
pub use natural64::Natural64;
pub use real16::Real16;
pub use real32::Real32;
pub use real64::Real64;
