//! `croupier.shuffler.Count.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{Event, Message, Object, Reader, Sealed, Writer, subject};
use crate::protocol::generated::croupier::common::{Seal, Stamp};
use crate::protocol::generated::croupier::shuffler::{CountVerdict, Purpose};
use crate::protocol::transfer::SubjectId;

/// The count, shown after each completed cycle and only then (SH-07, SH-08).
///
/// Sent by: the shuffler, once for each cycle that came to an end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Count {
    /// Which event, and when.
    pub stamp: Stamp,
    /// What the cycle was for.
    pub purpose: Purpose,
    /// Whether it is right.
    pub verdict: CountVerdict,
    /// Cards that came out, cover cards not among them (SH-26).
    pub found: u16,
    /// What the profile asks for; 0 for a partial batch (SH-28).
    pub expected: u16,
    /// By the shuffler.
    pub seal: Seal,
}

impl Object for Count {
    const NAME: &'static str = "croupier.shuffler.Count.1.0";
    const SHORTEST: usize = 40;
    const LONGEST: usize = 40;
    const EXTENT: usize = 40;
    const STRICT: bool = true;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.stamp.write(to)?;
        self.purpose.write(to)?;
        self.verdict.write(to)?;
        to.put(self.found.into(), 16)?;
        to.put(self.expected.into(), 16)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let stamp = Stamp::read(from)?;
        let purpose = Purpose::read(from)?;
        let verdict = CountVerdict::read(from)?;
        let found = from.take(16)? as u16;
        let expected = from.take(16)? as u16;
        let seal = Seal::read(from)?;
        Some(Self { stamp, purpose, verdict, found, expected, seal })
    }
}

impl Message for Count {
    const SUBJECT: SubjectId = subject(6273);
}

impl Sealed for Count {
    fn seal(&self) -> &Seal {
        &self.seal
    }

    fn seal_mut(&mut self) -> &mut Seal {
        &mut self.seal
    }
}

impl Event for Count {
    fn stamp(&self) -> &Stamp {
        &self.stamp
    }

    fn stamp_mut(&mut self) -> &mut Stamp {
        &mut self.stamp
    }
}
