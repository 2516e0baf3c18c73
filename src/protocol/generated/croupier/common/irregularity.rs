//! `croupier.common.Irregularity.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{Event, Message, Object, Reader, Sealed, Writer, subject};
use crate::protocol::generated::croupier::common::{NextStep, Role, Seal, Stamp, Trouble};
use crate::protocol::transfer::SubjectId;

/// Something went wrong: what, what the rule asks for next, and who may clear it (CM-06).
///
/// Sent by: every device, once for each irregularity, at the moment it is noticed or may be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Irregularity {
    /// Which event, and when.
    pub stamp: Stamp,
    /// What happened.
    pub trouble: Trouble,
    /// What the people at the table must do.
    pub next_step: NextStep,
    /// Who may clear it with Clear; DEVICE if it clears itself when the cause is gone.
    pub cleared_by: Role,
    /// As the trouble says; otherwise 0. Never anything about a card's face.
    pub detail: u16,
    /// By the device.
    pub seal: Seal,
}

impl Object for Irregularity {
    const NAME: &'static str = "croupier.common.Irregularity.1.0";
    const SHORTEST: usize = 39;
    const LONGEST: usize = 39;
    const EXTENT: usize = 39;
    const STRICT: bool = true;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.stamp.write(to)?;
        self.trouble.write(to)?;
        self.next_step.write(to)?;
        self.cleared_by.write(to)?;
        to.put(self.detail.into(), 16)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let stamp = Stamp::read(from)?;
        let trouble = Trouble::read(from)?;
        let next_step = NextStep::read(from)?;
        let cleared_by = Role::read(from)?;
        let detail = from.take(16)? as u16;
        let seal = Seal::read(from)?;
        Some(Self { stamp, trouble, next_step, cleared_by, detail, seal })
    }
}

impl Message for Irregularity {
    const SUBJECT: SubjectId = subject(6145);
}

impl Sealed for Irregularity {
    fn seal(&self) -> &Seal {
        &self.seal
    }

    fn seal_mut(&mut self) -> &mut Seal {
        &mut self.seal
    }
}

impl Event for Irregularity {
    fn stamp(&self) -> &Stamp {
        &self.stamp
    }

    fn stamp_mut(&mut self) -> &mut Stamp {
        &mut self.stamp
    }
}
