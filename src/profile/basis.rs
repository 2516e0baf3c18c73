//! Which clause of a game an irregularity rests on.
//!
//! One place for all devices, so that no message can go out without a decision: a trouble that is
//! added to the DSDL does not compile until it has its line here. Where a chapter is silent the
//! line says `None`, or names the clause that is followed by analogy.

use super::{Basis, Clause, NextStep, Play, Profile, ReaderKind, WrongCount};
use crate::identity::DeviceKind;
use crate::protocol::generated::croupier::common as wire;
use wire::{Dealing, Trouble};

impl Profile {
    /// What `trouble` of a device of this `kind` rests on, if the people are asked for `step`.
    ///
    /// `None` where no clause of this game bears on it.
    pub fn basis(
        &self,
        kind: DeviceKind,
        trouble: Trouble,
        step: wire::NextStep,
        dealing: Dealing,
    ) -> Option<Basis> {
        let clause = match trouble {
            // The clock is asked for because the age of a batch rests on it.
            Trouble::ClockFault if step == wire::NextStep::SetClock => {
                self.deck_life.map(|life| life.clause)
            }
            // Of these no chapter speaks.
            Trouble::None
            | Trouble::Crashed
            | Trouble::JournalFault
            | Trouble::KeyStuck
            | Trouble::SealsRefused
            | Trouble::RequestsDropped
            | Trouble::Opened
            | Trouble::CardLeft => None,
            // A part that fails is told by what the device then is: out of use, or not.
            Trouble::StoreFault
            | Trouble::ClockFault
            | Trouble::LampFault
            | Trouble::EntropyFault
            | Trouble::ImageAltered
            | Trouble::OutputFault
            | Trouble::Tampered
            | Trouble::SensorFault
            | Trouble::WindowDirty
            | Trouble::BrandLost
            | Trouble::Contradiction
            | Trouble::Unusable
            | Trouble::SelectionFault => self.out_of_use(kind, step),
            Trouble::InspectionDue
            | Trouble::InspectionFailed
            | Trouble::WrongUpCard
            | Trouble::NoUpCard
            | Trouble::CannotRead
            | Trouble::SecondQuestion
            | Trouble::QuickRepeat
            | Trouble::WrongLight => self.of_reader(trouble),
            Trouble::WrongDeck => self.pack.deck_clause,
            Trouble::ForeignBack => self.batches.map(|batches| batches.unmixed),
            Trouble::SameBatchAgain => self.batches.map(|batches| batches.alternation.clause),
            Trouble::UnequalBatch => self.batches.map(|batches| batches.equal),
            Trouble::DeckLifeNear | Trouble::DeckLifeOver | Trouble::BatchNotOpened => {
                self.deck_life.map(|life| life.clause)
            }
            Trouble::BatchMissing => self.batches.map(|batches| batches.equal),
            Trouble::BatchStored | Trouble::BatchInPlay => {
                self.batches.map(|batches| batches.alternation.clause)
            }
            Trouble::CoverCard => self.cover_cards.map(|cards| cards.clause),
            Trouble::FaceUp => return self.face_up().map(Basis::ByAnalogy),
            Trouble::WrongCount => return self.wrong_count(),
            // Cards that may be on the table are a question; cards that are missing, a count.
            Trouble::InventoryWrong if step == NextStep::RemoveDeck.into() => {
                return self.wrong_count();
            }
            Trouble::InventoryWrong => None,
            Trouble::StubDue => self.stub_count(dealing),
            Trouble::CountNotValid if step == wire::NextStep::CountStub => self.stub_count(dealing),
            Trouble::Jam
            | Trouble::DoubleFeed
            | Trouble::NoPick
            | Trouble::Stall
            | Trouble::Interrupted
            | Trouble::CountNotValid => self.shuffler.map(|rules| rules.jam.clause),
            Trouble::CardInside => self.shuffler.map(|rules| rules.shuffle_after.clause),
            // A number is for cards that are shuffled, and for one round.
            Trouble::EarlyPress
            | Trouble::NotByKey
            | Trouble::CertificateRefused
            | Trouble::CertificateRevoked => self.round()?.drawing.map(|drawing| drawing.when),
            Trouble::SecondPress | Trouble::RoundTooShort => {
                self.start_numbers().map(|numbers| numbers.clause)
            }
            Trouble::SeatsNotSix => self.seats.map(|seats| seats.clause),
        };
        clause.map(Basis::Said)
    }

