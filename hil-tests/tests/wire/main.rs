//! The wire as a controller sees it: commands, events, keys, forgery, a bus that fails.

#![allow(unreachable_pub, reason = "a test program exports nothing")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod bus_faults;
mod commands;
mod forgery;
mod harness;
mod keys;
mod load;
mod python_clients;
