//! `uavcan.primitive.array.Integer64.1.0`, written from the DSDL by `cargo xtask dsdl`.

use heapless::Vec;

use crate::protocol::codec::{Object, Reader, Writer, read_list};

/// A value of the standard's `uavcan.primitive.array.Integer64.1.0`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Integer64 {
    /// The field `value` of the standard's `uavcan.primitive.array.Integer64.1.0`.
    pub value: Vec<i64, 32>,
}

impl Object for Integer64 {
    const NAME: &'static str = "uavcan.primitive.array.Integer64.1.0";
    const SHORTEST: usize = 1;
    const LONGEST: usize = 257;
    const EXTENT: usize = 257;
    const STRICT: bool = false;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.value.len() as u64, 8)?;
        for item in self.value.iter().copied() {
            to.put(item.cast_unsigned(), 64)?;
        }
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let value = read_list(from, 8, |from| from.take_signed(64))?;
        Some(Self { value })
    }
}
