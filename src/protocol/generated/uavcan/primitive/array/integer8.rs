//! `uavcan.primitive.array.Integer8.1.0`, written from the DSDL by `cargo xtask dsdl`.

use heapless::Vec;

use crate::protocol::codec::{Object, Reader, Writer, read_list};

/// A value of the standard's `uavcan.primitive.array.Integer8.1.0`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Integer8 {
    /// The field `value` of the standard's `uavcan.primitive.array.Integer8.1.0`.
    pub value: Vec<i8, 256>,
}

impl Object for Integer8 {
    const NAME: &'static str = "uavcan.primitive.array.Integer8.1.0";
    const SHORTEST: usize = 2;
    const LONGEST: usize = 258;
    const EXTENT: usize = 258;
    const STRICT: bool = false;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.value.len() as u64, 16)?;
        for item in self.value.iter().copied() {
            to.put(i64::from(item).cast_unsigned(), 8)?;
        }
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let value = read_list(from, 16, |from| Some(from.take_signed(8)? as i8))?;
        Some(Self { value })
    }
}
