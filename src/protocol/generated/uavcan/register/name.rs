//! `uavcan.register.Name.1.0`, written from the DSDL by `cargo xtask dsdl`.

use heapless::Vec;

use crate::protocol::codec::{Object, Reader, Writer, read_list};

/// A value of the standard's `uavcan.register.Name.1.0`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Name {
    /// The field `name` of the standard's `uavcan.register.Name.1.0`.
    pub name: Vec<u8, 255>,
}

impl Object for Name {
    const NAME: &'static str = "uavcan.register.Name.1.0";
    const SHORTEST: usize = 1;
    const LONGEST: usize = 256;
    const EXTENT: usize = 256;
    const STRICT: bool = false;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.name.len() as u64, 8)?;
        to.put_bytes(&self.name)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let name = read_list(from, 8, |from| Some(from.take(8)? as u8))?;
        Some(Self { name })
    }
}
