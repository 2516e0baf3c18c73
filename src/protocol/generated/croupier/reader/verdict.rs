//! `croupier.reader.Verdict.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{Event, Message, Object, Reader, Sealed, Writer, subject};
use crate::protocol::generated::croupier::common::{Seal, Stamp};
use crate::protocol::generated::croupier::reader::Reading;
use crate::protocol::transfer::SubjectId;

/// The answer that the lamps show, at the fixed time after the card was home (RD-21).
///
/// Sent by: the reader, once for each insertion, with bytes and timing that depend on nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Verdict {
    /// Which event, and when.
    pub stamp: Stamp,
    /// The round, as the arming named it.
    pub round: u16,
    /// The answer: peek games get BLACKJACK or NO_BLACKJACK, 685a gets a range (RD-23).
    pub reading: Reading,
    /// Insertions in this round so far (RD-12).
    pub tries: u8,
    /// 685a.7(h): the up-card is known to be large and the reading is LARGE, so the hole card is turned up.
    pub expose: bool,
    /// By the reader.
    pub seal: Seal,
}

impl Object for Verdict {
    const NAME: &'static str = "croupier.reader.Verdict.1.0";
    const SHORTEST: usize = 39;
    const LONGEST: usize = 39;
    const EXTENT: usize = 39;
    const STRICT: bool = true;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.stamp.write(to)?;
        to.put(self.round.into(), 16)?;
        self.reading.write(to)?;
        to.put(self.tries.into(), 8)?;
        to.put(self.expose.into(), 1)?;
        to.put(0, 7)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let stamp = Stamp::read(from)?;
        let round = from.take(16)? as u16;
        let reading = Reading::read(from)?;
        let tries = from.take(8)? as u8;
        let expose = from.take(1)? != 0;
        from.skip(7)?;
        let seal = Seal::read(from)?;
        Some(Self { stamp, round, reading, tries, expose, seal })
    }
}

impl Message for Verdict {
    const SUBJECT: SubjectId = subject(6208);
}

impl Sealed for Verdict {
    fn seal(&self) -> &Seal {
        &self.seal
    }

    fn seal_mut(&mut self) -> &mut Seal {
        &mut self.seal
    }
}

impl Event for Verdict {
    fn stamp(&self) -> &Stamp {
        &self.stamp
    }

    fn stamp_mut(&mut self) -> &mut Stamp {
        &mut self.stamp
    }
}
