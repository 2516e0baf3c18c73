//! `uavcan.primitive.array.Real16.1.0`, written from the DSDL by `cargo xtask dsdl`.

use heapless::Vec;

use crate::protocol::codec::{Object, Reader, Writer, read_list};

/// A value of the standard's `uavcan.primitive.array.Real16.1.0`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Real16 {
    /// The field `value` of the standard's `uavcan.primitive.array.Real16.1.0`.
    pub value: Vec<u16, 128>,
}

impl Object for Real16 {
    const NAME: &'static str = "uavcan.primitive.array.Real16.1.0";
    const SHORTEST: usize = 1;
    const LONGEST: usize = 257;
    const EXTENT: usize = 257;
    const STRICT: bool = false;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.value.len() as u64, 8)?;
        for item in self.value.iter().copied() {
            to.put(item.into(), 16)?;
        }
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let value = read_list(from, 8, |from| Some(from.take(16)? as u16))?;
        Some(Self { value })
    }
}
