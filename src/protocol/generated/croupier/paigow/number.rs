//! `croupier.paigow.Number.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{Event, Message, Object, Reader, Sealed, Writer, subject};
use crate::protocol::generated::croupier::common::{Seal, Stamp};
use crate::protocol::generated::croupier::paigow::Direction;
use crate::protocol::transfer::SubjectId;

/// The starting position of the round, as the display shows it (PG-01, PG-09). Fixed before it is shown.
///
/// Sent by: the generator, once for each round; after power loss in the round the same number again (PG-17).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Number {
    /// Which event, and when.
    pub stamp: Stamp,
    /// The round, as the arming named it.
    pub round: u16,
    /// 1 is the dealer; 2 and up are the betting positions, empty ones too, in the direction `counted` (PG-12).
    pub number: u8,
    /// How many there are: 7 in 588. All equally likely (PG-03).
    pub positions: u8,
    /// Which way positions are counted from the dealer.
    pub counted: Direction,
    /// Which way the stacks then go.
    pub dealt: Direction,
    /// By the generator.
    pub seal: Seal,
}

impl Object for Number {
    const NAME: &'static str = "croupier.paigow.Number.1.0";
    const SHORTEST: usize = 40;
    const LONGEST: usize = 40;
    const EXTENT: usize = 40;
    const STRICT: bool = true;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.stamp.write(to)?;
        to.put(self.round.into(), 16)?;
        to.put(self.number.into(), 8)?;
        to.put(self.positions.into(), 8)?;
        self.counted.write(to)?;
        self.dealt.write(to)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let stamp = Stamp::read(from)?;
        let round = from.take(16)? as u16;
        let number = from.take(8)? as u8;
        let positions = from.take(8)? as u8;
        let counted = Direction::read(from)?;
        let dealt = Direction::read(from)?;
        let seal = Seal::read(from)?;
        Some(Self { stamp, round, number, positions, counted, dealt, seal })
    }
}

impl Message for Number {
    const SUBJECT: SubjectId = subject(6336);
}

impl Sealed for Number {
    fn seal(&self) -> &Seal {
        &self.seal
    }

    fn seal_mut(&mut self) -> &mut Seal {
        &mut self.seal
    }
}

impl Event for Number {
    fn stamp(&self) -> &Stamp {
        &self.stamp
    }

    fn stamp_mut(&mut self) -> &mut Stamp {
        &mut self.stamp
    }
}
