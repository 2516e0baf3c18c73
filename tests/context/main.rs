//! The loops around a device, as the image runs them: links, services, and the device's own.

#![allow(clippy::unwrap_used)] // a test

mod bank;
mod generator;
mod links;
#[path = "../paigow_common/mod.rs"]
mod paigow_common;
mod puppet;
mod services;
mod world;
