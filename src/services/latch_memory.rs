//! The random core's memory, kept on the store beside the device's own records.
//!
//! Here because neither side should know the other: the core asks for any memory that
//! outlives a reset, the store keeps any record, and every device that draws has both.

use embedded_storage::nor_flash::NorFlash;

use super::StoreHandle;
use crate::entropy::{LATCH_BYTES, Lost, Memory, RngLatch};
use crate::store::{Key, Record};

impl Record for RngLatch {
    const KEY: Key = Key::RngLatch;
    type Buffer = [u8; LATCH_BYTES];
    const BUFFER: [u8; LATCH_BYTES] = [0; LATCH_BYTES];

    fn encode(&self, out: &mut [u8]) -> Option<usize> {
        out.get_mut(..LATCH_BYTES)?.copy_from_slice(&self.to_bytes());
        Some(LATCH_BYTES)
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        Self::from_bytes(bytes)
    }
}

/// Bytes that are no `RngLatch` are lost, so a damaged latch never looks like none.
impl<F: NorFlash> Memory for StoreHandle<F> {
    fn recall(&mut self) -> Result<RngLatch, Lost> {
        let kept = self.store().and_then(|store| store.get()).map_err(|_| Lost)?;
        Ok(kept.unwrap_or_default())
    }

    fn keep(&mut self, kept: &RngLatch) -> Result<(), Lost> {
        self.store().and_then(|store| store.put(kept)).map_err(|_| Lost)
    }
}
