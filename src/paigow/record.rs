//! The record: the last hundred numbers, what still stands, and why it is dark.
//!
//! All hundred are in memory. The last eight go to flash with every number, for a dispute
//! after a power cut; more would wear it out: with the round's end, 10,000 erases of a page last
//! 2.8 million rounds (`tests/store/bounds.rs`). A certificate that is taken is 32 bytes more for each, which leaves
//! 2.1 million.
//! Older numbers are lost with the power.
//!
//! The end of a round is a record of its own, of two words. A command waits for it, and a whole
//! `Record` would hold the other tasks of the device for a millisecond.

use core::num::NonZeroU8;

use embedded_storage::nor_flash::NorFlash;
use heapless::Deque;

use super::certificate::Taken;
use super::{Fault, segments};
use crate::services::StoreHandle;
use crate::store::{self, Key, Store, StoreError};

/// Numbers that can be recalled (PG-15).
pub const RECALLED: usize = 100;
/// Of those, the ones that outlive a power cut.
pub const STORED: usize = 8;

const HEAD_BYTES: usize = 6;
const ENTRY_BYTES: usize = 9;
const RECORD_BYTES: usize = HEAD_BYTES + STORED * ENTRY_BYTES;
const SHUFFLING_BYTES: usize = 2 + 8 + 8 + 1 + 4;

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
pub struct Record {
    entries: Deque<Entry, RECALLED>,
    /// Numbers ever written, so that the end of one is not taken for the end of the next.
    written: u16,
    /// Whether the newest still stands: its round has not ended.
    pub in_play: bool,
    /// Why the generator is dark.
    pub fault: Option<Fault>,
}

impl Record {
    /// An empty record.
    pub const fn new() -> Self {
        Self { entries: Deque::new(), written: 0, in_play: false, fault: None }
    }

    /// Writes a number that now stands, in place of the oldest if need be.
    pub fn write(&mut self, entry: Entry) {
        if self.entries.is_full() {
            self.entries.pop_back();
        }
        self.in_play = self.entries.push_front(entry).is_ok();
        self.written = self.written.wrapping_add(1);
    }

    /// Takes back the newest, which could not be stored and was not shown.
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

    /// The end of the newest's round, as it is kept.
    pub fn end(&self) -> Ended {
        Ended(self.written)
    }

    /// Takes note that a round has ended. Another than the newest's says nothing of it.
    pub fn ended(&mut self, ended: Ended) {
        if ended == self.end() {
            self.in_play = false;
        }
    }

    /// The number that stands.
    pub fn standing(&self) -> Option<&Entry> {
        self.last().filter(|_| self.in_play)
    }
}

impl store::Record for Record {
    const KEY: Key = Key::PaiGowRecord;
    type Buffer = [u8; RECORD_BYTES];
    const BUFFER: [u8; RECORD_BYTES] = [0; RECORD_BYTES];

    fn encode(&self, out: &mut [u8]) -> Option<usize> {
        let count = self.entries.len().min(STORED);
        let [kind, detail] = self.fault.map_or([0, 0], Fault::code);
        let out = out.get_mut(..HEAD_BYTES + count * ENTRY_BYTES)?;
        let (head, rest) = out.split_at_mut(HEAD_BYTES);
        let [low, high] = self.written.to_le_bytes();
        head.copy_from_slice(&[count as u8, self.in_play.into(), kind, detail, low, high]);
        for (place, entry) in rest.as_chunks_mut().0.iter_mut().zip(&self.entries) {
            *place = entry.to_bytes();
        }
        Some(out.len())
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let (&[count, in_play, kind, detail, low, high], rest) = bytes.split_first_chunk()?;
        let (entries, rest) = rest.as_chunks();
        let whole = entries.len() == usize::from(count) && rest.is_empty();
        let sound = in_play <= 1 && in_play <= count && entries.len() <= STORED;
        if !whole || !sound {
            return None;
        }
        let mut record = Self::new();
        for entry in entries {
            record.entries.push_back(Entry::from_bytes(*entry)?).ok()?;
        }
        record.in_play = in_play == 1;
        record.written = u16::from_le_bytes([low, high]);
        record.fault = match [kind, detail] {
            [0, 0] => None,
            code => Some(Fault::from_code(code)?),
        };
        Some(record)
    }
}

/// The round of the number that was written as the so-manieth has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ended(u16);

