//! `croupier.paigow.BlankReason.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{Object, Reader, Writer};

/// Why no number is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum BlankReason {
    /// The round is over.
    RoundEnded = 1,
    /// The generator does not trust itself: use the shaker (PG-16).
    Fault = 2,
    /// The segments are tested, in a pattern that is no digit (PG-20).
    LampTest = 3,
}

impl BlankReason {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 3] = [Self::RoundEnded, Self::Fault, Self::LampTest];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            1 => Self::RoundEnded,
            2 => Self::Fault,
            3 => Self::LampTest,
            _ => return None,
        })
    }
}

impl Object for BlankReason {
    const NAME: &'static str = "croupier.paigow.BlankReason.1.0";
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
