//! Why the shuffler stopped, what the rule asks next, and who may clear it.
//!
//! Every fault ends the certificate and asks for one thing in words (CM-06): reshuffle,
//! remove the deck, change it, tell the floor, or cover the machine. Which faults are grave enough to put
//! the machine out of order is decided here too.

use super::card_path::event::{Axis, Beam};
use crate::entropy::RngFault;
use crate::profile::Profile;
use crate::protocol::generated::croupier::common::{Irregularity, NextStep, Role, Trouble};
use crate::protocol::generated::croupier::shuffler::CertificateReason as Reason;

/// A place on the way of the cards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Station {
    /// Behind the pick roller.
    Mouth = 0,
    /// In front of the wheel.
    Throat = 1,
    /// Behind the ejector.
    Exit = 2,
    /// At the diverter.
    Diverter = 3,
}

/// What broke a cycle off from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Cut {
    /// Power failed, or the device restarted.
    Power = 0,
    /// The lid was opened.
    Lid = 1,
    /// The door was opened.
    Door = 2,
    /// A person or the controller stopped it.
    Stopped = 3,
}

/// Why it stopped. Each latches through power loss until its role clears it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Fault {
    /// A card is stuck, or a beam is blocked where no card was asked for (SH-22).
    Jam(Station),
    /// Two cards went as one, also after they were taken back three times.
    DoubleFeed,
    /// A card came before the one ahead was in the wheel.
    Overrun,
    /// Cards lie in the tray, and the roller takes none.
    NoPick,
    /// A motor did not follow.
    Stall(Axis),
    /// The motion controller does not answer.
    Unanswered,
    /// Power, lid, door or a person ended the cycle (SH-22).
    Interrupted(Cut),
    /// Not the number the profile asks for; this many came out (SH-08).
    WrongCount(u16),
    /// Feed, slots and exit disagree (SH-09).
    CountNotValid,
    /// A back of another colour; its place in the feed, from 1 (SH-18).
    ForeignBack(u16),
    /// This many cards lay face up (SH-29).
    FaceUp(u16),
    /// This batch was played last: the other one's turn (SH-17).
    SameBatchAgain,
    /// More cover cards than there is room for (SH-26).
    CoverCards,
    /// Inside, chute and out do not make the batch (SH-19).
    InventoryWrong(u16),
    /// The batch has expired (SH-40).
    DeckLifeOver,
    /// No clock says how old the batch is (SH-40, CM-09).
    ClockUnset,
    /// The batch was never opened, or was retired: its age is not known (SH-40).
    BatchNotOpened,
    /// A beam, the eye or the chain of sensors gives no reading that can be.
    Sensor(Beam),
    /// The random core is latched; the number is its cause's code.
    Random(u8),
    /// Something could not be kept or read.
    Store,
    /// Too many cycles in a row came to nothing.
    TooManyFaults,
}

impl Fault {
    /// As four bytes, for the store: the kind, which is never zero, a place, and a number.
    pub const fn code(self) -> [u8; 4] {
        let (kind, place, number) = match self {
            Self::Jam(station) => (1, station as u8, 0),
            Self::DoubleFeed => (2, 0, 0),
            Self::Overrun => (3, 0, 0),
            Self::NoPick => (4, 0, 0),
            Self::Stall(axis) => (5, axis as u8, 0),
            Self::Unanswered => (6, 0, 0),
            Self::Interrupted(cut) => (7, cut as u8, 0),
            Self::WrongCount(found) => (8, 0, found),
            Self::CountNotValid => (9, 0, 0),
            Self::ForeignBack(place) => (10, 0, place),
            Self::FaceUp(cards) => (11, 0, cards),
            Self::SameBatchAgain => (12, 0, 0),
            Self::CoverCards => (13, 0, 0),
            Self::InventoryWrong(cards) => (14, 0, cards),
            Self::DeckLifeOver => (15, 0, 0),
            Self::Sensor(beam) => (16, beam as u8, 0),
            Self::Random(cause) => (17, cause, 0),
            Self::Store => (18, 0, 0),
            Self::TooManyFaults => (19, 0, 0),
            Self::ClockUnset => (30, 0, 0),
            Self::BatchNotOpened => (31, 0, 0),
        };
        let [low, high] = number.to_le_bytes();
        [kind, place, low, high]
    }

