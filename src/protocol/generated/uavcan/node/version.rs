//! `uavcan.node.Version.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{Object, Reader, Writer};

/// A value of the standard's `uavcan.node.Version.1.0`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Version {
    /// The field `major` of the standard's `uavcan.node.Version.1.0`.
    pub major: u8,
    /// The field `minor` of the standard's `uavcan.node.Version.1.0`.
    pub minor: u8,
}

impl Object for Version {
    const NAME: &'static str = "uavcan.node.Version.1.0";
    const SHORTEST: usize = 2;
    const LONGEST: usize = 2;
    const EXTENT: usize = 2;
    const STRICT: bool = false;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.major.into(), 8)?;
        to.put(self.minor.into(), 8)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let major = from.take(8)? as u8;
        let minor = from.take(8)? as u8;
        Some(Self { major, minor })
    }
}
