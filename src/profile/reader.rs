//! What binds a hole-card reader.
//!
//! A peek answers one question under some up-cards; a Masque shows a range under all of them.
//! Each kind carries only its own rules, so a Masque cannot have peek up-cards, nor a peek a
//! wrong light (RD-23).

use super::{Clause, NextStep, Ruled};
use crate::cards::Rank;

/// The rules on the reader of one game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ReaderRules {
    /// Which reader, with the rules of its kind.
    pub kind: ReaderKind,
    /// Fixed to the table, and inspected at the start of each gaming day.
    pub inspection: Clause,
    /// What is settled before the card goes in, in this order (RD-14).
    pub before_read: Ruled<&'static [BeforeRead]>,
    /// What a malfunction demands.
    pub malfunction: Ruled<NextStep>,
}

/// The two kinds of reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum ReaderKind {
    /// Says only whether the dealer has a Blackjack.
    Peek {
        /// What it is for: this question and no other.
        definition: Clause,
        /// The up-cards under which it is asked.
        up_cards: Ruled<UpCards>,
        /// What a card inserted under another up-card demands.
        wrong_up_card: Ruled<NextStep>,
    },
    /// Shows Small, Medium or Large.
    Masque {
        /// The three ranges and their lights.
        ranges: Clause,
        /// Read under every up-card; Large under a Large up-card is turned up before play.
        every_up_card: Clause,
        /// What a wrong light demands.
        wrong_light: Ruled<NextStep>,
    },
}

impl ReaderKind {
    /// Whether the card is read under this up-card (RD-03, RD-04).
    pub const fn reads_under(self, up_card: Rank) -> bool {
        match self {
            Self::Peek { up_cards, .. } => up_cards.rule.call_for_peek(up_card),
            Self::Masque { .. } => true,
        }
    }
}

/// The up-cards that call for a peek.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum UpCards {
    /// Ace, king, queen, jack: the game has no tens.
    AceOrFace,
    /// Ace, king, queen, jack, 10.
    AceOrTenValue,
}

impl UpCards {
    /// Whether `up_card` is one of them.
    pub const fn call_for_peek(self, up_card: Rank) -> bool {
        match self {
            Self::AceOrFace => matches!(up_card, Rank::Ace | Rank::King | Rank::Queen | Rank::Jack),
            Self::AceOrTenValue => up_card.is_ace() || up_card.is_ten_value(),
        }
    }
}

/// A thing the dealer settles before the hole card is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum BeforeRead {
    /// The Double Attack wager, made on the up-card before other cards are dealt.
    DoubleAttack,
    /// Match-the-Dealer is settled.
    MatchTheDealer,
    /// Players' Blackjacks are paid.
    PlayerBlackjacks,
    /// Insurance is offered under an ace.
    Insurance,
    /// Insurance or even money is offered under an ace.
    InsuranceOrEvenMoney,
}

/// Whether a hand may be surrendered, and what the read has to do with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Surrender {
    /// Late surrender may have the same card read again (RD-12).
    MayReadAgain,
    /// Settled once the card has been read.
    AfterRead,
    /// Not late, that is, not after the dealer's cards; the rule says no more.
    NotLate,
    /// Not at all.
    NotOffered,
}
