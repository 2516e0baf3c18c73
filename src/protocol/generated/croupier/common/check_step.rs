//! `croupier.common.CheckStep.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{Object, Reader, Writer};

/// What a step of the gaming-day check asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum CheckStep {
    /// Nothing: no check is going on.
    #[default]
    None = 0,
    /// Compare the housing's seal with its number and look for tampering.
    SeeSeal = 1,
    /// One lamp or segment is lit: confirm that it alone is.
    SeeLamp = 2,
    /// Press the key; the device itself decides.
    PressKey = 3,
    /// Insert the test card with this number in the set; the device itself decides.
    InsertCard = 4,
    /// Compare the game's name on the display with the table's.
    SeeName = 5,
    /// Compare the time shown.
    SeeClock = 6,
    /// Compare the image hash shown with the approval file (CM-03).
    SeeImage = 7,
    /// Feed the counted test deck; the device itself decides.
    CountCards = 8,
    /// Open and close the door or lid; the device itself decides.
    OpenClose = 9,
    /// The device tests itself: wait.
    SelfTest = 10,
}

impl CheckStep {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 11] = [
        Self::None,
        Self::SeeSeal,
        Self::SeeLamp,
        Self::PressKey,
        Self::InsertCard,
        Self::SeeName,
        Self::SeeClock,
        Self::SeeImage,
        Self::CountCards,
        Self::OpenClose,
        Self::SelfTest,
    ];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::None,
            1 => Self::SeeSeal,
            2 => Self::SeeLamp,
            3 => Self::PressKey,
            4 => Self::InsertCard,
            5 => Self::SeeName,
            6 => Self::SeeClock,
            7 => Self::SeeImage,
            8 => Self::CountCards,
            9 => Self::OpenClose,
            10 => Self::SelfTest,
            _ => return None,
        })
    }
}

impl Object for CheckStep {
    const NAME: &'static str = "croupier.common.CheckStep.1.0";
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
