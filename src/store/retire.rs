//! Changing a value: append a record, or retire the bank when it cannot take one.

use embedded_storage::nor_flash::NorFlash;

use super::bank::{Index, Place};
use super::pages::{CHUNK, Pages, is_blank_word};
use super::record::{Header, WORD};
use super::{Key, PIECE, Store, StoreError};

/// A key and its new value, or none any more.
type Change<'a> = (Key, Option<&'a [u8]>);

impl<F: NorFlash> Store<F> {
    /// Makes the change durable before it returns.
    pub(super) fn change(&mut self, key: Key, value: Option<&[u8]>) -> Result<(), StoreError> {
        let header = Header::new(key, value)?;
        if value.is_some() && header.size() > self.room_beside(key) {
            return Err(StoreError::Full);
        }
        self.changes = self.changes.saturating_add(header.size().div_ceil(PIECE));
        let fits = header.size() + self.kept_free() <= self.active.end - self.tail;
        if fits && !self.worn_tail {
            match self.pages.write_record(self.tail, header, value.unwrap_or_default()) {
                Ok(()) => {
                    let place = Place { at: self.tail, length: header.length };
                    self.tail += header.size();
                    self.stale_secret |= key.is_secret() && self.index.get(header.code).is_some();
                    return self.index.set(header.code, value.map(|_| place));
                }
                // Words behind the tail are spent now. The spare bank may still serve.
                Err(_) => self.worn_tail = true,
            }
        }
        self.stalls = self.stalls.saturating_add(1);
        self.retire(Some((key, value)))
    }

    /// Flash that only [`Self::retract`] may take.
    fn kept_free(&self) -> u32 {
        if self.vouched { WORD as u32 } else { 0 }
    }

    /// Writes to the log that the spare bank is erased, once it is. Where there is no room for
    /// that and for taking it back, it stays unsaid, and the next start erases again.
    pub(super) fn vouch(&mut self) {
        let room = self.active.end - self.tail >= 2 * WORD as u32;
        if self.spare_blank_to == self.spare.end && room && !self.vouched && !self.worn_tail {
            self.vouched = self.note(true);
        }
    }

    /// Takes it back, before the first word is written to the spare bank.
    ///
    /// Where the log takes no record any more, its first blank word is spent with zeros, which
    /// any word takes (RM0351 3.3.7): then it reads as torn, and a torn log vouches for nothing.
    pub(super) fn retract(&mut self) {
        if self.vouched && (self.worn_tail || !self.note(false)) && self.tail < self.active.end {
            let blank = self.pages.read_word(self.tail).is_ok_and(is_blank_word);
            let _ = if blank { self.pages.program(self.tail, &[0; WORD]) } else { Ok(()) };
        }
        self.vouched = false;
    }

    fn note(&mut self, erased: bool) -> bool {
        let header = Header::about_spare(erased);
        let written = self.pages.write_record(self.tail, header, &[]).is_ok();
        self.worn_tail |= !written;
        self.tail += if written { header.size() } else { 0 };
        written
    }

    /// Flash a value of `key` may take. One page stays free for the log, so that a full store
    /// still takes many small changes between two retirements.
    fn room_beside(&self, key: Key) -> u32 {
        let taken = self.index.live_bytes(Some(key.code())) + Pages::<F>::PAGE;
        (self.active.end - self.active.log_start()).saturating_sub(taken)
    }

    /// Moves the live values, with `change` made, to the spare bank, in one go. The old one is
    /// the spare then, and [chores](super::Chore) erase it.
    ///
    /// A failure leaves the old values in force, and every later change comes through here
    /// again, where the spare bank is erased first: a header that was written after all
    /// cannot win over values stored later.
    pub(super) fn retire(&mut self, change: Option<Change>) -> Result<(), StoreError> {
        // The second attempt erases first: blank to the eye is not always ready to program.
        let moved = self.move_to_spare(change).or_else(|_| self.move_to_spare(change));
        if moved.is_err() {
            self.worn_tail = true;
            let _ = self.erase_spare();
        }
        moved
    }

