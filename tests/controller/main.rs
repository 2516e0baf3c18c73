//! A device's node and a table controller, talking over a link that misbehaves.

#![allow(unreachable_pub, reason = "a test program exports nothing")]

mod commands;
mod delivery;
#[path = "../shared/dice.rs"]
mod dice;
mod first_key;
mod forgery;
mod forwarding;
mod services;
mod table;
