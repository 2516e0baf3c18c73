//! The store's pages: the end of the chip's second flash bank.
//!
//! Code runs from bank 1, so programming and erasing here never stalls it. Each 8-byte
//! word carries its own error correction, so a word torn by a power cut may answer a
//! read with a non-maskable interrupt; see [`accept_torn_word`].

use core::ops::Range;
use core::sync::atomic::{AtomicU32, Ordering};
use croupier::store::{EraseInSteps, is_torn_word};
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
    /// Where it lies, from the start of flash.
    const WINDOW: Range<u32> = Self::OFFSET..Self::OFFSET + Self::BYTES;

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
        // The register keeps the first error's address until its flags are cleared (RM0351
        // 3.3.2): an old corrected error elsewhere would hide where a torn word lies.
        let errors = pac::FLASH.eccr().read();
        if errors.eccc() {
            pac::FLASH.eccr().write_value(errors); // written one clears it
        }
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
        without_data_cache(|| self.0.blocking_erase(Self::OFFSET + from, Self::OFFSET + to))
    }

    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), Error> {
        without_data_cache(|| self.0.blocking_write(Self::OFFSET + offset, bytes))
    }
}

/// Changes flash with the data cache off, and empties the cache before it is on again.
///
/// Two reasons. A fetch from bank 1 while bank 2 is written can corrupt the cache: "Data cache
/// might be corrupted during Flash memory read-while-write operation" (ES0250, STM32L475
/// errata), with this way round it; embassy 0.6.0 has none. And an erase leaves the cache's
/// lines of the erased page as they were (RM0351 3.3.5). The cache may be reset only while it
/// is off (RM0351 3.7.1, DCRST).
fn without_data_cache<R>(change: impl FnOnce() -> R) -> R {
    data_cache_off();
    let result = change();
    data_cache_on();
    result
}

fn data_cache_off() {
    pac::FLASH.acr().modify(|acr| acr.set_dcen(false));
}

fn data_cache_on() {
    pac::FLASH.acr().modify(|acr| acr.set_dcrst(true));
    pac::FLASH.acr().modify(|acr| acr.set_dcrst(false));
    pac::FLASH.acr().modify(|acr| acr.set_dcen(true));
}

/// The erase that no task waits for, which embassy 0.6.0 has only with an interrupt of its own.
/// The steps are the manual's (RM0351 3.3.5); the cache is off from the first to the last.
impl EraseInSteps for StoreFlash {
    fn start_erase(&mut self, at: u32) -> Result<(), Error> {
        const BANK: u32 = 512 * 1024;
        let page = (Self::OFFSET + at - BANK) / MAX_ERASE_SIZE as u32;
        if at >= Self::BYTES || pac::FLASH.sr().read().bsy() {
            return Err(Error::Seq);
        }
        if pac::FLASH.cr().read().lock() {
            pac::FLASH.keyr().write_value(0x4567_0123);
            pac::FLASH.keyr().write_value(0xCDEF_89AB);
        }
        data_cache_off();
        // Old errors would be taken for this erase's; written ones clear them.
        pac::FLASH.sr().write_value(pac::FLASH.sr().read());
        pac::FLASH.cr().modify(|cr| {
            cr.set_per(true);
            cr.set_bker(true);
            cr.set_pnb(page as u8); // of 256
        });
        pac::FLASH.cr().modify(|cr| cr.set_start(true));
        Ok(())
    }

    fn erase_ended(&mut self) -> Result<bool, Error> {
        let status = pac::FLASH.sr().read();
        if status.bsy() {
            return Ok(false);
        }
        pac::FLASH.cr().modify(|cr| cr.set_per(false));
        pac::FLASH.cr().modify(|cr| cr.set_lock(true));
        data_cache_on();
        let failed = [status.operr(), status.wrperr(), status.pgserr(), status.progerr()];
        if failed.contains(&true) { Err(Error::Prog) } else { Ok(true) }
    }
}

/// Clears the flash's error flags, if a torn word of the store is why the non-maskable
/// interrupt came; else gives the error register back.
///
/// The word then reads as whatever it is, and the store's checksum refuses it.
pub fn accept_torn_word() -> Result<(), u32> {
    let errors = pac::FLASH.eccr().read();
    if !is_torn_word(errors.0, StoreFlash::WINDOW) {
        return Err(errors.0);
    }
    pac::FLASH.eccr().write_value(errors); // written ones clear the flags
    TORN_WORDS.store(torn_words().saturating_add(1), Ordering::Relaxed);
    Ok(())
}

/// How many torn words were met since start.
pub fn torn_words() -> u32 {
    TORN_WORDS.load(Ordering::Relaxed)
}
