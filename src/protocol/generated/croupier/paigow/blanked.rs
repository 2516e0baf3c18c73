//! `croupier.paigow.Blanked.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{Event, Message, Object, Reader, Sealed, Writer, subject};
use crate::protocol::generated::croupier::common::{Seal, Stamp};
use crate::protocol::generated::croupier::paigow::BlankReason;
use crate::protocol::transfer::SubjectId;

/// The display is blank: no number stands (PG-10, PG-16).
///
/// Sent by: the generator, at each change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Blanked {
    /// Which event, and when.
    pub stamp: Stamp,
    /// The round whose number, if any, was taken down.
    pub round: u16,
    /// Why.
    pub reason: BlankReason,
    /// By the generator.
    pub seal: Seal,
}

impl Object for Blanked {
    const NAME: &'static str = "croupier.paigow.Blanked.1.0";
    const SHORTEST: usize = 37;
    const LONGEST: usize = 37;
    const EXTENT: usize = 37;
    const STRICT: bool = true;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.stamp.write(to)?;
        to.put(self.round.into(), 16)?;
        self.reason.write(to)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let stamp = Stamp::read(from)?;
        let round = from.take(16)? as u16;
        let reason = BlankReason::read(from)?;
        let seal = Seal::read(from)?;
        Some(Self { stamp, round, reason, seal })
    }
}

impl Message for Blanked {
    const SUBJECT: SubjectId = subject(6337);
}

impl Sealed for Blanked {
    fn seal(&self) -> &Seal {
        &self.seal
    }

    fn seal_mut(&mut self) -> &mut Seal {
        &mut self.seal
    }
}

impl Event for Blanked {
    fn stamp(&self) -> &Stamp {
        &self.stamp
    }

    fn stamp_mut(&mut self) -> &mut Stamp {
        &mut self.stamp
    }
}
