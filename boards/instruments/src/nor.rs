//! The store's flash as a host file, with the rules of the real one.
//!
//! QEMU's flash is ROM, so the file stands in for bank 2. It is no easier than silicon:
//! a word of 8 bytes takes data once after an erase, or all zeros at any time, else the
//! write fails (RM0351 3.3.7); an erase takes a whole page.

use embedded_storage::nor_flash::{
    ErrorType, NorFlash, NorFlashError, NorFlashErrorKind, ReadNorFlash, check_erase, check_read,
    check_write,
};
use semihosting::fs::{File, OpenOptions};
use semihosting::io::{Read, Seek, SeekFrom, Write};

const WORD: usize = 8;
const PAGE: usize = 2048;
const ERASED: u8 = 0xFF;

/// Why the flash refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, defmt::Format)]
pub enum NorError {
    /// The host could not read or write the file.
    Host,
    /// The word already holds data: the real flash raises PROGERR.
    NotErased,
    /// The request breaks the flash's alignment or bounds.
    Request,
}

impl NorFlashError for NorError {
    fn kind(&self) -> NorFlashErrorKind {
        match self {
            Self::Request => NorFlashErrorKind::NotAligned,
            Self::Host | Self::NotErased => NorFlashErrorKind::Other,
        }
    }
}

/// A host file with the manners of NOR flash.
pub struct NorFile(File);

impl NorFile {
    /// Size of the flash.
    pub const BYTES: usize = croupier::store::BYTES;

    /// Opens the file named by `nor=`, or `nor.bin`; a new one is erased flash.
    pub fn open() -> Result<Self, NorError> {
        let path = crate::host::path("nor");
        let path = path.as_deref().unwrap_or(c"nor.bin");
        let mut options = OpenOptions::new();
        options.read(true).write(true);
        let file = match options.open(path) {
            Ok(file) => file,
            Err(_) => options.create(true).truncate(true).open(path).map_err(|_| NorError::Host)?,
        };
        let mut nor = Self(file);
        let length = nor.0.metadata().map_err(|_| NorError::Host)?.len() as usize;
        for at in (length / PAGE * PAGE..Self::BYTES).step_by(PAGE) {
            nor.put(at, &[ERASED; PAGE])?;
        }
        Ok(nor)
    }

    fn get(&mut self, at: usize, bytes: &mut [u8]) -> Result<(), NorError> {
        self.0.seek(SeekFrom::Start(at as u64)).map_err(|_| NorError::Host)?;
        self.0.read_exact(bytes).map_err(|_| NorError::Host)
    }

    fn put(&mut self, at: usize, bytes: &[u8]) -> Result<(), NorError> {
        self.0.seek(SeekFrom::Start(at as u64)).map_err(|_| NorError::Host)?;
        self.0.write_all(bytes).map_err(|_| NorError::Host)
    }

    fn program(&mut self, at: usize, word: &[u8; WORD]) -> Result<(), NorError> {
        let mut now = [0; WORD];
        self.get(at, &mut now)?;
        if now != [ERASED; WORD] && *word != [0; WORD] {
            return Err(NorError::NotErased);
        }
        self.put(at, word)
    }
}

impl ErrorType for NorFile {
    type Error = NorError;
}

impl ReadNorFlash for NorFile {
    const READ_SIZE: usize = 1;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), NorError> {
        check_read(self, offset, bytes.len()).map_err(|_| NorError::Request)?;
        self.get(offset as usize, bytes)
    }

    fn capacity(&self) -> usize {
        Self::BYTES
    }
}

impl NorFlash for NorFile {
    const WRITE_SIZE: usize = WORD;
    const ERASE_SIZE: usize = PAGE;

    fn erase(&mut self, from: u32, to: u32) -> Result<(), NorError> {
        check_erase(self, from, to).map_err(|_| NorError::Request)?;
        for at in (from as usize..to as usize).step_by(PAGE) {
            self.put(at, &[ERASED; PAGE])?;
        }
        Ok(())
    }

    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), NorError> {
        check_write(self, offset, bytes.len()).map_err(|_| NorError::Request)?;
        let words = bytes.as_chunks::<WORD>().0;
        for (at, word) in (offset as usize..).step_by(WORD).zip(words) {
            self.program(at, word)?;
        }
        Ok(())
    }
}
