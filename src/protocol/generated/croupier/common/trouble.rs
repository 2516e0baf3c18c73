//! `croupier.common.Trouble.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{Object, Reader, Writer};

/// What went wrong: below 32 in any device, from 32 in the reader, from 64 in the shuffler, from 128 in the generator.
///
/// Nothing here names a card. Where a trouble could tell something about one, the device holds it
/// back until the card has been turned up (RD-17).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Trouble {
    /// Nothing.
    #[default]
    None = 0,
    /// It restarted after a fall; detail: the ResetCause.
    Crashed = 1,
    /// Something could not be kept, or what was kept is damaged.
    StoreFault = 2,
    /// The journal's chain is broken (CM-08); detail: low bits of the record.
    JournalFault = 3,
    /// The time of day is lost or not to be trusted (CM-09).
    ClockFault = 4,
    /// A lamp or segment does not follow; detail: its number.
    LampFault = 5,
    /// A key stayed down; detail: its number.
    KeyStuck = 6,
    /// The housing was opened (CM-04); detail: which switch.
    Tampered = 7,
    /// The random source failed a health test; detail: which.
    EntropyFault = 8,
    /// The program does not match what was measured before (CM-03).
    ImageAltered = 9,
    /// A gaming day began without a check (CM-05).
    InspectionDue = 10,
    /// The check found a fault; detail: the step.
    InspectionFailed = 11,
    /// Somebody tries seals; detail: refusals so far, see Refusals.
    SealsRefused = 12,
    /// An actuator or output does not follow; detail: its number.
    OutputFault = 13,
    /// A card was inserted under an up-card that calls for no peek (RD-05).
    WrongUpCard = 32,
    /// Another up-card was told after the answer of this round.
    SecondQuestion = 33,
    /// No answer after the allowed tries; detail: tries.
    CannotRead = 34,
    /// A beam or the scan head; detail: which.
    SensorFault = 35,
    /// The scan window wants cleaning.
    WindowDirty = 36,
    /// A card the game has not was seen; told after the round (RD-17).
    WrongDeck = 37,
    /// A light that disagreed with the answer was lit (685a.12(h)).
    WrongLight = 38,
    /// A card stayed in the nest after the round.
    CardLeft = 39,
    /// The taught brand is damaged: teach again.
    BrandLost = 40,
    /// A card is stuck (SH-22); detail: the station.
    Jam = 64,
    /// Two cards went as one; detail: the card's place in the feed.
    DoubleFeed = 65,
    /// The roller found no card to take.
    NoPick = 66,
    /// The wheel or a motor did not move as told; detail: the axis.
    Stall = 67,
    /// Not the number the profile asks for (SH-08); detail: cards found.
    WrongCount = 68,
    /// Feed, slots and exit disagree (SH-09).
    CountNotValid = 69,
    /// A back of another colour (SH-18); detail: its place in the feed.
    ForeignBack = 70,
    /// A card lay face up (SH-29); detail: how many.
    FaceUp = 71,
    /// The batches must alternate (SH-17).
    SameBatchAgain = 72,
    /// The two batches differ in decks (SH-15).
    UnequalBatch = 73,
    /// Power, door or lid ended the cycle (SH-22).
    Interrupted = 74,
    /// A door or lid is open; detail: which.
    Opened = 75,
    /// Cards are left where none should be; detail: how many are known.
    CardInside = 76,
    /// Inside, chute and out do not make the batch (SH-19).
    InventoryWrong = 77,
    /// The batch comes of age soon (SH-40); detail: minutes left.
    DeckLifeNear = 78,
    /// It has (SH-40).
    DeckLifeOver = 79,
    /// The stored batch may no longer be dealt unspread (SH-25).
    NotSecure = 80,
    /// A cover card came with the cards; not counted (SH-26).
    CoverCard = 81,
    /// The machine cannot be used (SH-23).
    Unusable = 82,
    /// Pressed before the shuffle was complete and bets closed (PG-10).
    EarlyPress = 128,
    /// Pressed again in the round (PG-11).
    SecondPress = 129,
    /// No number could be drawn, or the kept one is damaged (PG-16).
    SelectionFault = 130,
    /// The profile must have six positions (PG-13).
    SeatsNotSix = 131,
}

impl Trouble {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 46] = [
        Self::None,
        Self::Crashed,
        Self::StoreFault,
        Self::JournalFault,
        Self::ClockFault,
        Self::LampFault,
        Self::KeyStuck,
        Self::Tampered,
        Self::EntropyFault,
        Self::ImageAltered,
        Self::InspectionDue,
        Self::InspectionFailed,
        Self::SealsRefused,
        Self::OutputFault,
        Self::WrongUpCard,
        Self::SecondQuestion,
        Self::CannotRead,
        Self::SensorFault,
        Self::WindowDirty,
        Self::WrongDeck,
        Self::WrongLight,
        Self::CardLeft,
        Self::BrandLost,
        Self::Jam,
        Self::DoubleFeed,
        Self::NoPick,
        Self::Stall,
        Self::WrongCount,
        Self::CountNotValid,
        Self::ForeignBack,
        Self::FaceUp,
        Self::SameBatchAgain,
        Self::UnequalBatch,
        Self::Interrupted,
        Self::Opened,
        Self::CardInside,
        Self::InventoryWrong,
        Self::DeckLifeNear,
        Self::DeckLifeOver,
        Self::NotSecure,
        Self::CoverCard,
        Self::Unusable,
        Self::EarlyPress,
        Self::SecondPress,
        Self::SelectionFault,
        Self::SeatsNotSix,
    ];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::None,
            1 => Self::Crashed,
            2 => Self::StoreFault,
            3 => Self::JournalFault,
            4 => Self::ClockFault,
            5 => Self::LampFault,
            6 => Self::KeyStuck,
            7 => Self::Tampered,
            8 => Self::EntropyFault,
            9 => Self::ImageAltered,
            10 => Self::InspectionDue,
            11 => Self::InspectionFailed,
            12 => Self::SealsRefused,
            13 => Self::OutputFault,
            32 => Self::WrongUpCard,
            33 => Self::SecondQuestion,
            34 => Self::CannotRead,
            35 => Self::SensorFault,
            36 => Self::WindowDirty,
            37 => Self::WrongDeck,
            38 => Self::WrongLight,
            39 => Self::CardLeft,
            40 => Self::BrandLost,
            64 => Self::Jam,
            65 => Self::DoubleFeed,
            66 => Self::NoPick,
            67 => Self::Stall,
            68 => Self::WrongCount,
            69 => Self::CountNotValid,
            70 => Self::ForeignBack,
            71 => Self::FaceUp,
            72 => Self::SameBatchAgain,
            73 => Self::UnequalBatch,
            74 => Self::Interrupted,
            75 => Self::Opened,
            76 => Self::CardInside,
            77 => Self::InventoryWrong,
            78 => Self::DeckLifeNear,
            79 => Self::DeckLifeOver,
            80 => Self::NotSecure,
            81 => Self::CoverCard,
            82 => Self::Unusable,
            128 => Self::EarlyPress,
            129 => Self::SecondPress,
            130 => Self::SelectionFault,
            131 => Self::SeatsNotSix,
            _ => return None,
        })
    }
}

impl Object for Trouble {
    const NAME: &'static str = "croupier.common.Trouble.1.0";
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
