//! Randomness the rules may trust: tested, conditioned, combined, accounted for.
//!
//! Raw noise is never an answer. It is read by rules that can only fail closed
//! ([`Driver`]), judged word by word ([`health`]), let through in whole blocks, hashed to
//! full entropy and combined with a deterministic generator (SP 800-90A, B and C: an
//! RBG3(XS)); an exact sampler turns it into orders and numbers, and a ledger sees that no
//! request gives out more than it took in. Any fault latches [`RandomCore`]: nothing
//! comes out, a reset does not help, and there is no second source to fall back to.
//!
//! ```text
//! NoiseSource -> health, gate -> conditioner --xor--> sampler -> Order, number
//!                     |                       |
//!                     +--------> HMAC_DRBG ---+
//! ```

mod conditioner;
pub mod drbg;
mod driver;
mod error_budget;
mod fault;
mod gate;
pub mod health;
mod ledger;
mod memory;
mod noise;
pub mod order;
mod random_core;
mod request;
pub mod sampler;
mod self_test;
mod state;
#[cfg(test)]
mod tests;

pub use driver::{CLOCK_ERROR, DATA_READY, Driver, ENABLED, RngRegisters, SEED_ERROR};
use error_budget::ErrorBudget;
pub use fault::{Cause, RngFault};
pub use memory::{LATCH_BYTES, Lost, Memory, RngLatch};
pub use noise::{NoiseFault, NoiseSource};
pub use order::{MOST_CARDS, Order, OrderBuffer};
pub use random_core::RandomCore;
pub use state::{Event, State};
