//! Flash whose every operation is checked: what was programmed is read back.

use embedded_storage::nor_flash::NorFlash;

use super::record::WORD;
use super::{Operation, StoreError};

/// Bytes moved at a time: small enough for any stack, long enough to be quick.
pub(super) const CHUNK: usize = 64;

const BLANK: u8 = 0xFF;

/// A NOR flash with plain errors.
#[derive(Debug, Clone)]
pub(super) struct Pages<F> {
    pub flash: F,
}

impl<F: NorFlash> Pages<F> {
    /// Refuses, at compile time, flash whose words do not fit ours.
    pub(super) const PAGE: u32 = {
        assert!(WORD.is_multiple_of(F::WRITE_SIZE) && WORD.is_multiple_of(F::READ_SIZE));
        assert!(F::ERASE_SIZE.is_multiple_of(WORD));
        F::ERASE_SIZE as u32
    };

    pub(super) fn read(&mut self, at: u32, out: &mut [u8]) -> Result<(), StoreError> {
        self.flash.read(at, out).map_err(|_| StoreError::Flash(Operation::Read))
    }

    pub(super) fn read_word(&mut self, at: u32) -> Result<[u8; WORD], StoreError> {
        let mut word = [0; WORD];
        self.read(at, &mut word)?;
        Ok(word)
    }

    /// Programs whole words, at most [`CHUNK`] bytes, and reads them back.
    ///
    /// What reads back is what counts, also after a reported error: the next start will find
    /// it, so to call it lost would bring back a value that was called void.
    pub(super) fn program(&mut self, at: u32, words: &[u8]) -> Result<(), StoreError> {
        let reported = self.flash.write(at, words);
        let mut chunk = [0; CHUNK];
        let back = chunk.get_mut(..words.len()).ok_or(StoreError::TooLong)?;
        self.read(at, back)?;
        if back == words {
            return Ok(());
        }
        let failed = reported.map_or(Operation::Write, |()| Operation::Verify);
        Err(StoreError::Flash(failed))
    }

    pub(super) fn erase_page(&mut self, at: u32) -> Result<(), StoreError> {
        self.flash.erase(at, at + Self::PAGE).map_err(|_| StoreError::Flash(Operation::Erase))
    }

    pub(super) fn is_blank(&mut self, from: u32, to: u32) -> Result<bool, StoreError> {
        let mut all_blank = true;
        self.for_each_chunk(from, to.saturating_sub(from), |_, _, bytes| {
            // Byte by byte it would be a quarter of the start.
            let (words, _) = bytes.as_chunks();
            all_blank = words.iter().all(|word| is_blank_word(*word));
            Ok(all_blank)
        })?;
        Ok(all_blank)
    }

    /// Shows `visit` every chunk from `at` on, whole words, until it answers `false`.
    pub(super) fn for_each_chunk(
        &mut self,
        at: u32,
        length: u32,
        mut visit: impl FnMut(&mut Self, u32, &[u8]) -> Result<bool, StoreError>,
    ) -> Result<(), StoreError> {
        let mut chunk = [0; CHUNK];
        let mut done = 0;
        while done < length {
            let step = (length - done).min(CHUNK as u32);
            let words = &mut chunk[..step as usize];
            self.read(at + done, words)?;
            if !visit(self, done, words)? {
                break;
            }
            done += step;
        }
        Ok(())
    }
}

pub(super) fn is_blank_word(word: [u8; WORD]) -> bool {
    word == [BLANK; WORD]
}