    /// The clause that asks for `step` when a device of this kind cannot be used.
    fn out_of_use(&self, kind: DeviceKind, step: wire::NextStep) -> Option<Clause> {
        match (kind, step) {
            (DeviceKind::Reader, wire::NextStep::StopTable) => {
                Some(self.reader()?.malfunction.clause)
            }
            (DeviceKind::Shuffler, wire::NextStep::CoverOrSign) => {
                Some(self.shuffler?.unusable.clause)
            }
            (DeviceKind::PaiGow, wire::NextStep::UseShaker) => Some(self.round()?.drawing?.shaker),
            _ => None,
        }
    }

    /// What binds the reader: the two kinds have different clauses.
    fn of_reader(&self, trouble: Trouble) -> Option<Clause> {
        let reader = self.reader()?;
        match (trouble, reader.kind) {
            (Trouble::InspectionDue | Trouble::InspectionFailed, _) => Some(reader.inspection),
            (Trouble::WrongUpCard, ReaderKind::Peek { wrong_up_card, .. }) => {
                Some(wrong_up_card.clause)
            }
            // The card is read under this clause, and shown to no one.
            (Trouble::NoUpCard | Trouble::CannotRead, ReaderKind::Peek { up_cards, .. }) => {
                Some(up_cards.clause)
            }
            (Trouble::CannotRead, ReaderKind::Masque { every_up_card, .. }) => Some(every_up_card),
            // The device is for one question, and a second one asks for more.
            (
                Trouble::SecondQuestion | Trouble::QuickRepeat,
                ReaderKind::Peek { definition, .. },
            ) => Some(definition),
            (Trouble::WrongLight, ReaderKind::Masque { wrong_light, .. }) => {
                Some(wrong_light.clause)
            }
            _ => None,
        }
    }

    /// A card face up: every chapter speaks of the deal, none of the shuffle (SH-29).
    fn face_up(&self) -> Option<Clause> {
        match &self.play {
            Play::Shoe(shoe) => shoe.face_up.map(|face_up| face_up.clause),
            Play::Round(round) => Some(round.two_face_up.clause),
        }
    }

    fn wrong_count(&self) -> Option<Basis> {
        self.shuffler.map(|rules| match rules.wrong_count {
            WrongCount::Said(clause) => Basis::Said(clause),
            WrongCount::ByAnalogy(clause) => Basis::ByAnalogy(clause),
        })
    }

    /// What has the dealer count by hand; a shoe game has no such clause (SH-09).
    fn stub_count(&self, dealing: Dealing) -> Option<Clause> {
        self.round().map(|round| round.hand_count.clause.for_dealing(dealing))
    }
}

impl Clause {
    /// Of clauses that stand for the ways of dealing, the one for this way; else the clause itself.
    ///
    /// A chapter has them in this order: manual shoe, hand, automated shoe. They say the same: if
    /// the way of dealing was not set, the first is as good as the others.
    fn for_dealing(self, dealing: Dealing) -> Self {
        let place = match dealing {
            Dealing::Unsaid | Dealing::ManualShoe => 0,
            Dealing::Hand => 1,
            Dealing::AutomatedShoe => 2,
        };
        let mut clauses = self.0.split(", ");
        let first = clauses.clone().next();
        Self(clauses.nth(place).or(first).unwrap_or(self.0))
    }
}
