//! From DSDL to everything that must agree with it.
//!
//! The DSDL under `dsdl/croupier` is the single source of the wire. From it come the Rust types
//! ([`rust`]), the table in the documentation ([`table`]) and test vectors for foreign stacks
//! ([`vectors`]). All three are functions of the [`model`], so they cannot drift apart.
//!
//! The DSDL front end is `canadensis_dsdl_frontend`. The types are not from `canadensis_codegen_rust`,
//! which was tried: its records are packed and cannot be printed or compared, its codes are bare
//! numbers, and it reads every object leniently, where a sealed one must be read exactly.

pub mod model;
pub mod names;
pub mod namespace;
pub mod rust;
pub mod sample;
pub mod table;
pub mod tree;
pub mod vectors;
