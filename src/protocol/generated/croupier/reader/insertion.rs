//! `croupier.reader.Insertion.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{Event, Message, Object, Reader, Sealed, Writer, subject};
use crate::protocol::generated::croupier::common::{Seal, Stamp};
use crate::protocol::generated::croupier::reader::NestChange;
use crate::protocol::transfer::SubjectId;

/// A card came into the nest or left it. The time stamp settles disputes about Insurance (RD-13).
///
/// Sent by: the reader, once for each change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Insertion {
    /// Which event, and when.
    pub stamp: Stamp,
    /// The round, as the arming named it.
    pub round: u16,
    /// What happened.
    pub change: NestChange,
    /// Insertions in this round so far.
    pub tries: u8,
    /// By the reader.
    pub seal: Seal,
}

impl Object for Insertion {
    const NAME: &'static str = "croupier.reader.Insertion.1.0";
    const SHORTEST: usize = 38;
    const LONGEST: usize = 38;
    const EXTENT: usize = 38;
    const STRICT: bool = true;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.stamp.write(to)?;
        to.put(self.round.into(), 16)?;
        self.change.write(to)?;
        to.put(self.tries.into(), 8)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let stamp = Stamp::read(from)?;
        let round = from.take(16)? as u16;
        let change = NestChange::read(from)?;
        let tries = from.take(8)? as u8;
        let seal = Seal::read(from)?;
        Some(Self { stamp, round, change, tries, seal })
    }
}

impl Message for Insertion {
    const SUBJECT: SubjectId = subject(6209);
}

impl Sealed for Insertion {
    fn seal(&self) -> &Seal {
        &self.seal
    }

    fn seal_mut(&mut self) -> &mut Seal {
        &mut self.seal
    }
}

impl Event for Insertion {
    fn stamp(&self) -> &Stamp {
        &self.stamp
    }

    fn stamp_mut(&mut self) -> &mut Stamp {
        &mut self.stamp
    }
}
