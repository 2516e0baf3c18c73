//! What a rule asks for after something went wrong (CM-06).
//!
//! A fault is no use to a dealer; the next step is. The words are the device's own, short enough
//! for its display.

/// What the people at the table must do next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum NextStep {
    /// The cards are shuffled again, whole.
    Reshuffle,
    /// The deck leaves the table.
    RemoveDeck,
    /// Hands are void and wagers go back.
    VoidAndRefund,
    /// Hands are void, wagers go back, and all cards are shuffled again, those dealt with them.
    VoidRefundReshuffle,
    /// Hands are void, wagers go back, and the deck leaves the table.
    VoidRefundRemoveDeck,
    /// Nothing more is dealt at this table until the device is repaired or replaced.
    StopTable,
    /// The stub is counted by hand (SH-09).
    CountStub,
    /// All cards are counted by hand, after the round (589.11(g)).
    CountCards,
    /// The device is covered or signed before cards are shuffled or dealt in any other way.
    CoverOrSign,
    /// Play goes on once a floorperson has been told.
    TellFloorAndContinue,
    /// A floorperson is told; then hands die if this reader could inform a player, else play goes on.
    TellFloorAndContinueIfSilent,
    /// The dealer lets decisions stand, or kills hands and refunds, even those that went over 21.
    PlayOnOrDeadHandsWithRefund,
}

impl NextStep {
    /// The step in words for a display.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Reshuffle => "reshuffle",
            Self::RemoveDeck => "remove deck",
            Self::VoidAndRefund => "void and refund",
            Self::VoidRefundReshuffle => "void, refund, reshuffle",
            Self::VoidRefundRemoveDeck => "void, refund, remove deck",
            Self::StopTable => "stop table",
            Self::CountStub => "count stub",
            Self::CountCards => "count all cards",
            Self::CoverOrSign => "out of order: cover or sign",
            Self::TellFloorAndContinue => "tell floor, continue",
            Self::TellFloorAndContinueIfSilent => "tell floor, continue if silent",
            Self::PlayOnOrDeadHandsWithRefund => "play on, or dead hands and refund",
        }
    }
}
