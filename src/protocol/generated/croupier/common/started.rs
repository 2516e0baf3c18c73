//! `croupier.common.Started.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{Event, Message, Object, Reader, Sealed, Writer, subject};
use crate::protocol::generated::croupier::common::{ResetCause, Seal, Stamp};
use crate::protocol::transfer::SubjectId;

/// The device started, and why. The first event of every start.
///
/// Sent by: every device, once, before any other event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Started {
    /// Which event, and when; its number is 0.
    pub stamp: Stamp,
    /// Why it started.
    pub cause: ResetCause,
    /// Falls since power came on, up to 255.
    pub crashes: u8,
    /// Starts in the device's life; its low byte is the stamp's `start`.
    pub starts: u32,
    /// By the device.
    pub seal: Seal,
}

impl Object for Started {
    const NAME: &'static str = "croupier.common.Started.1.0";
    const SHORTEST: usize = 40;
    const LONGEST: usize = 40;
    const EXTENT: usize = 40;
    const STRICT: bool = true;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.stamp.write(to)?;
        self.cause.write(to)?;
        to.put(self.crashes.into(), 8)?;
        to.put(self.starts.into(), 32)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let stamp = Stamp::read(from)?;
        let cause = ResetCause::read(from)?;
        let crashes = from.take(8)? as u8;
        let starts = from.take(32)? as u32;
        let seal = Seal::read(from)?;
        Some(Self { stamp, cause, crashes, starts, seal })
    }
}

impl Message for Started {
    const SUBJECT: SubjectId = subject(6147);
}

impl Sealed for Started {
    fn seal(&self) -> &Seal {
        &self.seal
    }

    fn seal_mut(&mut self) -> &mut Seal {
        &mut self.seal
    }
}

impl Event for Started {
    fn stamp(&self) -> &Stamp {
        &self.stamp
    }

    fn stamp_mut(&mut self) -> &mut Stamp {
        &mut self.stamp
    }
}
