//! `croupier.common.Dealing.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{Object, Reader, Writer};

/// How the cards are dealt; it shortens or lengthens their life (SH-40).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Dealing {
    /// Not set, or the game has no choice.
    #[default]
    Unsaid = 0,
    /// From the dealer's hand.
    Hand = 1,
    /// From a shoe the dealer draws from.
    ManualShoe = 2,
    /// From a shoe that deals stacks.
    AutomatedShoe = 3,
}

impl Dealing {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 4] = [Self::Unsaid, Self::Hand, Self::ManualShoe, Self::AutomatedShoe];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::Unsaid,
            1 => Self::Hand,
            2 => Self::ManualShoe,
            3 => Self::AutomatedShoe,
            _ => return None,
        })
    }
}

impl Object for Dealing {
    const NAME: &'static str = "croupier.common.Dealing.1.0";
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
