//! `croupier.common.DeviceKind.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{Object, Reader, Writer};

/// Which of the devices this is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum DeviceKind {
    /// The hole-card reader.
    Reader = 1,
    /// The card shuffler.
    Shuffler = 2,
    /// The Pai Gow starting-position generator.
    Paigow = 3,
}

impl DeviceKind {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 3] = [Self::Reader, Self::Shuffler, Self::Paigow];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            1 => Self::Reader,
            2 => Self::Shuffler,
            3 => Self::Paigow,
            _ => return None,
        })
    }
}

impl Object for DeviceKind {
    const NAME: &'static str = "croupier.common.DeviceKind.1.0";
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
