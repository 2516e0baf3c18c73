//! Where orders and numbers come from, so that one battery judges them all.
//!
//! A supply is cut into numbered streams that do not depend on each other. Two workers
//! can then ask for two streams at once, an interrupted collection can go on at the
//! next stream, and a seeded supply deals stream 17 the same way for ever.

use anyhow::{Result, bail};

/// Orders dealt from one stream: small enough to stay in a core's cache.
pub const ORDERS_PER_STREAM: usize = 1024;

/// Numbers drawn from one stream.
pub const NUMBERS_PER_STREAM: usize = 65_536;

/// Raw bytes read from one stream.
pub const BYTES_PER_STREAM: usize = 65_536;

/// Something that shuffles, draws, or gives raw bytes; each part may be missing.
pub trait Supply: Sync {
    /// What a report calls this supply.
    fn name(&self) -> String;

    /// Streams a worker makes before they are written down: one, if each takes seconds.
    fn streams_at_once(&self) -> usize {
        8
    }

    /// Fills `orders`, a whole number of orders of `cards` cards each. An order says
    /// which card, counted from 0, lies at each place, the top first.
    fn deal(&self, _stream: u64, _cards: usize, _orders: &mut [u16]) -> Result<()> {
        bail!("{} does not shuffle", self.name())
    }

    /// Fills `numbers` with draws from 1 to `sides`.
    fn draw(&self, _stream: u64, _sides: u16, _numbers: &mut [u16]) -> Result<()> {
        bail!("{} does not draw numbers", self.name())
    }

    /// Fills `bytes` with generator output as it is before any scaling or shuffling.
    fn raw(&self, _stream: u64, _bytes: &mut [u8]) -> Result<()> {
        bail!("{} gives no raw output", self.name())
    }
}
