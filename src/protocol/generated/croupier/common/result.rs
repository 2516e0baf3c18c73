//! `croupier.common.Result.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{Object, Reader, Writer};

/// What became of a request. One list for all services; 0 is never sent by a working device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Result {
    /// No answer: cleared memory must not read as consent.
    #[default]
    Unknown = 0,
    /// Done, or begun where an event tells the end.
    Accepted = 1,
    /// Makes no sense in the present state.
    OutOfTurn = 2,
    /// The role that sealed it may not ask for this.
    NotAuthorised = 3,
    /// The sequence is below the floor of that role: see NextSequence.
    Replayed = 4,
    /// The game in force has no such thing (RD-23).
    WrongProfile = 5,
    /// The device is locked out until a check is passed (RD-10, SH-23).
    Malfunction = 6,
    /// The gaming-day check comes first (CM-05).
    NotInspected = 7,
    /// A field holds a value that this device cannot take.
    OutOfRange = 8,
    /// Still at it: ask again.
    Busy = 9,
    /// Not while a round is in play (CM-07).
    InRound = 10,
    /// No such record, number or batch is kept.
    NotFound = 11,
    /// The key switch inside the device must be turned first.
    ServiceSwitchOff = 12,
    /// A simulation key on silicon, or a key already in use by another role.
    RefusedKey = 13,
    /// It could not be kept through a power loss, so it was not done.
    StoreFailed = 14,
    /// The batch must be changed first (SH-40).
    DeckLifeOver = 15,
}

impl Result {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 16] = [
        Self::Unknown,
        Self::Accepted,
        Self::OutOfTurn,
        Self::NotAuthorised,
        Self::Replayed,
        Self::WrongProfile,
        Self::Malfunction,
        Self::NotInspected,
        Self::OutOfRange,
        Self::Busy,
        Self::InRound,
        Self::NotFound,
        Self::ServiceSwitchOff,
        Self::RefusedKey,
        Self::StoreFailed,
        Self::DeckLifeOver,
    ];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::Unknown,
            1 => Self::Accepted,
            2 => Self::OutOfTurn,
            3 => Self::NotAuthorised,
            4 => Self::Replayed,
            5 => Self::WrongProfile,
            6 => Self::Malfunction,
            7 => Self::NotInspected,
            8 => Self::OutOfRange,
            9 => Self::Busy,
            10 => Self::InRound,
            11 => Self::NotFound,
            12 => Self::ServiceSwitchOff,
            13 => Self::RefusedKey,
            14 => Self::StoreFailed,
            15 => Self::DeckLifeOver,
            _ => return None,
        })
    }
}

impl Object for Result {
    const NAME: &'static str = "croupier.common.Result.1.0";
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
