//! The namespace `uavcan.register`, written from the DSDL by `cargo xtask dsdl`.

mod access;
mod list;
mod name;
mod value;

pub use access::{AccessRequest, AccessResponse};
pub use list::{ListRequest, ListResponse};
pub use name::Name;
pub use value::Value;
