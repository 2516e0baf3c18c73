//! The random core's memory, kept on the shelf beside the device's own records.
//!
//! Here because neither side should know the other: the core asks for any memory that
//! outlives a reset, the store keeps any record, and every device that draws has both.

use embedded_storage::nor_flash::NorFlash;

use super::Shelf;
use crate::entropy::{KEPT_BYTES, Kept, Lost, Memory};
use crate::store::{Key, Record};

impl Record for Kept {
    const KEY: Key = Key::LockOut;
    type Buffer = [u8; KEPT_BYTES];
    const BUFFER: [u8; KEPT_BYTES] = [0; KEPT_BYTES];

    fn encode(&self, out: &mut [u8]) -> Option<usize> {
        out.get_mut(..KEPT_BYTES)?.copy_from_slice(&self.to_bytes());
        Some(KEPT_BYTES)
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        Self::from_bytes(bytes)
    }
}

/// Bytes that are no `Kept` are lost, so a damaged latch never looks like none.
impl<F: NorFlash> Memory for Shelf<F> {
    fn recall(&mut self) -> Result<Kept, Lost> {
        let kept = self.store().and_then(|store| store.get()).map_err(|_| Lost)?;
        Ok(kept.unwrap_or_default())
    }

    fn keep(&mut self, kept: &Kept) -> Result<(), Lost> {
        self.store().and_then(|store| store.put(kept)).map_err(|_| Lost)
    }
}
