//! `uavcan.node.Mode.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{Object, Reader, Writer};

/// A code of the standard's `uavcan.node.Mode.1.0`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Mode {
    /// The code `OPERATIONAL` of the standard's `uavcan.node.Mode.1.0`.
    #[default]
    Operational = 0,
    /// The code `INITIALIZATION` of the standard's `uavcan.node.Mode.1.0`.
    Initialization = 1,
    /// The code `MAINTENANCE` of the standard's `uavcan.node.Mode.1.0`.
    Maintenance = 2,
    /// The code `SOFTWARE_UPDATE` of the standard's `uavcan.node.Mode.1.0`.
    SoftwareUpdate = 3,
}

impl Mode {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 4] =
        [Self::Operational, Self::Initialization, Self::Maintenance, Self::SoftwareUpdate];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::Operational,
            1 => Self::Initialization,
            2 => Self::Maintenance,
            3 => Self::SoftwareUpdate,
            _ => return None,
        })
    }
}

impl Object for Mode {
    const NAME: &'static str = "uavcan.node.Mode.1.0";
    const SHORTEST: usize = 1;
    const LONGEST: usize = 1;
    const EXTENT: usize = 1;
    const STRICT: bool = false;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.code().into(), 3)?;
        to.align();
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let code = from.take(3)? as u8;
        from.align()?;
        Self::from_code(code)
    }
}
