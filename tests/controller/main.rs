//! A device's node and a table controller, talking over a link that misbehaves.

mod commands;
mod delivery;
#[path = "../shared/dice.rs"]
mod dice;
mod first_key;
mod forgery;
mod forwarding;
mod services;
mod table;
