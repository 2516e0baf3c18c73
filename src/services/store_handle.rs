//! The store as a running device holds it: open, or the reason why it is not.
//!
//! A device whose store will not open still boots, says so, and lights its lamps; but it
//! has no numbers and no keys, so it takes no command and gives no sealed word.

use super::clock::KeptTime;
use super::profile::{Chosen, ProfileStore};
use crate::protocol::keys::{KeyRing, KeyStore};
use crate::protocol::sequence::{Limits, SequenceStore};
use crate::store::{Chore, EraseInSteps, Store, StoreError};
use embedded_storage::nor_flash::NorFlash;

/// The store, or why there is none.
pub struct StoreHandle<F>(Result<Store<F>, StoreError>);

impl<F: NorFlash> StoreHandle<F> {
    /// Opens the store on `flash`.
    pub fn open(flash: F) -> Self {
        Self(Store::open(flash))
    }

    /// A store that could not be had, and why.
    pub fn missing(why: StoreError) -> Self {
        Self(Err(why))
    }

    /// Why there is no store.
    pub fn trouble(&self) -> Option<StoreError> {
        self.0.as_ref().err().copied()
    }

    /// The game kept last.
    pub fn profile(&mut self) -> Result<Option<Chosen>, StoreError> {
        self.store()?.get()
    }

    /// The time of day kept last.
    pub fn kept_time(&mut self) -> Result<Option<KeptTime>, StoreError> {
        self.store()?.get()
    }

    /// What the store wants done while nothing moves, if there is a store.
    pub fn chore(&self) -> Option<Chore> {
        self.0.as_ref().ok()?.chore()
    }

    /// Takes a step of [`Chore::Move`].
    pub fn move_on(&mut self) -> Result<(), StoreError> {
        self.store()?.move_on()
    }

    /// Changes that had to wait for the store to make room.
    pub fn stalls(&self) -> u32 {
        self.0.as_ref().map_or(0, Store::stalls)
    }

    /// The store, for a device that keeps more than the common services do.
    pub(crate) fn store(&mut self) -> Result<&mut Store<F>, StoreError> {
        self.0.as_mut().map_err(|why| *why)
    }
}

impl<F: EraseInSteps> StoreHandle<F> {
    /// Begins [`Chore::Erase`].
    pub fn start_erase(&mut self) -> Result<(), StoreError> {
        self.store()?.start_erase()
    }

    /// Whether the erase has ended.
    pub fn erase_ended(&mut self) -> Result<bool, StoreError> {
        self.store()?.erase_ended()
    }
}

impl<F: NorFlash> SequenceStore for StoreHandle<F> {
    fn load(&mut self) -> Result<Option<Limits>, StoreError> {
        self.store()?.load()
    }

    fn keep(&mut self, limits: &Limits) -> Result<(), StoreError> {
        self.store()?.keep(limits)
    }

    fn changes(&self) -> u32 {
        self.0.as_ref().map_or(0, Store::changes)
    }
}

impl<F: NorFlash> KeyStore for StoreHandle<F> {
    fn load_keys(&mut self) -> Result<Option<KeyRing>, StoreError> {
        self.store()?.load_keys()
    }

    fn keep_keys(&mut self, keys: &KeyRing) -> Result<(), StoreError> {
        self.store()?.keep_keys(keys)
    }
}

impl<F: NorFlash> ProfileStore for StoreHandle<F> {
    fn keep_profile(&mut self, chosen: &Chosen) -> Result<(), StoreError> {
        self.store()?.keep_profile(chosen)
    }

    fn keep_time(&mut self, time: &KeptTime) -> Result<(), StoreError> {
        self.store()?.keep_time(time)
    }
}
