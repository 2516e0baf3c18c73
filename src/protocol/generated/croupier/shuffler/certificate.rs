//! `croupier.shuffler.Certificate.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{Event, Message, Object, Reader, Sealed, Writer, subject};
use crate::protocol::generated::croupier::common::{Seal, Stamp};
use crate::protocol::generated::croupier::shuffler::{Batch, CertificateReason, CertificateState};
use crate::protocol::transfer::SubjectId;

/// A batch is certified shuffled, or is so no more. Only a whole clean cycle certifies (SH-22).
///
/// Sent by: the shuffler, at each change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Certificate {
    /// Which event, and when.
    pub stamp: Stamp,
    /// What it is now.
    pub state: CertificateState,
    /// Why it changed.
    pub reason: CertificateReason,
    /// Which batch.
    pub batch: Batch,
    /// Cards in it.
    pub cards: u16,
    /// The only batch inside, locked, untouched since its shuffle: may be dealt unspread where SH-25 allows.
    pub secure: bool,
    /// By the shuffler.
    pub seal: Seal,
}

impl Object for Certificate {
    const NAME: &'static str = "croupier.shuffler.Certificate.1.0";
    const SHORTEST: usize = 40;
    const LONGEST: usize = 40;
    const EXTENT: usize = 40;
    const STRICT: bool = true;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.stamp.write(to)?;
        self.state.write(to)?;
        self.reason.write(to)?;
        self.batch.write(to)?;
        to.put(self.cards.into(), 16)?;
        to.put(self.secure.into(), 1)?;
        to.put(0, 7)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let stamp = Stamp::read(from)?;
        let state = CertificateState::read(from)?;
        let reason = CertificateReason::read(from)?;
        let batch = Batch::read(from)?;
        let cards = from.take(16)? as u16;
        let secure = from.take(1)? != 0;
        from.skip(7)?;
        let seal = Seal::read(from)?;
        Some(Self { stamp, state, reason, batch, cards, secure, seal })
    }
}

impl Message for Certificate {
    const SUBJECT: SubjectId = subject(6274);
}

impl Sealed for Certificate {
    fn seal(&self) -> &Seal {
        &self.seal
    }

    fn seal_mut(&mut self) -> &mut Seal {
        &mut self.seal
    }
}

impl Event for Certificate {
    fn stamp(&self) -> &Stamp {
        &self.stamp
    }

    fn stamp_mut(&mut self) -> &mut Stamp {
        &mut self.stamp
    }
}