impl store::Record for Ended {
    const KEY: Key = Key::EndedRound;
    type Buffer = [u8; 2];
    const BUFFER: [u8; 2] = [0; 2];

    fn encode(&self, out: &mut [u8]) -> Option<usize> {
        out.get_mut(..2)?.copy_from_slice(&self.0.to_le_bytes());
        Some(2)
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        Some(Self(u16::from_le_bytes(bytes.try_into().ok()?)))
    }
}

/// How 'shuffled' is known at this table, and which certificate was taken last.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Shuffling {
    /// By the shuffler's certificate; else by key or signal.
    pub by_certificate: bool,
    /// The last one taken.
    pub taken: Option<Taken>,
}

/// A byte for the setting, one for whether a certificate was taken, and that one or zeros.
impl store::Record for Shuffling {
    const KEY: Key = Key::Shuffling;
    type Buffer = [u8; SHUFFLING_BYTES];
    const BUFFER: [u8; SHUFFLING_BYTES] = [0; SHUFFLING_BYTES];

    fn encode(&self, out: &mut [u8]) -> Option<usize> {
        let out: &mut [u8; SHUFFLING_BYTES] = out.first_chunk_mut()?;
        *out = [0; SHUFFLING_BYTES];
        let [by_certificate, taken, rest @ ..] = out;
        *by_certificate = self.by_certificate.into();
        *taken = self.taken.is_some().into();
        if let Some(Taken { key, sequence, start, number }) = self.taken {
            let (key_place, rest) = rest.split_first_chunk_mut()?;
            let (sequence_place, rest) = rest.split_first_chunk_mut()?;
            let (start_place, number_place) = rest.split_first_mut()?;
            (*key_place, *sequence_place, *start_place) = (key, sequence.to_le_bytes(), start);
            number_place.copy_from_slice(&number.to_le_bytes());
        }
        Some(SHUFFLING_BYTES)
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let [by_certificate @ 0..=1, taken @ 0..=1, rest @ ..] = bytes else { return None };
        let (key, rest) = rest.split_first_chunk()?;
        let (sequence, rest) = rest.split_first_chunk()?;
        let (start, number) = rest.split_first()?;
        let number = u32::from_le_bytes(number.try_into().ok()?);
        let sequence = u64::from_le_bytes(*sequence);
        let last = Taken { key: *key, sequence, start: *start, number };
        Some(Self { by_certificate: *by_certificate == 1, taken: (*taken == 1).then_some(last) })
    }
}

/// Where the record is kept.
pub trait NumberStore {
    /// The record kept last.
    fn load_record(&mut self) -> Result<Option<Record>, StoreError>;
    /// Keeps it; it is durable when this returns.
    fn keep_record(&mut self, record: &Record) -> Result<(), StoreError>;
    /// Keeps that the round of its newest number has ended; durable when this returns.
    fn keep_end(&mut self, record: &Record) -> Result<(), StoreError>;
    /// How 'shuffled' is known, as kept last.
    fn load_shuffling(&mut self) -> Result<Option<Shuffling>, StoreError>;
    /// Keeps that; durable when this returns.
    fn keep_shuffling(&mut self, shuffling: &Shuffling) -> Result<(), StoreError>;
}

impl<F: NorFlash> NumberStore for Store<F> {
    fn load_record(&mut self) -> Result<Option<Record>, StoreError> {
        let Some(mut record) = self.get::<Record>()? else { return Ok(None) };
        if let Some(ended) = self.get()? {
            record.ended(ended);
        }
        Ok(Some(record))
    }

    fn keep_record(&mut self, record: &Record) -> Result<(), StoreError> {
        self.put(record)
    }

    fn keep_end(&mut self, record: &Record) -> Result<(), StoreError> {
        self.put(&record.end())
    }

    fn load_shuffling(&mut self) -> Result<Option<Shuffling>, StoreError> {
        self.get()
    }

    fn keep_shuffling(&mut self, shuffling: &Shuffling) -> Result<(), StoreError> {
        self.put(shuffling)
    }
}

impl<F: NorFlash> NumberStore for StoreHandle<F> {
    fn load_record(&mut self) -> Result<Option<Record>, StoreError> {
        self.store()?.load_record()
    }

    fn keep_record(&mut self, record: &Record) -> Result<(), StoreError> {
        self.store()?.keep_record(record)
    }

    fn keep_end(&mut self, record: &Record) -> Result<(), StoreError> {
        self.store()?.keep_end(record)
    }

