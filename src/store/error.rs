//! Why the store refused, and what that leaves in flash.

use super::Key;

/// A flash operation the driver failed, or that did not do what it said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Operation {
    /// The driver could not read.
    Read,
    /// The driver could not program a word.
    Write,
    /// A word read back differs from what was programmed.
    Verify,
    /// The driver could not erase a page.
    Erase,
}

/// A refusal of the store. None of them makes up a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum StoreError {
    /// The flash is too small or its words do not fit: the store needs two banks of two pages.
    Geometry,
    /// Neither bank is ours, yet the flash is not blank. Only [`super::Store::format`] may take it.
    Unrecognised,
    /// A committed record no longer matches its CRC, found at this flash offset.
    Damaged(u32),
    /// A record of a key this firmware cannot keep: written by a newer one.
    UnknownKey(u8),
    /// The value is longer than its buffer or than [`super::LONGEST_VALUE`]. The old one is kept.
    TooLong,
    /// The live values and this one would not leave a page free. The old one is kept.
    Full,
    /// The stored bytes are whole but their type refuses them.
    Undecodable(Key),
    /// The flash failed. The old value holds now; after a restart it is the old or the new.
    Flash(Operation),
}
