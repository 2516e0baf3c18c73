//! croupier: every rule of the card table's devices, and no microcontroller.
//!
//! Rules are pure: events and time in, actions out. No I/O, no clock, no heap, no panic
//! path. So the same code runs in unit tests, in simulations, in QEMU and on silicon.
//!
//! ```text
//! drivers                           chips beside the microcontroller; embedded traits only
//! time  cards  profile  identity  safety  entropy  store  panel  hash   name only one another
//! protocol                          what travels: messages, framings, seal, keys
//!         ^
//! node  services  ports               a device's side of the wire; what every device does
//! context                             device, node and store together, and the loops that serve them
//! controller                        the table controller's side, for vendors and the bench
//!         ^
//! reader  shuffler  paigow          may use the rows above; never each other
//!         ^
//! boards/adapters, boards/<board>   ports on peripherals, pins, binaries
//! ```
#![no_std]
#![forbid(unsafe_code)]

#[cfg(test)]
extern crate std;

pub mod cards;
mod checksum;
pub mod context;
pub mod controller;
pub mod drivers;
pub mod entropy;
pub mod hash;
pub mod identity;
pub mod node;
pub mod paigow;
pub mod panel;
pub mod ports;
pub mod profile;
pub mod protocol;
pub mod reader;
pub mod safety;
pub mod services;
pub mod shuffler;
pub mod store;
pub mod time;

/// So that the Rust in that document compiles, or the tests fail.
#[cfg(doctest)]
#[doc = include_str!("../docs/protocol.md")]
struct ProtocolDocument;
