//! The loops around a device, as the image runs them: links, services, and the device's own.

#![allow(unreachable_pub, reason = "a test program exports nothing")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod bank;
mod flood;
mod links;
mod paigow;
#[path = "../shared/generator.rs"]
mod parts;
mod puppet;
mod reader;
mod services;
mod world;
