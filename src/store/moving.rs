//! Moving the live values to the spare bank ahead of need, some words at a time.
//!
//! A bank's worth of words takes the chip a twentieth of a second, and a caller that changes a
//! value
//! cannot wait for that. So the move is made in steps of [`STEP`] bytes, when nothing moves and
//! before the bank is full. Changes go on in the active bank meanwhile: a value that was
//! changed after it was copied is copied again, for the newest record of a key is its value.
//! The spare bank's header comes last, as ever. A power cut before it leaves a spare bank
//! that is erased at the next start.

use crc::{Digest, NoTable};
use embedded_storage::nor_flash::NorFlash;

use super::bank::{CODES, Index, Place};
use super::record::{Header, Kind, WORD};
use super::{Store, StoreError};

/// Most bytes a step copies: eight words, two thirds of a millisecond on the chip.
pub(super) const STEP: u32 = 64;

/// How far a move has come.
#[derive(Debug, Clone)]
pub(super) struct Move {
    /// Where the copies lie.
    index: Index,
    /// Of which record each is a copy; 0 of none.
    from: [u32; CODES],
    tail: u32,
    part: Option<Part>,
}

/// A record of which a part is copied.
#[derive(Clone)]
struct Part {
    header: Header,
    from: Place,
    done: u32,
    check: Digest<'static, u32, NoTable>,
}

impl core::fmt::Debug for Part {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Part({:?}, {:?}, {})", self.header, self.from, self.done)
    }
}

impl Move {
    const fn to(tail: u32) -> Self {
        Self { index: Index::EMPTY, from: [0; CODES], tail, part: None }
    }

    /// The next value whose newest record is not copied yet.
    fn next(&self, live: &Index) -> Option<(u8, Place)> {
        let copied = |code: u8| self.from.get(usize::from(code)).copied();
        live.others(None).find(|(code, place)| copied(*code) != Some(place.at))
    }

    /// The next key whose value was forgotten after it was copied.
    fn next_forgotten(&self, live: &Index) -> Option<u8> {
        self.index.others(None).map(|(code, _)| code).find(|code| live.get(*code).is_none())
    }

    fn set(&mut self, code: u8, from: u32, copy: Option<Place>) -> Result<(), StoreError> {
        if let Some(known) = self.from.get_mut(usize::from(code)) {
            *known = from;
        }
        self.index.set(code, copy)
    }
}

impl<F: NorFlash> Store<F> {
    /// Takes the next step of a move, or begins one. Whether it is done.
    ///
    /// After a failure the spare bank must be erased again, and the move starts over: it is put
    /// back only after a step that succeeded.
    #[inline(never)] // its caller is a task, and larger than it should be
    pub(super) fn step_move(&mut self) -> Result<bool, StoreError> {
        let Some(mut moving) = self.moving.take() else {
            // From here on the spare is not blank, whatever becomes of the move.
            self.retract();
            self.spare_blank_to = self.spare.start;
            self.moving = Some(Move::to(self.spare.log_start()));
            return Ok(false);
        };
        if let Some(part) = moving.part.take() {
            moving.part = self.copy_on(&mut moving, part)?;
        } else if let Some((code, from)) = moving.next(&self.index) {
            let header = self.header(from)?;
            if header.code != code {
                return Err(StoreError::Damaged(from.at));
            }
            self.fits(&moving, &header)?;
            let part = Part { header, from, done: 0, check: header.check() };
            moving.part = self.copy_on(&mut moving, part)?;
        } else if let Some(code) = moving.next_forgotten(&self.index) {
            let header = Header::forgotten(code);
            self.fits(&moving, &header)?;
            self.pages.program(moving.tail, &header.to_word())?;
            moving.tail += header.size();
            moving.set(code, 0, None)?;
        } else {
            self.change_banks(moving.index, moving.tail)?;
            return Ok(true);
        }
        self.moving = Some(moving);
        Ok(false)
    }

    /// Values that change all the time could fill the spare bank with copies.
    fn fits(&self, moving: &Move, header: &Header) -> Result<(), StoreError> {
        let room = self.spare.end - moving.tail;
        if header.size() <= room { Ok(()) } else { Err(StoreError::Full) }
    }

    /// Copies the next words of a record; what is left to do of it.
    fn copy_on(&mut self, moving: &mut Move, mut part: Part) -> Result<Option<Part>, StoreError> {
        let step = (part.header.size() - part.done).min(STEP);
        let mut chunk = [0; STEP as usize];
        let words = chunk.get_mut(..step as usize).unwrap_or_default();
        self.pages.read(part.from.at + part.done, words)?;
        self.pages.program(moving.tail + part.done, words)?;
        let value = words.get(if part.done == 0 { WORD } else { 0 }..).unwrap_or_default();
        let before = part.done.saturating_sub(WORD as u32);
        let left = usize::from(part.header.length).saturating_sub(before as usize);
        part.check.update(value.get(..left.min(value.len())).unwrap_or_default());
        part.done += step;
        if part.done < part.header.size() {
            return Ok(Some(part));
        }
        if part.check.finalize() != part.header.crc {
            return Err(StoreError::Damaged(part.from.at));
        }
        let copy = Place { at: moving.tail, ..part.from };
        moving.tail += part.header.size();
        moving.set(part.header.code, part.from.at, Some(copy))?;
        Ok(None)
    }
}

impl Header {
    /// The record that takes away the value of `code`.
    fn forgotten(code: u8) -> Self {
        let header = Self { code, kind: Kind::Forgotten, length: 0, crc: 0 };
        Self { crc: header.check().finalize(), ..header }
    }
}

const _: () = assert!(STEP as usize <= super::pages::CHUNK, "read back in one go");
