//! A bank: some pages that begin with a generation, and the log behind it.

use embedded_storage::nor_flash::NorFlash;

use super::StoreError;
use super::pages::{Pages, is_blank_word};
use super::record::{Header, Kind, SPARE, WORD, generation_check, size};

/// Keys the index has room for, so that values of newer firmware are carried along.
pub(super) const CODES: usize = 32;

/// Half of the store's flash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bank {
    pub start: u32,
    pub end: u32,
}

/// Cuts the flash in two banks, each of two pages or more.
pub(super) fn banks<F: NorFlash>(pages: &Pages<F>) -> Result<[Bank; 2], StoreError> {
    let pages_each = pages.flash.capacity() as u32 / Pages::<F>::PAGE / 2;
    if pages_each < 2 {
        return Err(StoreError::Geometry);
    }
    let middle = pages_each * Pages::<F>::PAGE;
    Ok([Bank { start: 0, end: middle }, Bank { start: middle, end: 2 * middle }])
}

/// Where a live value lies: the offset of its record, and its length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub at: u32,
    pub length: u16,
}

/// Where every live value lies, so that reading one needs no search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Index([Option<Place>; CODES]);

impl Index {
    pub(super) const EMPTY: Self = Self([None; CODES]);

    pub(super) fn get(&self, code: u8) -> Option<Place> {
        self.0.get(usize::from(code)).copied().flatten()
    }

    pub(super) fn set(&mut self, code: u8, place: Option<Place>) -> Result<(), StoreError> {
        *self.0.get_mut(usize::from(code)).ok_or(StoreError::UnknownKey(code))? = place;
        Ok(())
    }

    /// The live values but the one of `code`.
    pub(super) fn others(&self, code: Option<u8>) -> impl Iterator<Item = (u8, Place)> + use<> {
        let places = (0..).zip(self.0);
        places
            .filter_map(move |(other, place)| Some((other, place?)).filter(|_| Some(other) != code))
    }

    /// Flash the records of [`Self::others`] take.
    pub(super) fn live_bytes(&self, code: Option<u8>) -> u32 {
        self.others(code).map(|(_, place)| size(place.length)).sum()
    }
}

/// What one pass over a bank found.
pub(super) struct Scan {
    pub index: Index,
    /// The first blank word.
    pub tail: u32,
    /// Whether the last record was cut short.
    pub torn: bool,
    /// Whether a secret lies there that was replaced or forgotten.
    pub stale_secret: bool,
    /// Whether the spare bank was erased to the end, and not used since.
    pub spare_erased: bool,
}

impl Bank {
    /// The generation of a committed bank.
    pub(super) fn generation<F: NorFlash>(
        &self,
        pages: &mut Pages<F>,
    ) -> Result<Option<u32>, StoreError> {
        let [a, b, c, d, check @ ..] = pages.read_word(self.start)?;
        let generation = u32::from_le_bytes([a, b, c, d]);
        let whole = u32::from_le_bytes(check) == generation_check(generation);
        Ok(whole.then_some(generation))
    }

    /// Makes the bank the active one: the store's moment of change.
    pub(super) fn commit<F: NorFlash>(
        &self,
        pages: &mut Pages<F>,
        generation: u32,
    ) -> Result<(), StoreError> {
        let [a, b, c, d] = generation.to_le_bytes();
        let [e, f, g, h] = generation_check(generation).to_le_bytes();
        pages.program(self.start, &[a, b, c, d, e, f, g, h])
    }

    /// Erases the bank, its header first.
    pub(super) fn erase<F: NorFlash>(&self, pages: &mut Pages<F>) -> Result<(), StoreError> {
        let page = Pages::<F>::PAGE as usize;
        (self.start..self.end).step_by(page).try_for_each(|at| pages.erase_page(at))
    }

    /// Where the first record goes.
    pub(super) fn log_start(&self) -> u32 {
        self.start + WORD as u32
    }

    /// Reads the log once, from its first record to the end of the bank.
    pub(super) fn scan<F: NorFlash>(&self, pages: &mut Pages<F>) -> Result<Scan, StoreError> {
        let mut scan = Scan {
            index: Index::EMPTY,
            tail: self.log_start(),
            torn: false,
            stale_secret: false,
            spare_erased: false,
        };
        while scan.tail < self.end {
            let word = pages.read_word(scan.tail)?;
            if is_blank_word(word) {
                break;
            }
            let header =
                Header::from_word(word).filter(|header| header.size() <= self.end - scan.tail);
            let Some(header) = header else {
                scan.torn = true;
                break;
            };
            if !pages.is_whole(&header, scan.tail)? {
                scan.torn = true;
                scan.tail += header.size() - WORD as u32;
                break;
            }
            let place = Place { at: scan.tail, length: header.length };
            scan.stale_secret |= header.is_secret() && scan.index.get(header.code).is_some();
            if header.code == SPARE {
                scan.spare_erased = header.kind == Kind::Forgotten;
            } else {
                scan.index.set(header.code, (header.kind == Kind::Value).then_some(place))?;
            }
            scan.tail += header.size();
        }
        // A cut leaves nothing behind the record it tore, so anything there is damage.
        let rest = scan.tail + if scan.tail < self.end { WORD as u32 } else { 0 };
        if !pages.is_blank(rest, self.end)? {
            return Err(StoreError::Damaged(scan.tail));
        }
        Ok(scan)
    }
}

impl<F: NorFlash> Pages<F> {
    /// Whether the value behind `header` at `at` matches its CRC.
    pub(super) fn is_whole(&mut self, header: &Header, at: u32) -> Result<bool, StoreError> {
        let mut check = header.check();
        let mut left = usize::from(header.length);
        self.for_each_chunk(at + WORD as u32, header.size() - WORD as u32, |_, _, words| {
            let value = &words[..left.min(words.len())];
            check.update(value);
            left -= value.len();
            Ok(true)
        })?;
        Ok(check.finalize() == header.crc)
    }
}
