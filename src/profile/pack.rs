//! Decks, batches, and how long they live.
//!
//! The shuffler's count rests on this file: what a full batch holds is never typed in twice, it
//! is the decks times the kind of deck.

use core::time::Duration;

use super::{Clause, Dealing, Ruled, ShufflerKind};
use crate::cards::Rank;

/// The cards a game is played with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Pack {
    /// How many decks one batch may hold.
    pub decks: Ruled<Decks>,
    /// What each deck is made of.
    pub deck: Deck,
    /// The clause that says so; South Dakota leaves the ordinary deck unsaid.
    pub deck_clause: Option<Clause>,
}

impl Pack {
    /// The cards in a batch of `decks`, if the game is played with that many.
    pub const fn total(&self, decks: u8) -> Option<u16> {
        if self.decks.rule.allows(decks) {
            Some(self.deck.cards() as u16 * decks as u16)
        } else {
            None
        }
    }
}

/// The numbers of decks that one batch may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Decks {
    /// One of these, smallest first.
    OneOf(&'static [u8]),
    /// One or more; the machine, not the rule, sets the limit.
    AtLeastOne,
}

impl Decks {
    /// Whether a batch of `decks` is lawful.
    pub const fn allows(self, decks: u8) -> bool {
        match self {
            Self::AtLeastOne => decks > 0,
            Self::OneOf(numbers) => {
                let mut at = 0;
                while at < numbers.len() {
                    if numbers[at] == decks {
                        return true;
                    }
                    at += 1;
                }
                false
            }
        }
    }
}

/// What one deck is made of. There are only these three.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Deck {
    /// 52 cards.
    Standard,
    /// 48 cards: the four tens are taken out.
    WithoutTens,
    /// 53 cards: exactly one joker.
    WithJoker,
}

impl Deck {
    /// The cards in one deck.
    pub const fn cards(self) -> u8 {
        match self {
            Self::Standard => 52,
            Self::WithoutTens => 48,
            Self::WithJoker => 53,
        }
    }

    /// The jokers in one deck.
    pub const fn jokers(self) -> u8 {
        matches!(self, Self::WithJoker) as u8
    }

    /// Whether the deck has cards of `rank`. One that it has not is evidence of a wrong deck (RD-17).
    pub const fn has(self, rank: Rank) -> bool {
        !matches!((self, rank), (Self::WithoutTens, Rank::Ten))
    }
}

/// The cover cards on the table. They travel with the cards and are never counted (SH-26).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum CoverCards {
    /// This many.
    Exactly(u8),
    /// This many or more.
    AtLeast(u8),
}

/// The rules on two batches. The backs differ in colour, the decks in each are as many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Batches {
    /// Whether there must be two.
    pub two: Ruled<TwoBatches>,
    /// As many decks in the one as in the other (SH-15).
    pub equal: Clause,
    /// The clause that takes a continuous machine out of the rule, and so allows one.
    pub continuous: Option<Clause>,
    /// When they change places.
    pub alternation: Ruled<Alternation>,
    /// Only one batch's cards in the discard rack: a foreign back is a fault (SH-18).
    pub unmixed: Clause,
}

impl Batches {
    /// Whether a machine of this kind may work with this many batches (SH-15, SH-16, SH-19).
    ///
    /// A continuous machine stores no second batch to alternate with, so one circulates in it, where
    /// a clause allows the machine at all.
    pub const fn allows(&self, shuffler: ShufflerKind, batches: u8) -> bool {
        match (shuffler, self.two.rule) {
            (ShufflerKind::Continuous, _) => self.continuous.is_some() && batches == 1,
            (ShufflerKind::Batch, TwoBatches::Mandatory) => batches == 2,
            (ShufflerKind::Batch, TwoBatches::Optional) => batches == 1 || batches == 2,
        }
    }
}

/// Whether a batch shuffler must have two batches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum TwoBatches {
    /// It must; a continuous one is outside the rule.
    Mandatory,
    /// It may.
    Optional,
}

/// When the two batches change places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Alternation {
    /// Each is used for every other shoe.
    EveryOtherShoe,
    /// Each is used for every other round.
    EveryOtherRound,
}

/// How long decks may be used. Counted from opening, the earliest start any clause can mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum DeckLife {
    /// The same however the cards are dealt.
    Hours(u8),
    /// Shorter when the cards are handled more.
    HandOrShoe {
        /// Hours when dealt by hand.
        hand_hours: u8,
        /// Hours when dealt from a manual or automated shoe.
        shoe_hours: u8,
    },
}

impl DeckLife {
    /// The limit for one way of dealing. Who deals in both ways keeps to the shorter one (SH-40).
    pub const fn limit(self, dealing: Dealing) -> Duration {
        let hours = match (self, dealing) {
            (Self::Hours(hours), _) => hours,
            (Self::HandOrShoe { hand_hours, .. }, Dealing::Hand) => hand_hours,
            (Self::HandOrShoe { shoe_hours, .. }, Dealing::ManualShoe | Dealing::AutomatedShoe) => {
                shoe_hours
            }
        };
        Duration::from_secs(hours as u64 * 60 * 60)
    }
}
