//! `croupier.reader.Armed.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{Event, Message, Object, Reader, Sealed, Writer, subject};
use crate::protocol::generated::croupier::common::{Role, Seal, Stamp};
use crate::protocol::generated::croupier::reader::UpCard;
use crate::protocol::transfer::SubjectId;

/// The reader knows the up-card, by the dealer's key or by Arm; or a round ended and it forgot.
///
/// Sent by: the reader, at each change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Armed {
    /// Which event, and when.
    pub stamp: Stamp,
    /// The round.
    pub round: u16,
    /// The up-card; UNSAID when the round ended.
    pub up_card: UpCard,
    /// Whose authority told it; DEVICE for the keys on the reader.
    pub by: Role,
    /// By the reader.
    pub seal: Seal,
}

impl Object for Armed {
    const NAME: &'static str = "croupier.reader.Armed.1.0";
    const SHORTEST: usize = 38;
    const LONGEST: usize = 38;
    const EXTENT: usize = 38;
    const STRICT: bool = true;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.stamp.write(to)?;
        to.put(self.round.into(), 16)?;
        self.up_card.write(to)?;
        self.by.write(to)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let stamp = Stamp::read(from)?;
        let round = from.take(16)? as u16;
        let up_card = UpCard::read(from)?;
        let by = Role::read(from)?;
        let seal = Seal::read(from)?;
        Some(Self { stamp, round, up_card, by, seal })
    }
}

impl Message for Armed {
    const SUBJECT: SubjectId = subject(6210);
}

impl Sealed for Armed {
    fn seal(&self) -> &Seal {
        &self.seal
    }

    fn seal_mut(&mut self) -> &mut Seal {
        &mut self.seal
    }
}

impl Event for Armed {
    fn stamp(&self) -> &Stamp {
        &self.stamp
    }

    fn stamp_mut(&mut self) -> &mut Stamp {
        &mut self.stamp
    }
}
