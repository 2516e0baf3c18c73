//! `croupier.reader.UpCard.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{Object, Reader, Writer};

/// What the dealer shows, as far as the reader must know it to ask the right question (RD-04, RD-06).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum UpCard {
    /// Not told. A Masque reads all the same (RD-03); a peek does not.
    #[default]
    Unsaid = 0,
    /// An ace: the question is whether the hole card has the value ten.
    Ace = 1,
    /// A ten-value card of the game: the question is whether the hole card is an ace.
    TenValue = 2,
    /// Any other: no peek is called for (RD-05).
    Other = 3,
}

impl UpCard {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 4] = [Self::Unsaid, Self::Ace, Self::TenValue, Self::Other];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::Unsaid,
            1 => Self::Ace,
            2 => Self::TenValue,
            3 => Self::Other,
            _ => return None,
        })
    }
}

impl Object for UpCard {
    const NAME: &'static str = "croupier.reader.UpCard.1.0";
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
