//! `croupier.shuffler.Purpose.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{Object, Reader, Writer};

/// What a cycle is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Purpose {
    /// No cycle.
    #[default]
    None = 0,
    /// Shuffle and count a whole batch.
    FullBatch = 1,
    /// Shuffle the discards of a shoe that ran out; any number (SH-28).
    PartialBatch = 2,
    /// Count and check, order kept (SH-14).
    CountOnly = 3,
    /// Feed into continuous operation (SH-19).
    Continuous = 4,
}

impl Purpose {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 5] =
        [Self::None, Self::FullBatch, Self::PartialBatch, Self::CountOnly, Self::Continuous];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::None,
            1 => Self::FullBatch,
            2 => Self::PartialBatch,
            3 => Self::CountOnly,
            4 => Self::Continuous,
            _ => return None,
        })
    }
}

impl Object for Purpose {
    const NAME: &'static str = "croupier.shuffler.Purpose.1.0";
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
