//! The store's pages: the end of the chip's second flash bank.
//!
//! Code runs from bank 1, so programming and erasing here never stalls it. Each 8-byte
//! word carries its own error correction, so a word torn by a power cut may answer a
//! read with a non-maskable interrupt; see [`forgive_torn_word`].

use core::sync::atomic::{AtomicU32, Ordering};
use embassy_stm32::flash::{Blocking, Error, Flash, MAX_ERASE_SIZE, WRITE_SIZE};
use embassy_stm32::{Peri, pac, peripherals};
use embedded_storage::nor_flash::{ErrorType, NorFlash, ReadNorFlash};

static TORN_WORDS: AtomicU32 = AtomicU32::new(0);

/// The store's window on the chip's flash.
pub struct StoreFlash(Flash<'static, Blocking>);

impl StoreFlash {
    /// Size of the window.
    pub const BYTES: u32 = croupier::store::BYTES as u32;
    /// Its distance from the start of flash: it ends where bank 2 ends.
    const OFFSET: u32 = 1024 * 1024 - Self::BYTES;

    /// Takes the flash controller.
    pub fn new(flash: Peri<'static, peripherals::FLASH>) -> Self {
        Self(Flash::new_blocking(flash))
    }
}

impl ErrorType for StoreFlash {
    type Error = Error;
}

impl ReadNorFlash for StoreFlash {
    const READ_SIZE: usize = 1;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), Error> {
        self.0.blocking_read(Self::OFFSET + offset, bytes)
    }

    fn capacity(&self) -> usize {
        Self::BYTES as usize
    }
}

impl NorFlash for StoreFlash {
    const WRITE_SIZE: usize = WRITE_SIZE;
    const ERASE_SIZE: usize = MAX_ERASE_SIZE;

    fn erase(&mut self, from: u32, to: u32) -> Result<(), Error> {
        self.0.blocking_erase(Self::OFFSET + from, Self::OFFSET + to)
    }

    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), Error> {
        self.0.blocking_write(Self::OFFSET + offset, bytes)
    }
}

/// Clears the double-error flag of the flash's error correction, if that is why the
/// non-maskable interrupt came; says whether it was.
///
/// The word then reads as whatever it is, and the store's checksum refuses it.
pub fn forgive_torn_word() -> bool {
    let torn = pac::FLASH.eccr().read().eccd();
    if torn {
        pac::FLASH.eccr().modify(|eccr| eccr.set_eccd(true)); // written one clears it
        TORN_WORDS.store(TORN_WORDS.load(Ordering::Relaxed).saturating_add(1), Ordering::Relaxed);
    }
    torn
}

/// How many torn words were met since start.
pub fn torn_words() -> u32 {
    TORN_WORDS.load(Ordering::Relaxed)
}
