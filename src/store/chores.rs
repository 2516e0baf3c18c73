//! Chores: what the store wants done while nothing moves, so that no change has to wait.
//!
//! A page takes the chip 22 ms to erase, and it does nothing else with the store's flash
//! meanwhile. So no change erases: the device's loops do the chores, a step at a time.
//! A change that finds no room because no chore was done is still made whole, at once, and
//! counted in [`Store::stalls`].

use embedded_storage::nor_flash::NorFlash;

use super::pages::Pages;
use super::{Operation, Store, StoreError};

/// Flash that can be told to erase a page and be asked later whether it has.
pub trait EraseInSteps: NorFlash {
    /// Begins to erase the page at `at`. Until that has ended the flash takes nothing else.
    fn start_erase(&mut self, at: u32) -> Result<(), Self::Error>;

    /// Whether it has ended; with it, whether it went wrong. Never waits.
    fn erase_ended(&mut self) -> Result<bool, Self::Error>;
}

impl<F: EraseInSteps> EraseInSteps for &mut F {
    fn start_erase(&mut self, at: u32) -> Result<(), Self::Error> {
        F::start_erase(self, at)
    }

    fn erase_ended(&mut self) -> Result<bool, Self::Error> {
        F::erase_ended(self)
    }
}

/// What is to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Chore {
    /// A page of the spare bank wants erasing: [`Store::start_erase`], then
    /// [`Store::erase_ended`] until it has. The store takes no change meanwhile.
    Erase,
    /// The live values want moving to the spare bank: [`Store::move_on`], a few words each
    /// time. The store takes changes in between.
    Move,
}

impl<F: NorFlash> Store<F> {
    /// A move begins when the active bank has less room than this, and gains as much.
    const RESERVE: u32 = Pages::<F>::PAGE / 2;

    /// What is to be done next, if anything.
    pub fn chore(&self) -> Option<Chore> {
        if self.moving.is_some() {
            return Some(Chore::Move);
        }
        if self.spare_blank_to < self.spare.end {
            return Some(Chore::Erase);
        }
        let room = self.active.end - self.tail;
        let written = self.tail - self.active.log_start();
        let gain = written.saturating_sub(self.index.live_bytes(None));
        let full = room < Self::RESERVE && gain >= Self::RESERVE;
        (full || self.worn_tail || self.stale_secret).then_some(Chore::Move)
    }

    /// Takes a step of [`Chore::Move`]: programs at most eight words.
    pub fn move_on(&mut self) -> Result<(), StoreError> {
        if self.chore() == Some(Chore::Move) { self.step_move().map(|_| ()) } else { Ok(()) }
    }

    /// Changes that had to wait for a whole retirement since the store was opened: erasing,
    /// copying, or both.
    pub fn stalls(&self) -> u32 {
        self.stalls
    }

    /// What was changed since the store was opened, in pieces of [`PIECE`](super::PIECE) bytes.
    pub fn changes(&self) -> u32 {
        self.changes
    }
}

impl<F: EraseInSteps> Store<F> {
    /// Begins [`Chore::Erase`].
    pub fn start_erase(&mut self) -> Result<(), StoreError> {
        let at = self.spare_blank_to;
        self.pages.flash.start_erase(at).map_err(|_| StoreError::Flash(Operation::Erase))
    }

    /// Whether the erase has ended. Ask no more after a failure: the page is a chore again.
    pub fn erase_ended(&mut self) -> Result<bool, StoreError> {
        let ended = self.pages.flash.erase_ended();
        let ended = ended.map_err(|_| StoreError::Flash(Operation::Erase))?;
        if ended {
            self.spare_blank_to += Pages::<F>::PAGE;
            self.vouch(); // a word in the log, once the last page is done
        }
        Ok(ended)
    }

    /// Does every chore there is, waiting for each: for tests, and before the power goes.
    pub fn do_chores(&mut self) -> Result<(), StoreError> {
        while let Some(chore) = self.chore() {
            match chore {
                Chore::Move => self.move_on()?,
                Chore::Erase => {
                    self.start_erase()?;
                    while !self.erase_ended()? {}
                }
            }
        }
        Ok(())
    }
}
