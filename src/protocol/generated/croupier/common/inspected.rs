//! `croupier.common.Inspected.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{Event, Message, Object, Reader, Sealed, Writer, subject};
use crate::protocol::generated::croupier::common::{CheckVerdict, Seal, Stamp};
use crate::protocol::transfer::SubjectId;

/// A step of the gaming-day check, or the whole of it, is decided (CM-05, RD-09).
///
/// Sent by: every device, after each step and at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Inspected {
    /// Which event, and when.
    pub stamp: Stamp,
    /// Passed, failed or left.
    pub verdict: CheckVerdict,
    /// The step decided, from 1; 0 for the whole check.
    pub step: u8,
    /// Steps in the whole check.
    pub steps: u8,
    /// The inspector's number, as given when the check began.
    pub inspector: u16,
    /// By the device.
    pub seal: Seal,
}

impl Object for Inspected {
    const NAME: &'static str = "croupier.common.Inspected.1.0";
    const SHORTEST: usize = 39;
    const LONGEST: usize = 39;
    const EXTENT: usize = 39;
    const STRICT: bool = true;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.stamp.write(to)?;
        self.verdict.write(to)?;
        to.put(self.step.into(), 8)?;
        to.put(self.steps.into(), 8)?;
        to.put(self.inspector.into(), 16)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let stamp = Stamp::read(from)?;
        let verdict = CheckVerdict::read(from)?;
        let step = from.take(8)? as u8;
        let steps = from.take(8)? as u8;
        let inspector = from.take(16)? as u16;
        let seal = Seal::read(from)?;
        Some(Self { stamp, verdict, step, steps, inspector, seal })
    }
}

impl Message for Inspected {
    const SUBJECT: SubjectId = subject(6149);
}

impl Sealed for Inspected {
    fn seal(&self) -> &Seal {
        &self.seal
    }

    fn seal_mut(&mut self) -> &mut Seal {
        &mut self.seal
    }
}

impl Event for Inspected {
    fn stamp(&self) -> &Stamp {
        &self.stamp
    }

    fn stamp_mut(&mut self) -> &mut Stamp {
        &mut self.stamp
    }
}
