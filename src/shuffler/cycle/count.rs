//! The count: feed, slots and exit, which must agree with each other and the profile.
//!
//! Three beams count three times; the exit's number is the one that matters (SH-07). It is
//! shown when the cycle has ended, never before, and is not corrected afterwards (SH-08):
//! before a wrong number is shown, the wheel is searched for cards that stuck together.
//! Where the three disagree the machine is at fault, not the deck, which is shuffled and
//! counted again.

use crate::cards::BackColour;
use crate::protocol::generated::croupier::common::Role;
use crate::protocol::generated::croupier::shuffler::{CountVerdict as Verdict, Purpose};

use crate::shuffler::fault::Fault;

/// What was counted in one cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Tally {
    /// Cards that left the feed tray, in the first pass.
    pub fed: u16,
    /// Cards that went into slots, in the pass under way.
    pub slotted: u16,
    /// Cards that came out, in the pass under way.
    pub ejected: u16,
    /// Cover cards, in none of the numbers above (SH-26).
    pub cover_cards: u8,
    /// Backs of another colour (SH-18).
    pub foreign_backs: u8,
    /// Cards face up (SH-29).
    pub face_up: u8,
    /// In the end cards lay in the feed tray, or none in the delivery tray.
    pub strayed: bool,
}

impl Tally {
    /// Nothing counted.
    pub const NONE: Self = Self {
        fed: 0,
        slotted: 0,
        ejected: 0,
        cover_cards: 0,
        foreign_backs: 0,
        face_up: 0,
        strayed: false,
    };

    /// Whether what was counted in one place is not what was counted in another.
    pub const fn disagrees(&self) -> bool {
        self.fed != self.slotted || self.slotted != self.ejected || self.strayed
    }

    /// Whether it is right: `expected` is the profile's number, `None` for any (SH-28).
    pub const fn verdict(&self, expected: Option<u16>) -> Verdict {
        // A card too many that found no slot was counted, and waits before the wheel.
        let left_over = match expected {
            Some(expected) => self.fed > self.slotted && self.slotted >= expected,
            None => false,
        };
        if left_over && self.slotted == self.ejected {
            return Verdict::Wrong;
        }
        if self.disagrees() {
            return Verdict::NotValid;
        }
        match expected {
            None => Verdict::Partial,
            Some(expected) if expected == self.ejected => Verdict::Right,
            Some(_) => Verdict::Wrong,
        }
    }

    /// The fault for which these cards can be neither certified nor released.
    pub const fn fault(&self, expected: Option<u16>) -> Option<Fault> {
        match self.verdict(expected) {
            Verdict::NotValid | Verdict::None => Some(Fault::CountNotValid),
            Verdict::Wrong => Some(Fault::WrongCount(self.fed)),
            Verdict::Right | Verdict::Partial if self.face_up > 0 => {
                Some(Fault::FaceUp(self.face_up as u16))
            }
            Verdict::Right | Verdict::Partial => None,
        }
    }
}

/// The last count that came to its end: a card-checking receipt (SH-46).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Receipt {
    /// When, in milliseconds of the epoch; 0 if the clock was not set.
    pub utc_ms: u64,
    /// The kind of cycle.
    pub purpose: Purpose,
    /// The batch, by the colour of its backs.
    pub colour: Option<BackColour>,
    /// What the profile asks for; `None` for a partial batch.
    pub expected: Option<u16>,
    /// What was counted.
    pub tally: Tally,
    /// Whose authority started the cycle; the device's own for its keys.
    pub by: Role,
    /// Decks in a full batch of the game in force then.
    pub decks: u8,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(fed: u16, slotted: u16, ejected: u16) -> Tally {
        Tally { fed, slotted, ejected, ..Tally::default() }
    }

    /// SH-07, SH-10, SH-11: one card more or less shows at every batch size.
    #[test]
    fn one_card_too_many_or_too_few_is_wrong_at_every_batch_size() {
        for expected in [52_u16, 53, 208, 260, 312, 384, 416] {
            for off in [-5_i16, -2, -1, 0, 1, 2, 5] {
                let found = expected.checked_add_signed(off).unwrap();
                let fault = tally(found, found, found).fault(Some(expected));
                assert_eq!(fault, (off != 0).then_some(Fault::WrongCount(found)));
            }
        }
    }

    /// SH-09: counts that disagree are no count, even if the last one is right.
    #[test]
    fn counts_that_disagree_are_not_valid() {
        for wrong in [tally(51, 52, 52), tally(52, 51, 52), tally(52, 52, 51), tally(53, 53, 52)] {
            assert_eq!(wrong.verdict(Some(52)), Verdict::NotValid);
            assert_eq!(wrong.fault(Some(52)), Some(Fault::CountNotValid));
            assert_eq!(wrong.fault(None), Some(Fault::CountNotValid), "nor in a partial batch");
        }
    }

    /// SH-08: a card that found no slot is a card too many.
    #[test]
    fn a_card_left_before_the_wheel_is_one_too_many() {
        assert_eq!(tally(55, 54, 54).fault(Some(52)), Some(Fault::WrongCount(55)));
        assert_eq!(tally(53, 52, 52).fault(Some(52)), Some(Fault::WrongCount(53)));
    }

    /// SH-28.
    #[test]
    fn a_partial_batch_of_any_size_gets_no_verdict_on_its_number() {
        for found in 1..=416 {
            assert_eq!(tally(found, found, found).verdict(None), Verdict::Partial);
        }
    }

    /// SH-29.
    #[test]
    fn a_card_face_up_spoils_a_right_count() {
        let turned = Tally { face_up: 2, ..tally(52, 52, 52) };
        assert_eq!(turned.fault(Some(52)), Some(Fault::FaceUp(2)));
        assert_eq!(turned.fault(None), Some(Fault::FaceUp(2)));
    }
}
