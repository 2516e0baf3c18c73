//! `croupier.paigow.Direction.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{Object, Reader, Writer};

/// Which way round the table, seen from above.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Direction {
    /// None.
    #[default]
    None = 0,
    /// Clockwise.
    Clockwise = 1,
    /// Counter-clockwise.
    CounterClockwise = 2,
}

impl Direction {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 3] = [Self::None, Self::Clockwise, Self::CounterClockwise];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::None,
            1 => Self::Clockwise,
            2 => Self::CounterClockwise,
            _ => return None,
        })
    }
}

impl Object for Direction {
    const NAME: &'static str = "croupier.paigow.Direction.1.0";
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
