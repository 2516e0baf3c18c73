//! The book: the last hundred numbers, what still stands, and why it is dark.
//!
//! All hundred are in memory. The last eight go to flash with every change, for a dispute
//! after a power cut; more would wear it out: at two changes a round and 88 bytes a
//! change, a page is erased once in 186 rounds, so 10,000 erases last 1.8 million rounds.
//! What is older than a power cut and eight rounds is the journal's to tell.

use core::num::NonZeroU8;

use embedded_storage::nor_flash::NorFlash;
use heapless::Deque;

use super::{Fault, segments};
use crate::office::Shelf;
use crate::store::{Key, Record, Store, StoreError};

/// Numbers that can be recalled (PG-15).
pub const RECALLED: usize = 100;
/// Of those, the ones that outlive a power cut.
pub const STORED: usize = 8;

const HEAD_BYTES: usize = 4;
const ENTRY_BYTES: usize = 9;
const BOOK_BYTES: usize = HEAD_BYTES + STORED * ENTRY_BYTES;

/// A number that was drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// Its round.
    pub round: u16,
    /// The number.
    pub number: NonZeroU8,
    /// Out of how many.
    pub positions: NonZeroU8,
    /// When, in milliseconds of the epoch; 0 if the clock was not set.
    pub utc_ms: u64,
}

impl Entry {
    fn to_bytes(self) -> [u8; ENTRY_BYTES] {
        let [low, high] = self.round.to_le_bytes();
        // Six bytes of milliseconds last until the year 10889.
        let [a, b, c, d, e, f, ..] = self.utc_ms.to_le_bytes();
        [low, high, self.number.get() << 4 | self.positions.get() & 0xF, a, b, c, d, e, f]
    }

    fn from_bytes([low, high, both, a, b, c, d, e, f]: [u8; ENTRY_BYTES]) -> Option<Self> {
        let (number, positions) = (NonZeroU8::new(both >> 4)?, NonZeroU8::new(both & 0xF)?);
        let possible = number <= positions && positions <= segments::HIGHEST;
        possible.then_some(Self {
            round: u16::from_le_bytes([low, high]),
            number,
            positions,
            utc_ms: u64::from_le_bytes([a, b, c, d, e, f, 0, 0]),
        })
    }
}

/// The last numbers, the newest first.
#[derive(Debug, Clone, Default)]
pub struct Book {
    entries: Deque<Entry, RECALLED>,
    /// Whether the newest still stands: its round has not ended.
    pub in_play: bool,
    /// Why the generator is dark.
    pub fault: Option<Fault>,
}

impl Book {
    /// An empty book.
    pub const fn new() -> Self {
        Self { entries: Deque::new(), in_play: false, fault: None }
    }

    /// Writes a number that now stands, in place of the oldest if need be.
    pub fn write(&mut self, entry: Entry) {
        if self.entries.is_full() {
            self.entries.pop_back();
        }
        self.in_play = self.entries.push_front(entry).is_ok();
    }

    /// Takes back the newest, which could not be kept and which nobody has seen.
    pub fn strike(&mut self) {
        self.entries.pop_front();
        self.in_play = false;
    }

    /// The number `back` draws before the last.
    pub fn recall(&self, back: usize) -> Option<&Entry> {
        self.entries.get(back)
    }

    /// The last number.
    pub fn last(&self) -> Option<&Entry> {
        self.entries.front()
    }

    /// The number that stands.
    pub fn standing(&self) -> Option<&Entry> {
        self.last().filter(|_| self.in_play)
    }
}

impl Record for Book {
    const KEY: Key = Key::LastNumber;
    type Buffer = [u8; BOOK_BYTES];
    const BUFFER: [u8; BOOK_BYTES] = [0; BOOK_BYTES];

