//! One stored value: its key, its type's promise, and its shape in flash.

use crc::{Digest, NoTable};

use super::LONGEST_VALUE;
use crate::checksum::CASTAGNOLI;

/// What a value is. The number is in flash for good: append new ones, never renumber.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Key {
    /// The game profile in force.
    Profile = 1,
    /// When each batch of cards was opened (SH-40).
    BatchClocks = 2,
    /// The shuffler's record: cards moving, inventory, certificate, fault (SH-22, SH-23).
    ShufflerRecord = 3,
    /// The Pai Gow number of the round in play (PG-11).
    PaiGowRecord = 4,
    /// The reader's record: rounds, malfunctions, last check (RD-10).
    ReaderRecord = 5,
    /// The taught brand of cards.
    Brand = 6,
    /// The first sequence number not yet reserved.
    Sequence = 7,
    /// Role keys and the device's own. Secret.
    Keys = 8,
    /// The random core's latched fault (PG-08, SH-23).
    RngLatch = 9,
    /// The end of the last Pai Gow round (PG-11).
    EndedRound = 10,
    /// How the generator knows that cards are shuffled, and the last certificate taken (PG-10).
    Shuffling = 13,
    /// A time of day that has been (CM-09).
    KeptTime = 14,
}

impl Key {
    /// The byte in flash.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// Whether a replaced value must leave the flash (CM-10): as soon as nothing moves, or at the
    /// next start.
    ///
    /// Such a change retires the whole bank, so keep secrets that change often out of here.
    pub const fn is_secret(self) -> bool {
        matches!(self, Self::Keys)
    }
}

/// A type the store can keep, one value of it.
pub trait Record: Sized {
    /// Where it is kept. No two types may share one.
    const KEY: Key;

    /// Room for the longest encoding: `[u8; N]`.
    type Buffer: AsMut<[u8]>;

    /// An empty buffer.
    const BUFFER: Self::Buffer;

    /// Writes the value to `out` and says how many bytes, or `None` if it does not fit.
    fn encode(&self, out: &mut [u8]) -> Option<usize>;

    /// The value in `bytes`, or `None` if they are not exactly one. Never a default.
    fn decode(bytes: &[u8]) -> Option<Self>;
}

/// The unit of programming and of ECC.
pub(super) const WORD: usize = 8;

/// What a record does to its key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Value,
    Forgotten,
}

/// The code of a record about the spare bank: forgotten says that it was erased to the end,
/// a value of no bytes that it was taken into use since. No [`Key`] has it.
pub(super) const SPARE: u8 = 0;

/// The first word of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Header {
    pub code: u8,
    pub kind: Kind,
    pub length: u16,
    pub crc: u32,
}

impl Header {
    /// The header for `value`, or for its absence.
    pub(super) fn new(key: Key, value: Option<&[u8]>) -> Result<Self, super::StoreError> {
        let kind = if value.is_some() { Kind::Value } else { Kind::Forgotten };
        let value = value.unwrap_or_default();
        if value.len() > LONGEST_VALUE {
            return Err(super::StoreError::TooLong);
        }
        let mut header = Self { code: key.code(), kind, length: value.len() as u16, crc: 0 };
        let mut check = header.check();
        check.update(value);
        header.crc = check.finalize();
        Ok(header)
    }

    /// The record that says whether the spare bank is known to be erased.
    pub(super) fn about_spare(erased: bool) -> Self {
        let kind = if erased { Kind::Forgotten } else { Kind::Value };
        let header = Self { code: SPARE, kind, length: 0, crc: 0 };
        Self { crc: header.check().finalize(), ..header }
    }

    /// The CRC over everything but the value, which the caller adds.
    #[inline(never)] // called from many places
    pub(super) fn check(&self) -> Digest<'static, u32, NoTable> {
        let mut digest = CASTAGNOLI.digest();
        let [low, high] = self.length.to_le_bytes();
        digest.update(&[self.code, self.kind as u8, low, high]);
        digest
    }

    /// A byte that says the kind and proves the length, even when the value is torn: a false
    /// length would hide the records behind it.
    fn tag(&self) -> u8 {
        let [tag, ..] = self.check().finalize().to_le_bytes();
        tag
    }

    pub(super) fn to_word(self) -> [u8; WORD] {
        let [low, high] = self.length.to_le_bytes();
        let [a, b, c, d] = self.crc.to_le_bytes();
        [self.code, self.tag(), low, high, a, b, c, d]
    }

    /// The header in `word`, if it can be one. Only the CRC proves that it is.
    pub(super) fn from_word(word: [u8; WORD]) -> Option<Self> {
        let [code, tag, low, high, a, b, c, d] = word;
        let length = u16::from_le_bytes([low, high]);
        let crc = u32::from_le_bytes([a, b, c, d]);
        [Kind::Value, Kind::Forgotten]
            .map(|kind| Self { code, kind, length, crc })
            .into_iter()
            .find(|header| header.tag() == tag && usize::from(length) <= LONGEST_VALUE)
    }

    /// Whether its value is secret.
    pub(super) fn is_secret(&self) -> bool {
        self.code == Key::Keys.code()
    }

    /// Flash the whole record takes.
    pub(super) fn size(&self) -> u32 {
        size(self.length)
    }
}

/// Flash a record with a value of `length` bytes takes.
#[inline(never)] // called from many places
pub(super) fn size(length: u16) -> u32 {
    (WORD + usize::from(length).next_multiple_of(WORD)) as u32
}

/// The CRC in a bank's header, which tells it from any record and from blank flash.
pub(super) fn generation_check(generation: u32) -> u32 {
    let mut digest = CASTAGNOLI.digest();
    digest.update(b"croupier store 1");
    digest.update(&generation.to_le_bytes());
    digest.finalize()
}