    /// The fault with these bytes.
    pub fn from_code(code: [u8; 4]) -> Option<Self> {
        let [kind, place, low, high] = code;
        let number = u16::from_le_bytes([low, high]);
        let fault = match kind {
            1 => Self::Jam(
                *[Station::Mouth, Station::Throat, Station::Exit, Station::Diverter]
                    .get(usize::from(place))?,
            ),
            2 => Self::DoubleFeed,
            3 => Self::Overrun,
            4 => Self::NoPick,
            5 => Self::Stall(
                *[Axis::Wheel, Axis::Pick, Axis::Throat, Axis::Eject].get(usize::from(place))?,
            ),
            6 => Self::Unanswered,
            7 => Self::Interrupted(
                *[Cut::Power, Cut::Lid, Cut::Door, Cut::Stopped].get(usize::from(place))?,
            ),
            8 => Self::WrongCount(number),
            9 => Self::CountNotValid,
            10 => Self::ForeignBack(number),
            11 => Self::FaceUp(number),
            12 => Self::SameBatchAgain,
            13 => Self::CoverCards,
            14 => Self::InventoryWrong(number),
            15 => Self::DeckLifeOver,
            16 => Self::Sensor(*Beam::ALL.get(usize::from(place))?),
            17 => Self::Random(place),
            18 => Self::Store,
            19 => Self::TooManyFaults,
            30 => Self::ClockUnset,
            31 => Self::BatchNotOpened,
            _ => return None,
        };
        (fault.code() == code).then_some(fault)
    }

    /// Whether the machine cannot be used until service has seen to it (SH-23).
    pub const fn is_grave(self) -> bool {
        matches!(
            self,
            Self::Sensor(_)
                | Self::Random(_)
                | Self::Store
                | Self::TooManyFaults
                | Self::Unanswered
        )
    }

    /// Whether the deck leaves the table for it.
    pub const fn removes_deck(self) -> bool {
        matches!(
            self,
            Self::WrongCount(_)
                | Self::ForeignBack(_)
                | Self::InventoryWrong(_)
                | Self::DeckLifeOver
        )
    }

    /// Who may clear it.
    pub const fn cleared_by(self) -> Role {
        match self {
            _ if self.is_grave() => Role::Service,
            Self::WrongCount(_)
            | Self::ForeignBack(_)
            | Self::SameBatchAgain
            | Self::InventoryWrong(_)
            | Self::DeckLifeOver
            | Self::ClockUnset
            | Self::BatchNotOpened => Role::Floorperson,
            _ => Role::Dealer,
        }
    }

    /// What the wire calls it.
    pub const fn trouble(self) -> Trouble {
        match self {
            Self::Jam(_) | Self::Overrun => Trouble::Jam,
            Self::DoubleFeed => Trouble::DoubleFeed,
            Self::NoPick => Trouble::NoPick,
            Self::Stall(_) => Trouble::Stall,
            Self::Interrupted(_) => Trouble::Interrupted,
            Self::WrongCount(_) => Trouble::WrongCount,
            Self::CountNotValid => Trouble::CountNotValid,
            Self::ForeignBack(_) => Trouble::ForeignBack,
            Self::FaceUp(_) => Trouble::FaceUp,
            Self::SameBatchAgain => Trouble::SameBatchAgain,
            Self::CoverCards => Trouble::CoverCard,
            Self::InventoryWrong(_) => Trouble::InventoryWrong,
            Self::DeckLifeOver => Trouble::DeckLifeOver,
            Self::ClockUnset => Trouble::ClockFault,
            Self::BatchNotOpened => Trouble::BatchNotOpened,
            Self::Random(_) => Trouble::EntropyFault,
            Self::Store => Trouble::StoreFault,
            Self::Unanswered | Self::Sensor(_) | Self::TooManyFaults => Trouble::Unusable,
        }
    }

    /// Why a certificate ends with it.
    pub const fn reason(self) -> Reason {
        match self {
            Self::Jam(_) | Self::Overrun | Self::DoubleFeed | Self::NoPick | Self::Stall(_) => {
                Reason::Jam
            }
            Self::Interrupted(Cut::Power) => Reason::Power,
            Self::Interrupted(Cut::Lid) => Reason::Lid,
            Self::Interrupted(Cut::Door) => Reason::Door,
            Self::Interrupted(Cut::Stopped) => Reason::Aborted,
            Self::WrongCount(_) | Self::CountNotValid | Self::InventoryWrong(_) => {
                Reason::WrongCount
            }
            Self::ForeignBack(_) => Reason::ForeignBack,
            Self::SameBatchAgain => Reason::SameBatch,
            Self::FaceUp(_) => Reason::FaceUp,
            Self::DeckLifeOver | Self::ClockUnset | Self::BatchNotOpened => Reason::DeckLife,
            _ => Reason::Fault,
        }
    }

    /// What the rule of the game asks next; without a game, what every chapter asks.
    pub fn next_step(self, profile: Option<&Profile>) -> NextStep {
        let rules = profile.and_then(|profile| profile.shuffler.as_ref());
        match self {
            _ if self.is_grave() => {
                rules.map_or(NextStep::CoverOrSign, |rules| rules.unusable.rule.into())
            }
            Self::WrongCount(_) | Self::ForeignBack(_) => {
                rules.map_or(NextStep::RemoveDeck, |rules| rules.wrong_count.next_step().into())
            }
            Self::InventoryWrong(_) => NextStep::RemoveDeck,
            Self::DeckLifeOver => NextStep::ChangeDeck,
            Self::ClockUnset => NextStep::SetClock,
            Self::BatchNotOpened => NextStep::OpenBatch,
            Self::SameBatchAgain => NextStep::TellFloorAndContinue,
            // Where a stub is counted if no machine does (583.8(e), SH-09).
            Self::CountNotValid if profile.is_some_and(|profile| profile.round().is_some()) => {
                NextStep::CountStub
            }
            _ => rules.map_or(NextStep::Reshuffle, |rules| rules.jam.rule.into()),
        }
    }

