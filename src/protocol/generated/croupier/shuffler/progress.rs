//! `croupier.shuffler.Progress.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{Event, Message, Object, Reader, Sealed, Writer, subject};
use crate::protocol::generated::croupier::common::{Seal, Stamp};
use crate::protocol::generated::croupier::shuffler::Phase;
use crate::protocol::transfer::SubjectId;

/// How far the cycle is, in cards. Says nothing about which.
///
/// Sent by: the shuffler, at each change of phase and at most four times a second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Progress {
    /// Which event, and when.
    pub stamp: Stamp,
    /// What goes on.
    pub phase: Phase,
    /// The pass over the cards, from 1; 0 outside a shuffle.
    pub pass: u8,
    /// Cards done in this phase and pass.
    pub done: u16,
    /// Cards this phase and pass will handle, as far as known; 0 if not.
    pub total: u16,
    /// By the shuffler.
    pub seal: Seal,
}

impl Object for Progress {
    const NAME: &'static str = "croupier.shuffler.Progress.1.0";
    const SHORTEST: usize = 40;
    const LONGEST: usize = 40;
    const EXTENT: usize = 40;
    const STRICT: bool = true;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.stamp.write(to)?;
        self.phase.write(to)?;
        to.put(self.pass.into(), 8)?;
        to.put(self.done.into(), 16)?;
        to.put(self.total.into(), 16)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let stamp = Stamp::read(from)?;
        let phase = Phase::read(from)?;
        let pass = from.take(8)? as u8;
        let done = from.take(16)? as u16;
        let total = from.take(16)? as u16;
        let seal = Seal::read(from)?;
        Some(Self { stamp, phase, pass, done, total, seal })
    }
}

impl Message for Progress {
    const SUBJECT: SubjectId = subject(6272);
}

impl Sealed for Progress {
    fn seal(&self) -> &Seal {
        &self.seal
    }

    fn seal_mut(&mut self) -> &mut Seal {
        &mut self.seal
    }
}

impl Event for Progress {
    fn stamp(&self) -> &Stamp {
        &self.stamp
    }

    fn stamp_mut(&mut self) -> &mut Stamp {
        &mut self.stamp
    }
}
