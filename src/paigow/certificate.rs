//! What a certificate of the shuffler proves about the cards of a round (PG-10).
//!
//! RELEASED arms, and not ISSUED. ISSUED says that a stack lies ready inside the shuffler; with two decks in
//! turn that is often the deck of the next round, while this one is dealt. RELEASED is published for certified
//! cards alone, once, when the dealer gets them: certified, and the deck in play. A REVOKED between the two
//! leaves nothing to release. A REVOKED after it that names another batch says nothing about these cards;
//! one that names this batch or none takes the round's shuffle back: unknown means no.
//!
//! A certificate is taken once. The seal's sequence rises through all starts of the shuffler, but an event
//! that is sent again has a new one; so the stamp must be newer as well. Both are in flash before the round is
//! opened. The shuffler and the generator share no clock: a certificate that was never forwarded can be
//! forwarded late, for one number, until a newer one is.

use crate::node::Forwarded;
use crate::protocol::generated::croupier::shuffler::{
    Batch, Certificate, CertificateReason, CertificateState,
};
use crate::protocol::seal::Refusal;

/// Why a forwarded certificate does not count: the detail of CERTIFICATE_REFUSED.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Doubt {
    /// No key of a shuffler is provisioned: none can be checked.
    NoKey = 1,
    /// The seal is not the shuffler's, or not over these bytes.
    Forged = 2,
    /// It does not say that certified cards were released for dealing.
    NotReleased = 3,
    /// Not the number of cards that the profile asks for.
    WrongCount = 4,
    /// This one was taken before, or a newer one was.
    Used = 5,
}

/// Which certificate was taken last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Taken {
    /// The check of the key that sealed it: a new shuffler counts for itself.
    pub key: [u8; 8],
    /// The number in its seal.
    pub sequence: u64,
    /// The start in its stamp.
    pub start: u8,
    /// The number in its stamp.
    pub number: u32,
}

impl Taken {
    fn of(forwarded: &Forwarded<Certificate>) -> Self {
        let Forwarded { event, sequence, key } = *forwarded;
        Self { key, sequence, start: event.stamp.start, number: event.stamp.number }
    }

    /// Whether it is newer than `last`. A start that comes again after 256 others may be refused
    /// until its stamps are higher.
    fn is_newer_than(&self, last: &Self) -> bool {
        if self.key != last.key {
            return true;
        }
        self.sequence > last.sequence && (self.start != last.start || self.number > last.number)
    }
}

/// What a certificate says that counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Said {
    /// These certified cards were released for dealing.
    Released(Batch),
    /// This batch, or one that is not named, is certified no more.
    Revoked(Batch),
}

/// What was forwarded, judged: whether the shuffler said it, it is new, and it is about as many cards
/// as the profile asks for.
pub fn judge(
    forwarded: Result<Forwarded<Certificate>, Refusal>,
    cards: u16,
    last: Option<Taken>,
) -> Result<(Said, Taken), Doubt> {
    let forwarded = forwarded.map_err(|refusal| match refusal {
        Refusal::NoKey => Doubt::NoKey,
        _ => Doubt::Forged,
    })?;
    let Certificate { state, reason, batch, .. } = forwarded.event;
    let said = match (state, reason) {
        (CertificateState::Revoked, _) => Said::Revoked(batch),
        (CertificateState::None, CertificateReason::Released) if batch != Batch::None => {
            Said::Released(batch)
        }
        _ => return Err(Doubt::NotReleased),
    };
    if matches!(said, Said::Released(_)) && forwarded.event.cards != cards {
        return Err(Doubt::WrongCount);
    }
    let taken = Taken::of(&forwarded);
    if last.is_some_and(|last| !taken.is_newer_than(&last)) {
        return Err(Doubt::Used);
    }
    Ok((said, taken))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::generated::croupier::common::Stamp;

    fn forwarded(sequence: u64, start: u8, number: u32) -> Forwarded<Certificate> {
        let event = Certificate {
            stamp: Stamp { start, number, ..Stamp::default() },
            reason: CertificateReason::Released,
            batch: Batch::First,
            cards: 53,
            ..Certificate::default()
        };
        Forwarded { event, sequence, key: [1; 8] }
    }

    fn taken(sequence: u64, start: u8, number: u32) -> Option<Taken> {
        Some(Taken::of(&forwarded(sequence, start, number)))
    }

    /// PG-10: the deck of the profile, certified and released; every other word is doubted by name.
    #[test]
    fn only_the_release_of_the_right_number_of_cards_counts() {
        let good = forwarded(9, 1, 5);
        let judged = |spoil: fn(&mut Certificate)| {
            let mut forwarded = good;
            spoil(&mut forwarded.event);
            judge(Ok(forwarded), 53, None).map(|(said, _)| said)
        };
        assert_eq!(judged(|_| {}), Ok(Said::Released(Batch::First)));
        assert_eq!(judged(|c| c.batch = Batch::Second), Ok(Said::Released(Batch::Second)));
        assert_eq!(judged(|c| c.batch = Batch::None), Err(Doubt::NotReleased));
        assert_eq!(judged(|c| c.state = CertificateState::Issued), Err(Doubt::NotReleased));
        assert_eq!(judged(|c| c.reason = CertificateReason::WholeCycle), Err(Doubt::NotReleased));
        assert_eq!(judged(|c| c.reason = CertificateReason::None), Err(Doubt::NotReleased));
        for cards in [0, 52, 54, 106] {
            let wrong = Forwarded { event: Certificate { cards, ..good.event }, ..good };
            assert_eq!(judge(Ok(wrong), 53, None), Err(Doubt::WrongCount), "{cards}");
        }
        // A revocation names no cards, and perhaps no batch.
        let revoked = judged(|c| {
            (c.state, c.reason) = (CertificateState::Revoked, CertificateReason::Lid);
            (c.batch, c.cards) = (Batch::None, 0);
        });
        assert_eq!(revoked, Ok(Said::Revoked(Batch::None)));
        assert_eq!(judge(Err(Refusal::NoKey), 53, None), Err(Doubt::NoKey));
        for refusal in [Refusal::BadMac, Refusal::UnknownRole, Refusal::Truncated] {
            assert_eq!(judge(Err(refusal), 53, None), Err(Doubt::Forged));
        }
    }

    /// PG-10: each is taken once, and none that is older: by its seal, and by its stamp where it was
    /// sent again with a new seal.
    #[test]
    fn a_certificate_is_taken_once_and_none_older_than_it() {
        let after = |last, sequence, start, number| {
            judge(Ok(forwarded(sequence, start, number)), 53, last).map(|_| ())
        };
        let last = taken(100, 3, 20);
        assert_eq!(after(last, 100, 3, 20), Err(Doubt::Used), "the same");
        assert_eq!(after(last, 130, 3, 20), Err(Doubt::Used), "sent again");
        assert_eq!(after(last, 130, 3, 19), Err(Doubt::Used), "an older one, sent again");
        assert_eq!(after(last, 99, 3, 21), Err(Doubt::Used), "an older seal");
        assert_eq!(after(last, 99, 2, 40), Err(Doubt::Used), "of an older start");
        assert_eq!(after(last, 101, 3, 21), Ok(()));
        assert_eq!(after(last, 101, 4, 0), Ok(()), "of a new start");
        let other_shuffler = last.map(|last| Taken { key: [2; 8], ..last });
        assert_eq!(after(other_shuffler, 5, 3, 1), Ok(()), "its numbers are its own");
    }
}
