//! The generator: the tree agrees with the DSDL, and small definitions are written as they should.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod agreement;
mod writing;
