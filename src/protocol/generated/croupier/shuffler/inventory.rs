//! `croupier.shuffler.Inventory.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{Event, Message, Object, Reader, Sealed, Writer, subject};
use crate::protocol::generated::croupier::common::{Seal, Stamp};
use crate::protocol::transfer::SubjectId;

/// Where the cards of a continuous machine are. The three parts make the batch at all times (SH-19).
///
/// Sent by: the shuffler in continuous operation, when a round begins or ends and at each discrepancy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Inventory {
    /// Which event, and when.
    pub stamp: Stamp,
    /// Cards in the wheel, the last round held in order among them (SH-21).
    pub inside: u16,
    /// Cards in the exit chute: these will be dealt next, whatever comes in (SH-20).
    pub chute: u8,
    /// Cards on the table.
    pub out: u16,
    /// Cards of the last round that can still be given back in order.
    pub last_round: u8,
    /// By the shuffler.
    pub seal: Seal,
}

impl Object for Inventory {
    const NAME: &'static str = "croupier.shuffler.Inventory.1.0";
    const SHORTEST: usize = 40;
    const LONGEST: usize = 40;
    const EXTENT: usize = 40;
    const STRICT: bool = true;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.stamp.write(to)?;
        to.put(self.inside.into(), 16)?;
        to.put(self.chute.into(), 8)?;
        to.put(self.out.into(), 16)?;
        to.put(self.last_round.into(), 8)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let stamp = Stamp::read(from)?;
        let inside = from.take(16)? as u16;
        let chute = from.take(8)? as u8;
        let out = from.take(16)? as u16;
        let last_round = from.take(8)? as u8;
        let seal = Seal::read(from)?;
        Some(Self { stamp, inside, chute, out, last_round, seal })
    }
}

impl Message for Inventory {
    const SUBJECT: SubjectId = subject(6275);
}

impl Sealed for Inventory {
    fn seal(&self) -> &Seal {
        &self.seal
    }

    fn seal_mut(&mut self) -> &mut Seal {
        &mut self.seal
    }
}

impl Event for Inventory {
    fn stamp(&self) -> &Stamp {
        &self.stamp
    }

    fn stamp_mut(&mut self) -> &mut Stamp {
        &mut self.stamp
    }
}
