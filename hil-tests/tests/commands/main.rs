//! Commands of the bench run as a person runs them: what they say and what they leave behind.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod bad_input;
mod monitor;
mod no_orphans;
