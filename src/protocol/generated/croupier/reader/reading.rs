//! `croupier.reader.Reading.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{Object, Reader, Writer};

/// The only things a reader ever says about a hole card (RD-01, RD-02, RD-20).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Reading {
    /// No answer was given.
    #[default]
    None = 0,
    /// Peek: the dealer has a Blackjack.
    Blackjack = 1,
    /// Peek: the dealer has none.
    NoBlackjack = 2,
    /// Masque: blue (685a.3(d)).
    Small = 3,
    /// Masque: red.
    Medium = 4,
    /// Masque: yellow. Does not say Blackjack (RD-15).
    Large = 5,
    /// Doubtful, so no class: read again (RD-11).
    CannotRead = 6,
    /// The fixed neutral notice: no question was allowed here (RD-05).
    Notice = 7,
}

impl Reading {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 8] = [
        Self::None,
        Self::Blackjack,
        Self::NoBlackjack,
        Self::Small,
        Self::Medium,
        Self::Large,
        Self::CannotRead,
        Self::Notice,
    ];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::None,
            1 => Self::Blackjack,
            2 => Self::NoBlackjack,
            3 => Self::Small,
            4 => Self::Medium,
            5 => Self::Large,
            6 => Self::CannotRead,
            7 => Self::Notice,
            _ => return None,
        })
    }
}

impl Object for Reading {
    const NAME: &'static str = "croupier.reader.Reading.1.0";
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