    pub(super) fn erase_spare(&mut self) -> Result<(), StoreError> {
        while self.spare_blank_to < self.spare.end {
            self.pages.erase_page(self.spare_blank_to)?;
            self.spare_blank_to += Pages::<F>::PAGE;
        }
        Ok(())
    }

    fn move_to_spare(&mut self, change: Option<Change>) -> Result<(), StoreError> {
        // What a move left there is erased, too.
        self.moving = None;
        self.erase_spare()?;
        self.retract();
        self.spare_blank_to = self.spare.start;
        let mut index = Index::EMPTY;
        let mut tail = self.spare.log_start();
        for (code, from) in self.index.others(change.map(|(key, _)| key.code())) {
            let header = self.header(from)?;
            self.pages.copy_record(&header, from.at, tail)?;
            index.set(code, Some(Place { at: tail, ..from }))?;
            tail += header.size();
        }
        if let Some((key, Some(value))) = change {
            let header = Header::new(key, Some(value))?;
            self.pages.write_record(tail, header, value)?;
            index.set(header.code, Some(Place { at: tail, length: header.length }))?;
            tail += header.size();
        }
        self.change_banks(index, tail)
    }

    /// Makes the spare bank, in which the live values lie as `index` says, the active one.
    pub(super) fn change_banks(&mut self, index: Index, tail: u32) -> Result<(), StoreError> {
        let generation = self.generation.saturating_add(1);
        // A header that was written after all must not win over values stored later.
        self.worn_tail = true;
        self.spare.commit(&mut self.pages, generation)?;
        core::mem::swap(&mut self.active, &mut self.spare);
        self.spare_blank_to = self.spare.start;
        (self.generation, self.index, self.tail) = (generation, index, tail);
        (self.worn_tail, self.stale_secret, self.vouched) = (false, false, false);
        Ok(())
    }

    /// The header of a live value, which must still be what the index says.
    pub(super) fn header(&mut self, place: Place) -> Result<Header, StoreError> {
        Header::from_word(self.pages.read_word(place.at)?)
            .filter(|header| header.length == place.length)
            .ok_or(StoreError::Damaged(place.at))
    }

    /// Whether `bytes` are what `key` holds already.
    pub(super) fn holds(&mut self, key: Key, bytes: &[u8]) -> Result<bool, StoreError> {
        let Some(place) = self.index.get(key.code()) else {
            return Ok(false);
        };
        let mut same = usize::from(place.length) == bytes.len();
        let length = super::record::size(place.length) - WORD as u32;
        self.pages.for_each_chunk(place.at + WORD as u32, length, |_, done, words| {
            let wanted = bytes.get(done as usize..).unwrap_or_default();
            same &= wanted.iter().zip(words).all(|(wanted, stored)| wanted == stored);
            Ok(same)
        })?;
        // The checks last: they cost more than all the rest, and most values are new.
        Ok(same && Header::new(key, Some(bytes))? == self.header(place)?)
    }
}

impl<F: NorFlash> Pages<F> {
    fn write_record(&mut self, at: u32, header: Header, value: &[u8]) -> Result<(), StoreError> {
        self.program(at, &header.to_word())?;
        let mut next = at + WORD as u32;
        for part in value.chunks(CHUNK) {
            let mut chunk = [0; CHUNK];
            for (byte, value) in chunk.iter_mut().zip(part) {
                *byte = *value;
            }
            let words = part.len().next_multiple_of(WORD);
            self.program(next, &chunk[..words])?;
            next += words as u32;
        }
        Ok(())
    }

    /// Copies a record as it is, and notices if it is not whole any more.
    fn copy_record(&mut self, header: &Header, from: u32, to: u32) -> Result<(), StoreError> {
        self.for_each_chunk(from, header.size(), |pages, done, words| {
            pages.program(to + done, words)?;
            Ok(true)
        })?;
        if self.is_whole(header, to)? { Ok(()) } else { Err(StoreError::Damaged(from)) }
    }
}