    fn load_shuffling(&mut self) -> Result<Option<Shuffling>, StoreError> {
        self.store()?.load_shuffling()
    }

    fn keep_shuffling(&mut self, shuffling: &Shuffling) -> Result<(), StoreError> {
        self.store()?.keep_shuffling(shuffling)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Record as _;
    use std::vec::Vec;

    fn entry(round: u16) -> Entry {
        Entry {
            round,
            number: NonZeroU8::new((round % 7) as u8 + 1).unwrap(),
            positions: segments::HIGHEST,
            utc_ms: 1_790_000_000_000 + u64::from(round),
        }
    }

    fn bytes(record: &Record) -> Vec<u8> {
        let mut room = Record::BUFFER;
        let length = record.encode(&mut room).unwrap();
        room[..length].to_vec()
    }

    /// PG-15.
    #[test]
    fn a_hundred_numbers_are_recalled_and_eight_survive_the_store() {
        let mut record = Record::new();
        assert_eq!((record.last(), record.recall(0)), (None, None));
        for round in 0..150 {
            record.write(entry(round));
        }
        assert_eq!(record.recall(99), Some(&entry(50)));
        assert_eq!(record.recall(100), None);
        let found = Record::decode(&bytes(&record)).unwrap();
        assert_eq!(found.recall(7), Some(&entry(142)));
        assert_eq!(found.recall(8), None);
        assert_eq!(found.standing(), Some(&entry(149)));
    }

    /// PG-16: a damaged record is none, never one with another number.
    #[test]
    fn no_record_is_made_up_from_wrong_bytes() {
        let mut record = Record::new();
        record.write(entry(3));
        record.fault = Some(Fault::Display(2));
        let good = bytes(&record);
        assert_eq!(Record::decode(&good).unwrap().fault, record.fault);
        for length in 0..good.len() {
            assert!(Record::decode(&good[..length]).is_none());
        }
        // Number 0, number 8 of 8, number 5 of 4, no such fault, in play without a number.
        for (place, value) in [(8, 0x07), (8, 0x88), (8, 0x54), (2, 9), (1, 2)] {
            let mut bad = good.clone();
            bad[place] = value;
            assert!(Record::decode(&bad).is_none(), "byte {place} is {value:#x}");
        }
        assert!(Record::decode(&[0, 1, 0, 0, 0, 0]).is_none());
    }

    /// PG-10: what is kept of certificates comes back whole, and nothing is made up from wrong bytes.
    #[test]
    fn a_certificate_taken_survives_the_store() {
        let last = Taken { key: [7; 8], sequence: u64::MAX - 3, start: 250, number: 0xFF_FFFE };
        for (by_certificate, taken) in
            [(false, None), (true, None), (false, Some(last)), (true, Some(last))]
        {
            let shuffling = Shuffling { by_certificate, taken };
            let mut room = Shuffling::BUFFER;
            assert_eq!(shuffling.encode(&mut room), Some(SHUFFLING_BYTES));
            assert_eq!(Shuffling::decode(&room), Some(shuffling));
            for length in 0..room.len() {
                assert_eq!(Shuffling::decode(&room[..length]), None);
            }
            for place in 0..2 {
                let mut bad = room;
                bad[place] = 2;
                assert_eq!(Shuffling::decode(&bad), None);
            }
        }
    }

    /// PG-11, PG-17: the end of a round is kept for its own number, also where the next round has
    /// the same number, name and time.
    #[test]
    fn the_end_of_a_round_is_not_that_of_the_next() {
        let mut store = Store::open(crate::store::NorModel::<2048, 4>::new(1)).unwrap();
        let mut record = Record::new();
        record.write(entry(3));
        store.keep_record(&record).unwrap();
        assert!(store.load_record().unwrap().unwrap().in_play);
        store.keep_end(&record).unwrap();
        assert!(!store.load_record().unwrap().unwrap().in_play, "ended");
        record.write(entry(3));
        store.keep_record(&record).unwrap();
        assert!(store.load_record().unwrap().unwrap().in_play, "another number");
        store.keep_end(&record).unwrap();
        assert!(!store.load_record().unwrap().unwrap().in_play, "ended too");
        store.put_bytes(Key::EndedRound, &[1, 2, 3]).unwrap();
        assert!(store.load_record().is_err(), "no end is made up either");
    }
}
