//! A brand of cards: what thirteen taught ranks look like, in fixed memory.
//!
//! A read lays the brand's stencil over the mean of the three frame sets to find how the
//! card lies, then judges each set by itself: a card that moves, or a lamp that flickers,
//! makes the sets disagree, and the answer is that there is none.

use super::answer::{Judgement, Question};
use super::edge::alone;
use super::frame::{Capture, SETS};
use super::ground::{Ground, SPOTS};
use super::ink::Ink;
use super::search::{best, drift, lies, scores, whole_fit};
use super::stencil::{POINTS, Stencil};
use super::taught::{RANKS, Taught};
use super::verdict::{Alike, Sight, class, verdict};
use crate::cards::Rank;
use crate::hash::sha256;

/// Ranks that are looked for closely, of those that fit best at first sight.
const CANDIDATES: usize = 4;

/// What these bytes are, so that another layout is never mistaken for this one.
const LAYOUT: u8 = 3;
const HEAD: usize = 6;
const POINTS_AT: usize = HEAD;
const GROUND_AT: usize = POINTS_AT + 2 * POINTS;
const ROWS_AT: usize = GROUND_AT + 2 * SPOTS;
const ALIKE_AT: usize = ROWS_AT + RANKS * POINTS;
const SIGHT_AT: usize = ALIKE_AT + RANKS * RANKS;
const HASH_AT: usize = SIGHT_AT + RANKS;

/// Bytes that a stored brand takes.
pub const BRAND_BYTES: usize = HASH_AT + 32;

/// A taught brand.
pub struct Brand {
    pub(super) id: u16,
    pub(super) taught: Taught,
    /// How well each rank fits the cards of each, wherever they lie.
    pub(super) alike: Alike,
}

/// The bytes are no brand, or one in which a bit has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Damaged;

impl Brand {
    /// A brand of nothing, to be filled where it lies.
    pub const BLANK: Self = Self { id: 0, taught: Taught::BLANK, alike: [[0; RANKS]; RANKS] };

    /// The number its supervisor gave it.
    pub const fn id(&self) -> u16 {
        self.id
    }

    /// SHA-256 of all that is stored of it, computed again: what a laboratory compares.
    pub fn hash(&self) -> [u8; 32] {
        let mut bytes = [0; BRAND_BYTES];
        self.write(&mut bytes);
        core::array::from_fn(|i| bytes[HASH_AT + i])
    }

    /// The bytes to keep in flash.
    pub fn to_bytes(&self) -> [u8; BRAND_BYTES] {
        let mut bytes = [0; BRAND_BYTES];
        self.write(&mut bytes);
        bytes
    }

    /// Writes the bytes to keep in flash.
    #[inline(never)] // once, for all who keep and compare it
    pub fn write(&self, bytes: &mut [u8; BRAND_BYTES]) {
        let [low, high] = self.id.to_le_bytes();
        let Stencil { centre, points } = &self.taught.stencil;
        let Ground { spots, floors } = &self.taught.ground;
        let floors = *floors as u8; // at most SPOTS
        bytes[..HEAD].copy_from_slice(&[LAYOUT, low, high, centre.0, centre.1, floors]);
        let places = points.iter().chain(spots).flat_map(|point| [point.0, point.1]);
        let rows = self.taught.rows.iter().flatten().copied();
        for (byte, value) in bytes[POINTS_AT..ALIKE_AT].iter_mut().zip(places.chain(rows)) {
            *byte = value.cast_unsigned();
        }
        bytes[ALIKE_AT..SIGHT_AT].copy_from_slice(self.alike.as_flattened());
        bytes[SIGHT_AT..HASH_AT].copy_from_slice(&self.taught.first_sight);
        let hash = sha256(&[&bytes[..HASH_AT]]).bytes();
        bytes[HASH_AT..].copy_from_slice(&hash);
    }

    /// The brand that was kept, unless a bit of it has changed.
    pub fn from_bytes(bytes: &[u8; BRAND_BYTES]) -> Result<Self, Damaged> {
        let mut brand = Self::BLANK;
        brand.take(bytes).map(|()| brand)
    }

    /// Becomes the brand that was kept, unless a bit of it has changed: then it is none.
    #[inline(never)]
    pub fn take(&mut self, bytes: &[u8; BRAND_BYTES]) -> Result<(), Damaged> {
        let hash = sha256(&[&bytes[..HASH_AT]]).bytes();
        let &[layout, low, high, across, down, floors, ..] = bytes;
        if hash[..] != bytes[HASH_AT..] || layout != LAYOUT {
            return Err(Damaged);
        }
        let Taught { stencil, ground, rows, first_sight, .. } = &mut self.taught;
        let places = stencil.points.iter_mut().chain(&mut ground.spots);
        for (place, [across, down]) in places.zip(bytes[POINTS_AT..].as_chunks().0) {
            *place = (across.cast_signed(), down.cast_signed());
        }
        for (part, byte) in rows.as_flattened_mut().iter_mut().zip(&bytes[ROWS_AT..]) {
            *part = byte.cast_signed();
        }
        (stencil.centre, ground.floors) = ((across, down), usize::from(floors).min(SPOTS));
        self.alike.as_flattened_mut().copy_from_slice(&bytes[ALIKE_AT..SIGHT_AT]);
        first_sight.copy_from_slice(&bytes[SIGHT_AT..HASH_AT]);
        self.id = u16::from_le_bytes([low, high]);
        self.taught.prepare();
        Ok(())
    }

    /// Answers `question` about the card in `capture`; `tens`: the game's deck has tens.
    #[inline(never)]
    pub fn read(&self, capture: &Capture, question: Question, tens: bool) -> Judgement {
        self.answer(&self.sight(capture), alone(capture), question, tens)
    }

    /// Whether every question about this card of `rank` is answered rightly.
    #[inline(never)]
    pub fn proves(&self, rank: Rank, capture: &Capture) -> bool {
        let (sight, alone) = (self.sight(capture), alone(capture));
        [Question::Ace, Question::TenValue, Question::Range].into_iter().all(|question| {
            let answer = self.answer(&sight, alone, question, true).answer;
            answer == class(question, rank as usize)
        })
    }

    fn answer(&self, sight: &Sight, alone: bool, question: Question, tens: bool) -> Judgement {
        let reading = verdict(sight, &self.alike, question, tens);
        if alone { reading } else { Judgement::CANNOT_READ }
    }

    /// How well each rank fits each set, at poses that all of them share, and how well the best
    /// one fits them all.
    fn sight(&self, capture: &Capture) -> Sight {
        let mut inks = [const { Ink::none() }; SETS];
        inks.iter_mut().zip(&capture.sets).for_each(|(ink, set)| ink.see(set));
        let mean = Ink::mean(&inks);
        let lies = lies::<CANDIDATES>(&self.taught, &mean);
        let sets = inks.each_ref().map(|ink| {
            let mut scores = scores(&self.taught, ink, &lies);
            scores.drift = drift(&self.taught, ink, &lies);
            scores
        });
        let first = best(sets[0].fits.iter().copied());
        Sight { whole: whole_fit(&self.taught, &mean, &lies, first), sets }
    }
}
