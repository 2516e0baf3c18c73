//! `croupier.common.Seal.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{Object, Reader, Writer};

/// Proves who said it, to whom, and that it was not said before. The last 25 bytes of every croupier object.
///
/// A receiver drops and counts whatever does not verify. A device acts on a command only if the
/// sequence is not below the floor it keeps for that role; accepting moves the floor past it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Seal {
    /// Strictly increasing for each sender and role, also across power loss; never reused.
    pub sequence: u64,
    /// A value of Role. Plain, so that an unknown one can still be decoded and counted.
    pub role: u8,
    /// The first 16 bytes of HMAC-SHA-256 under the role's key over, in this order: the ASCII text
    /// "croupier seal 1"; source node (one byte); destination node (one byte, 255 for a message); port
    /// kind (one byte: 0 message, 1 request, 2 response); port id (two bytes, little endian); and the
    /// object up to this field.
    pub mac: [u8; 16],
}

impl Object for Seal {
    const NAME: &'static str = "croupier.common.Seal.1.0";
    const SHORTEST: usize = 25;
    const LONGEST: usize = 25;
    const EXTENT: usize = 25;
    const STRICT: bool = true;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.sequence, 64)?;
        to.put(self.role.into(), 8)?;
        to.put_bytes(&self.mac)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let sequence = from.take(64)?;
        let role = from.take(8)? as u8;
        let mac = from.take_bytes()?;
        Some(Self { sequence, role, mac })
    }
}
