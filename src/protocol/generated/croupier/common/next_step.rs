//! `croupier.common.NextStep.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{Object, Reader, Writer};

/// What the rule asks for next, after something went wrong (CM-06).
///
/// The clause is the one that the profile of the game in force names for this step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum NextStep {
    /// Nothing.
    #[default]
    None = 0,
    /// The cards are shuffled again, whole.
    Reshuffle = 1,
    /// The deck leaves the table.
    RemoveDeck = 2,
    /// Hands are void and wagers go back.
    VoidAndRefund = 3,
    /// The same, and all cards are shuffled again, those dealt with them.
    VoidRefundReshuffle = 4,
    /// The same, and the deck leaves the table.
    VoidRefundRemoveDeck = 5,
    /// Nothing more is dealt until the device is repaired or replaced.
    StopTable = 6,
    /// The device is covered or signed before cards are shuffled in any other way.
    CoverOrSign = 7,
    /// Play goes on once a floorperson has been told.
    TellFloorAndContinue = 8,
    /// A floorperson is told; hands die if this reader could inform a player.
    TellFloorAndContinueIfSilent = 9,
    /// Decisions stand, or hands die with refunds, busts too.
    PlayOnOrDeadHandsWithRefund = 10,
    /// The three-dice shaker takes the generator's place (PG-16).
    UseShaker = 11,
    /// The dealer slides the card in once more (RD-11).
    ReadAgain = 12,
    /// The house's procedure for a card that cannot be read.
    ReadByHand = 13,
    /// The machine's count is not valid: the stub is counted by hand (SH-09).
    CountStub = 14,
    /// The deck has reached its age (SH-40).
    ChangeDeck = 15,
    /// The gaming-day check (CM-05).
    Inspect = 16,
    /// A door or lid is open.
    Close = 17,
    /// Only repair helps, though play may go on.
    CallService = 18,
}

impl NextStep {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 19] = [
        Self::None,
        Self::Reshuffle,
        Self::RemoveDeck,
        Self::VoidAndRefund,
        Self::VoidRefundReshuffle,
        Self::VoidRefundRemoveDeck,
        Self::StopTable,
        Self::CoverOrSign,
        Self::TellFloorAndContinue,
        Self::TellFloorAndContinueIfSilent,
        Self::PlayOnOrDeadHandsWithRefund,
        Self::UseShaker,
        Self::ReadAgain,
        Self::ReadByHand,
        Self::CountStub,
        Self::ChangeDeck,
        Self::Inspect,
        Self::Close,
        Self::CallService,
    ];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::None,
            1 => Self::Reshuffle,
            2 => Self::RemoveDeck,
            3 => Self::VoidAndRefund,
            4 => Self::VoidRefundReshuffle,
            5 => Self::VoidRefundRemoveDeck,
            6 => Self::StopTable,
            7 => Self::CoverOrSign,
            8 => Self::TellFloorAndContinue,
            9 => Self::TellFloorAndContinueIfSilent,
            10 => Self::PlayOnOrDeadHandsWithRefund,
            11 => Self::UseShaker,
            12 => Self::ReadAgain,
            13 => Self::ReadByHand,
            14 => Self::CountStub,
            15 => Self::ChangeDeck,
            16 => Self::Inspect,
            17 => Self::Close,
            18 => Self::CallService,
            _ => return None,
        })
    }
}

impl Object for NextStep {
    const NAME: &'static str = "croupier.common.NextStep.1.0";
    const SHORTEST: usize = 1;
    const LONGEST: usize = 1;
    const EXTENT: usize = 1;
    const STRICT: bool = true;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.code().into(), 8)
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let code = from.take(8)? as u8;
        Self::from_code(code)
    }
}
