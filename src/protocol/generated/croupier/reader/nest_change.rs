//! `croupier.reader.NestChange.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{Object, Reader, Writer};

/// What happened at the reader's nest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum NestChange {
    /// A card is home.
    Inserted = 1,
    /// The nest is empty again.
    Removed = 2,
}

impl NestChange {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 2] = [Self::Inserted, Self::Removed];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            1 => Self::Inserted,
            2 => Self::Removed,
            _ => return None,
        })
    }
}

impl Object for NestChange {
    const NAME: &'static str = "croupier.reader.NestChange.1.0";
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
