//! The hole-card reader on its image: nest, rounds, the daily check, teaching, silence.

#![allow(unreachable_pub, reason = "a test program exports nothing")]

mod check;
mod harness;
mod inspector;
mod nest;
mod rounds;
mod silence;
mod teacher;
mod teaching;
