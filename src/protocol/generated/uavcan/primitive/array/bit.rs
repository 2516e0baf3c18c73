//! `uavcan.primitive.array.Bit.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{BitList, Object, Reader, Writer};

/// A value of the standard's `uavcan.primitive.array.Bit.1.0`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Bit {
    /// The field `value` of the standard's `uavcan.primitive.array.Bit.1.0`.
    pub value: BitList<256>,
}

impl Object for Bit {
    const NAME: &'static str = "uavcan.primitive.array.Bit.1.0";
    const SHORTEST: usize = 2;
    const LONGEST: usize = 258;
    const EXTENT: usize = 258;
    const STRICT: bool = false;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.value.len() as u64, 16)?;
        self.value.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let value = {
            let length = from.take(16)? as usize;
            BitList::read(from, length)?
        };
        Some(Self { value })
    }
}