    /// The event to publish.
    pub fn irregularity(self, profile: Option<&Profile>) -> Irregularity {
        let [_, place, low, high] = self.code();
        Irregularity {
            trouble: self.trouble(),
            next_step: self.next_step(profile),
            cleared_by: self.cleared_by(),
            detail: u16::from_le_bytes([low, high]).max(place.into()),
            ..Irregularity::default()
        }
    }
}

impl From<RngFault> for Fault {
    fn from(fault: RngFault) -> Self {
        match fault {
            RngFault::Latched(cause) => Self::Random(cause.code()),
            RngFault::Void(_) | RngFault::NotStarted | RngFault::OutOfRange => Self::Random(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::Game;

    const ALL: [Fault; 21] = [
        Fault::Jam(Station::Exit),
        Fault::DoubleFeed,
        Fault::Overrun,
        Fault::NoPick,
        Fault::Stall(Axis::Eject),
        Fault::Unanswered,
        Fault::Interrupted(Cut::Door),
        Fault::WrongCount(51),
        Fault::CountNotValid,
        Fault::ForeignBack(23),
        Fault::FaceUp(5),
        Fault::SameBatchAgain,
        Fault::CoverCards,
        Fault::InventoryWrong(311),
        Fault::DeckLifeOver,
        Fault::Sensor(Beam::Draw),
        Fault::Random(7),
        Fault::Store,
        Fault::TooManyFaults,
        Fault::ClockUnset,
        Fault::BatchNotOpened,
    ];

    #[test]
    fn every_fault_survives_the_store_and_nothing_else_does() {
        for fault in ALL {
            assert_eq!(Fault::from_code(fault.code()), Some(fault));
        }
        for code in [[0, 0, 0, 0], [20, 0, 0, 0], [1, 4, 0, 0], [2, 0, 1, 0], [7, 9, 0, 0]] {
            assert_eq!(Fault::from_code(code), None);
        }
    }

    /// CM-06, SH-08, SH-09, SH-22, SH-23: for every game, each fault says what its rule asks.
    #[test]
    fn each_fault_asks_what_the_rule_of_the_game_asks() {
        for game in Game::ALL {
            let profile = Some(game.profile());
            for fault in ALL {
                let step = fault.next_step(profile);
                let expected = match fault {
                    Fault::CountNotValid if game.profile().round().is_some() => NextStep::CountStub,
                    Fault::Jam(_)
                    | Fault::DoubleFeed
                    | Fault::Overrun
                    | Fault::NoPick
                    | Fault::Stall(_)
                    | Fault::Interrupted(_)
                    | Fault::FaceUp(_)
                    | Fault::CoverCards
                    | Fault::CountNotValid => NextStep::Reshuffle,
                    Fault::WrongCount(_) | Fault::ForeignBack(_) | Fault::InventoryWrong(_) => {
                        NextStep::RemoveDeck
                    }
                    Fault::Random(_)
                    | Fault::TooManyFaults
                    | Fault::Unanswered
                    | Fault::Sensor(_)
                    | Fault::Store => NextStep::CoverOrSign,
                    Fault::DeckLifeOver => NextStep::ChangeDeck,
                    Fault::SameBatchAgain => NextStep::TellFloorAndContinue,
                    Fault::ClockUnset => NextStep::SetClock,
                    Fault::BatchNotOpened => NextStep::OpenBatch,
                };
                assert_eq!(step, expected, "{game:?} {fault:?}");
            }
        }
    }

    /// SH-08, SH-17, SH-18, SH-40: the reason names the rule that ended a certificate.
    #[test]
    fn what_is_wrong_with_the_cards_ends_a_certificate_under_its_own_name() {
        let reasons = [
            (Fault::WrongCount(51), Reason::WrongCount),
            (Fault::ForeignBack(23), Reason::ForeignBack),
            (Fault::SameBatchAgain, Reason::SameBatch),
            (Fault::FaceUp(5), Reason::FaceUp),
            (Fault::DeckLifeOver, Reason::DeckLife),
            (Fault::ClockUnset, Reason::DeckLife),
            (Fault::BatchNotOpened, Reason::DeckLife),
        ];
        for (fault, reason) in reasons {
            assert_eq!(fault.reason(), reason, "{fault:?}");
        }
    }

    /// SH-23: only service clears what puts the machine out of order.
    #[test]
    fn grave_faults_are_for_service() {
        for fault in ALL {
            assert_eq!(fault.is_grave(), fault.cleared_by() == Role::Service, "{fault:?}");
        }
    }
}
