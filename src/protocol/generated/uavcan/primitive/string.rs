//! `uavcan.primitive.String.1.0`, written from the DSDL by `cargo xtask dsdl`.

use heapless::Vec;

use crate::protocol::codec::{Object, Reader, Writer, read_list};

/// A value of the standard's `uavcan.primitive.String.1.0`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct String {
    /// The field `value` of the standard's `uavcan.primitive.String.1.0`.
    pub value: Vec<u8, 256>,
}

impl Object for String {
    const NAME: &'static str = "uavcan.primitive.String.1.0";
    const SHORTEST: usize = 2;
    const LONGEST: usize = 258;
    const EXTENT: usize = 258;
    const STRICT: bool = false;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.value.len() as u64, 16)?;
        to.put_bytes(&self.value)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let value = read_list(from, 16, |from| Some(from.take(8)? as u8))?;
        Some(Self { value })
    }
}
