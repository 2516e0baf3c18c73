//! `croupier.common.Cleared.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{Event, Message, Object, Reader, Sealed, Writer, subject};
use crate::protocol::generated::croupier::common::{Role, Seal, Stamp, Trouble};
use crate::protocol::transfer::SubjectId;

/// An irregularity is over.
///
/// Sent by: every device, when a request, a passed check or the cause's end clears one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Cleared {
    /// Which event, and when.
    pub stamp: Stamp,
    /// What is over.
    pub trouble: Trouble,
    /// Whose authority cleared it.
    pub by: Role,
    /// Irregularities that remain.
    pub still_open: u16,
    /// By the device.
    pub seal: Seal,
}

impl Object for Cleared {
    const NAME: &'static str = "croupier.common.Cleared.1.0";
    const SHORTEST: usize = 38;
    const LONGEST: usize = 38;
    const EXTENT: usize = 38;
    const STRICT: bool = true;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.stamp.write(to)?;
        self.trouble.write(to)?;
        self.by.write(to)?;
        to.put(self.still_open.into(), 16)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let stamp = Stamp::read(from)?;
        let trouble = Trouble::read(from)?;
        let by = Role::read(from)?;
        let still_open = from.take(16)? as u16;
        let seal = Seal::read(from)?;
        Some(Self { stamp, trouble, by, still_open, seal })
    }
}

impl Message for Cleared {
    const SUBJECT: SubjectId = subject(6146);
}

impl Sealed for Cleared {
    fn seal(&self) -> &Seal {
        &self.seal
    }

    fn seal_mut(&mut self) -> &mut Seal {
        &mut self.seal
    }
}

impl Event for Cleared {
    fn stamp(&self) -> &Stamp {
        &self.stamp
    }

    fn stamp_mut(&mut self) -> &mut Stamp {
        &mut self.stamp
    }
}
