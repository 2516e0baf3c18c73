//! `uavcan.primitive.Empty.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{Object, Reader, Writer};

/// A value of the standard's `uavcan.primitive.Empty.1.0`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Empty {}

impl Object for Empty {
    const NAME: &'static str = "uavcan.primitive.Empty.1.0";
    const SHORTEST: usize = 0;
    const LONGEST: usize = 0;
    const EXTENT: usize = 0;
    const STRICT: bool = false;

    fn write(&self, _: &mut Writer<'_>) -> Option<()> {
        Some(())
    }

    fn read(_: &mut Reader<'_>) -> Option<Self> {
        Some(Self {})
    }
}
