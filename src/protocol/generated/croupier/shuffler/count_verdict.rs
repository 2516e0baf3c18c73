//! `croupier.shuffler.CountVerdict.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{Object, Reader, Writer};

/// Whether a count is right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum CountVerdict {
    /// Nothing was counted.
    #[default]
    None = 0,
    /// As many as the profile asks for.
    Right = 1,
    /// Not as many: the deck leaves the table (SH-08).
    Wrong = 2,
    /// Feed, slots and exit disagree: the stub is counted by hand (SH-09).
    NotValid = 3,
    /// A declared partial batch: no verdict on the number (SH-28).
    Partial = 4,
}

impl CountVerdict {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 5] =
        [Self::None, Self::Right, Self::Wrong, Self::NotValid, Self::Partial];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::None,
            1 => Self::Right,
            2 => Self::Wrong,
            3 => Self::NotValid,
            4 => Self::Partial,
            _ => return None,
        })
    }
}

impl Object for CountVerdict {
    const NAME: &'static str = "croupier.shuffler.CountVerdict.1.0";
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