    fn encode(&self, out: &mut [u8]) -> Option<usize> {
        let count = self.entries.len().min(STORED);
        let [kind, detail] = self.fault.map_or([0, 0], Fault::code);
        let out = out.get_mut(..HEAD_BYTES + count * ENTRY_BYTES)?;
        let (head, rest) = out.split_at_mut(HEAD_BYTES);
        head.copy_from_slice(&[count as u8, self.in_play.into(), kind, detail]);
        for (place, entry) in rest.as_chunks_mut().0.iter_mut().zip(&self.entries) {
            *place = entry.to_bytes();
        }
        Some(out.len())
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let (&[count, in_play, kind, detail], rest) = bytes.split_first_chunk()?;
        let (entries, rest) = rest.as_chunks();
        let whole = entries.len() == usize::from(count) && rest.is_empty();
        let sound = in_play <= 1 && in_play <= count && entries.len() <= STORED;
        if !whole || !sound {
            return None;
        }
        let mut book = Self::new();
        for entry in entries {
            book.entries.push_back(Entry::from_bytes(*entry)?).ok()?;
        }
        book.in_play = in_play == 1;
        book.fault = match [kind, detail] {
            [0, 0] => None,
            code => Some(Fault::from_code(code)?),
        };
        Some(book)
    }
}

/// Where the book is kept.
pub trait NumberStore {
    /// The book kept last.
    fn load_book(&mut self) -> Result<Option<Book>, StoreError>;
    /// Keeps it; it is durable when this returns.
    fn keep_book(&mut self, book: &Book) -> Result<(), StoreError>;
}

impl<F: NorFlash> NumberStore for Store<F> {
    fn load_book(&mut self) -> Result<Option<Book>, StoreError> {
        self.get()
    }

    fn keep_book(&mut self, book: &Book) -> Result<(), StoreError> {
        self.put(book)
    }
}

impl<F: NorFlash> NumberStore for Shelf<F> {
    fn load_book(&mut self) -> Result<Option<Book>, StoreError> {
        self.store()?.load_book()
    }

    fn keep_book(&mut self, book: &Book) -> Result<(), StoreError> {
        self.store()?.keep_book(book)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    fn entry(round: u16) -> Entry {
        Entry {
            round,
            number: NonZeroU8::new((round % 7) as u8 + 1).unwrap(),
            positions: segments::HIGHEST,
            utc_ms: 1_790_000_000_000 + u64::from(round),
        }
    }

    fn bytes(book: &Book) -> Vec<u8> {
        let mut room = Book::BUFFER;
        let length = book.encode(&mut room).unwrap();
        room[..length].to_vec()
    }

    /// PG-15.
    #[test]
    fn a_hundred_numbers_are_recalled_and_eight_survive_the_store() {
        let mut book = Book::new();
        assert_eq!((book.last(), book.recall(0)), (None, None));
        for round in 0..150 {
            book.write(entry(round));
        }
        assert_eq!(book.recall(99), Some(&entry(50)));
        assert_eq!(book.recall(100), None);
        let found = Book::decode(&bytes(&book)).unwrap();
        assert_eq!(found.recall(7), Some(&entry(142)));
        assert_eq!(found.recall(8), None);
        assert_eq!(found.standing(), Some(&entry(149)));
    }

    /// PG-16: a damaged book is none, never one with another number.
    #[test]
    fn no_book_is_made_up_from_wrong_bytes() {
        let mut book = Book::new();
        book.write(entry(3));
        book.fault = Some(Fault::Display(2));
        let good = bytes(&book);
        assert_eq!(Book::decode(&good).unwrap().fault, book.fault);
        for length in 0..good.len() {
            assert!(Book::decode(&good[..length]).is_none());
        }
        // Number 0, number 8 of 8, number 5 of 4, no such fault, in play without a number.
        for (place, value) in [(6, 0x07), (6, 0x88), (6, 0x54), (2, 9), (1, 2)] {
            let mut bad = good.clone();
            bad[place] = value;
            assert!(Book::decode(&bad).is_none(), "byte {place} is {value:#x}");
        }
        assert!(Book::decode(&[0, 1, 0, 0]).is_none());
    }
}
