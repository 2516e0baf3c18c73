//! A brand of cards: what thirteen taught ranks look like, in fixed memory.
//!
//! A read lays the brand's stencil over the mean of the three frame sets to find how the
//! card lies, then judges each set by itself: a card that moves, or a lamp that flickers,
//! makes the sets disagree, and the answer is that there is none.

use super::answer::{Question, Reading};
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
    id: u16,
    pub(super) taught: Taught,
    /// How well each rank fits the cards of each, wherever they lie.
    pub(super) alike: Alike,
}

/// The bytes are no brand, or one in which a bit has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Damaged;

impl Brand {
    pub(super) const fn new(id: u16, taught: Taught, alike: Alike) -> Self {
        Self { id, taught, alike }
    }

    /// The number its supervisor gave it.
    pub const fn id(&self) -> u16 {
        self.id
    }

    /// SHA-256 of all that is stored of it, reckoned anew: what a laboratory compares.
    pub fn hash(&self) -> [u8; 32] {
        let bytes = self.to_bytes();
        core::array::from_fn(|i| bytes[HASH_AT + i])
    }

    /// The bytes to keep in flash.
    pub fn to_bytes(&self) -> [u8; BRAND_BYTES] {
        let mut bytes = [0; BRAND_BYTES];
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
        bytes
    }

    /// The brand that was kept, unless a bit of it has changed.
    pub fn from_bytes(bytes: &[u8; BRAND_BYTES]) -> Result<Self, Damaged> {
        let hash = sha256(&[&bytes[..HASH_AT]]).bytes();
        let &[layout, low, high, across, down, floors, ..] = bytes;
        if hash[..] != bytes[HASH_AT..] || layout != LAYOUT {
            return Err(Damaged);
        }
        let value = |at: usize| bytes[at].cast_signed();
        let place = |at: usize, i: usize| (value(at + 2 * i), value(at + 2 * i + 1));
        let point = |i: usize| place(POINTS_AT, i);
        let stencil = Stencil { centre: (across, down), points: core::array::from_fn(point) };
        let part = |rank: usize, i: usize| value(ROWS_AT + rank * POINTS + i);
        let rows = core::array::from_fn(|rank| core::array::from_fn(|i| part(rank, i)));
        let alike = |best: usize, rank: usize| bytes[ALIKE_AT + best * RANKS + rank];
        let alike = core::array::from_fn(|best| core::array::from_fn(|rank| alike(best, rank)));
        let first_sight = core::array::from_fn(|rank| bytes[SIGHT_AT + rank]);
        let spots = core::array::from_fn(|i| place(GROUND_AT, i));
        let ground = Ground { spots, floors: usize::from(floors).min(SPOTS) };
        let taught = Taught::new(stencil, ground, rows, first_sight);
        Ok(Self::new(u16::from_le_bytes([low, high]), taught, alike))
    }

    /// Answers `question` about the card in `capture`; `tens`: the game's deck has tens.
    pub fn read(&self, capture: &Capture, question: Question, tens: bool) -> Reading {
        self.answer(&self.sight(capture), alone(capture), question, tens)
    }

    /// Whether every question about this card of `rank` is answered rightly.
    pub fn proves(&self, rank: Rank, capture: &Capture) -> bool {
        let (sight, alone) = (self.sight(capture), alone(capture));
        [Question::Ace, Question::TenValue, Question::Range].into_iter().all(|question| {
            let answer = self.answer(&sight, alone, question, true).answer;
            answer == class(question, rank as usize)
        })
    }

    fn answer(&self, sight: &Sight, alone: bool, question: Question, tens: bool) -> Reading {
        let reading = verdict(sight, &self.alike, question, tens);
        if alone { reading } else { Reading::CANNOT_READ }
    }

    /// How well each rank fits each set, at poses that all of them share, and how well the best
    /// one fits them all.
    fn sight(&self, capture: &Capture) -> Sight {
        let inks: [Ink; SETS] = core::array::from_fn(|set| Ink::of(&capture.sets[set]));
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
