//! The certificate: whether the cards inside count as shuffled.
//!
//! Only the end of a whole clean cycle issues one: [`Certificate::earned`] is the only way to
//! make it. Everything else can only take it away (SH-22): lid, door and power too. So while it
//! stands, the batch is the only one inside and untouched, and some games may deal it unspread
//! after an idle hour (SH-25). Cards laid into the feed tray do not end it: 590.5(g)(2) has the
//! cards from the table put into the device first, and only then the stored batch removed.

use crate::cards::BackColour;
use crate::profile::{IdleBatch, Profile};
use crate::protocol::generated::croupier::shuffler::{
    CertificateReason as Reason, CertificateState,
};

use crate::protocol::generated::croupier::shuffler::Purpose;
use crate::shuffler::cycle::count::{Receipt, Tally};

/// Whether the cards inside count as shuffled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Certificate {
    /// Never certified, or dealt since.
    #[default]
    None,
    /// Whole cycle, right count, right backs, nothing face up.
    Issued(Certified),
    /// Ended by a fault or an interruption, until a full reshuffle.
    Revoked(Reason),
}

/// What is certified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Certified {
    /// The batch, by the colour of its backs.
    pub colour: BackColour,
    /// How many cards were counted.
    pub cards: u16,
    /// It was released last, and shuffled again on a floorperson's word (SH-17).
    pub again: bool,
}

impl Certificate {
    /// The certificate a finished cycle earns; `None` if it earns none.
    pub fn earned(receipt: &Receipt) -> Option<Self> {
        let Receipt { purpose: Purpose::FullBatch, expected: Some(cards), tally, .. } = *receipt
        else {
            return None;
        };
        let Tally { foreign_backs: 0, .. } = tally else { return None };
        if tally.fault(Some(cards)).is_some() {
            return None;
        }
        let colour = receipt.colour?;
        Some(Self::Issued(Certified { colour, cards, again: false }))
    }

    /// What is certified, if something is.
    pub const fn certified(&self) -> Option<Certified> {
        match self {
            Self::Issued(certified) => Some(*certified),
            Self::None | Self::Revoked(_) => None,
        }
    }

    /// Ends it for `reason`.
    pub fn revoke(&mut self, reason: Reason) {
        *self = Self::Revoked(reason);
    }

    /// The state as the wire names it.
    pub const fn state(&self) -> CertificateState {
        match self {
            Self::None => CertificateState::None,
            Self::Issued(_) => CertificateState::Issued,
            Self::Revoked(_) => CertificateState::Revoked,
        }
    }

    /// Whether the game lets this batch be dealt unspread after an idle hour (SH-25). Elsewhere it is
    /// spread before use.
    pub fn may_be_dealt_unspread(&self, profile: &Profile) -> bool {
        let allowed = profile
            .shuffler
            .is_some_and(|rules| rules.idle_batch.rule == IdleBatch::UsableIfSingleAndSecure);
        allowed && self.certified().is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::Game;
    use crate::protocol::generated::croupier::common::Role;
    use std::vec::Vec;

    fn receipt(purpose: Purpose, cards: u16) -> Receipt {
        let tally = Tally { fed: cards, slotted: cards, ejected: cards, ..Tally::default() };
        let colour = Some(BackColour::Red);
        let (expected, by) = (Some(52), Role::Dealer);
        Receipt { utc_ms: 0, purpose, colour, expected, tally, by, decks: 1 }
    }

    /// SH-22, SH-28, SH-14: whole, right, and for a full batch; or none.
    #[test]
    fn only_a_whole_clean_full_batch_earns_a_certificate() {
        let good = receipt(Purpose::FullBatch, 52);
        assert!(Certificate::earned(&good).is_some());
        let spoilt: [fn(&mut Receipt); 8] = [
            |r| r.purpose = Purpose::PartialBatch,
            |r| r.purpose = Purpose::CountOnly,
            |r| r.expected = None,
            |r| r.tally.ejected = 51,
            |r| r.tally.slotted = 53,
            |r| r.tally.face_up = 1,
            |r| r.tally.foreign_backs = 1,
            |r| r.colour = None,
        ];
        for spoil in spoilt {
            let mut bad = good;
            spoil(&mut bad);
            assert_eq!(Certificate::earned(&bad), None, "{bad:?}");
        }
        assert_eq!(Certificate::earned(&receipt(Purpose::FullBatch, 51)), None);
    }

    /// SH-25: 588, 590, 591 and 672a, and only while it is certified.
    #[test]
    fn a_stored_batch_is_dealt_unspread_in_four_games_and_only_while_certified() {
        let mut certificate = Certificate::earned(&receipt(Purpose::FullBatch, 52)).unwrap();
        let games = |certificate: &Certificate| -> Vec<&str> {
            let profiles = Game::ALL.into_iter().map(Game::profile);
            profiles
                .filter(|profile| certificate.may_be_dealt_unspread(profile))
                .map(|profile| profile.chapter)
                .collect()
        };
        assert_eq!(games(&certificate), ["590", "672a", "591", "588"]);
        certificate.revoke(Reason::Lid);
        assert_eq!(certificate.certified(), None);
        assert!(games(&certificate).is_empty());
        assert!(games(&Certificate::None).is_empty());
    }
}
