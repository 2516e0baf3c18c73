//! `croupier.reader.Taught.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{Event, Message, Object, Reader, Sealed, Writer, subject};
use crate::protocol::generated::croupier::common::{Seal, Stamp};
use crate::protocol::generated::croupier::reader::Lesson;
use crate::protocol::transfer::SubjectId;

/// How far the teaching of a brand is. Tells cards shown, never which.
///
/// Sent by: the reader, after each card of a lesson and at its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Taught {
    /// Which event, and when.
    pub stamp: Stamp,
    /// Where the lesson stands.
    pub lesson: Lesson,
    /// Cards shown in this part.
    pub shown: u16,
    /// Cards this part wants.
    pub wanted: u16,
    /// By the reader.
    pub seal: Seal,
}

impl Object for Taught {
    const NAME: &'static str = "croupier.reader.Taught.1.0";
    const SHORTEST: usize = 39;
    const LONGEST: usize = 39;
    const EXTENT: usize = 39;
    const STRICT: bool = true;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.stamp.write(to)?;
        self.lesson.write(to)?;
        to.put(self.shown.into(), 16)?;
        to.put(self.wanted.into(), 16)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let stamp = Stamp::read(from)?;
        let lesson = Lesson::read(from)?;
        let shown = from.take(16)? as u16;
        let wanted = from.take(16)? as u16;
        let seal = Seal::read(from)?;
        Some(Self { stamp, lesson, shown, wanted, seal })
    }
}

impl Message for Taught {
    const SUBJECT: SubjectId = subject(6211);
}

impl Sealed for Taught {
    fn seal(&self) -> &Seal {
        &self.seal
    }

    fn seal_mut(&mut self) -> &mut Seal {
        &mut self.seal
    }
}

impl Event for Taught {
    fn stamp(&self) -> &Stamp {
        &self.stamp
    }

    fn stamp_mut(&mut self) -> &mut Stamp {
        &mut self.stamp
    }
}
