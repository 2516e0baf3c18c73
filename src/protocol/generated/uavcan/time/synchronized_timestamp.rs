//! `uavcan.time.SynchronizedTimestamp.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{Object, Reader, Writer};

/// A value of the standard's `uavcan.time.SynchronizedTimestamp.1.0`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct SynchronizedTimestamp {
    /// The field `microsecond` of the standard's `uavcan.time.SynchronizedTimestamp.1.0`.
    pub microsecond: u64,
}

impl SynchronizedTimestamp {
    /// The constant `UNKNOWN` of the standard's `uavcan.time.SynchronizedTimestamp.1.0`.
    pub const UNKNOWN: u64 = 0;
}

impl Object for SynchronizedTimestamp {
    const NAME: &'static str = "uavcan.time.SynchronizedTimestamp.1.0";
    const SHORTEST: usize = 7;
    const LONGEST: usize = 7;
    const EXTENT: usize = 7;
    const STRICT: bool = false;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.microsecond, 56)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let microsecond = from.take(56)?;
        Some(Self { microsecond })
    }
}
