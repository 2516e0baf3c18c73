//! The random core against faults, vectors, references and every bit string.
//!
//! One program, so that the mock chip is written once.

#![allow(unreachable_pub, reason = "a test program exports nothing")]

mod bits;
mod driver;
mod exact;
mod faults;
mod health;
mod life;
mod mock;
mod seed_errors;
mod vectors;
