//! `uavcan.node.Health.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{Object, Reader, Writer};

/// A code of the standard's `uavcan.node.Health.1.0`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Health {
    /// The code `NOMINAL` of the standard's `uavcan.node.Health.1.0`.
    #[default]
    Nominal = 0,
    /// The code `ADVISORY` of the standard's `uavcan.node.Health.1.0`.
    Advisory = 1,
    /// The code `CAUTION` of the standard's `uavcan.node.Health.1.0`.
    Caution = 2,
    /// The code `WARNING` of the standard's `uavcan.node.Health.1.0`.
    Warning = 3,
}

impl Health {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 4] = [Self::Nominal, Self::Advisory, Self::Caution, Self::Warning];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::Nominal,
            1 => Self::Advisory,
            2 => Self::Caution,
            3 => Self::Warning,
            _ => return None,
        })
    }
}

impl Object for Health {
    const NAME: &'static str = "uavcan.node.Health.1.0";
    const SHORTEST: usize = 1;
    const LONGEST: usize = 1;
    const EXTENT: usize = 1;
    const STRICT: bool = false;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.code().into(), 2)?;
        to.align();
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let code = from.take(2)? as u8;
        from.align()?;
        Self::from_code(code)
    }
}
