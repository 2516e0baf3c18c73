//! `croupier.paigow.Recall.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{
    Answered, Object, Reader, Request, Response, Sealed, Writer, service,
};
use crate::protocol::generated::croupier::common::{Answer, Seal};
use crate::protocol::transfer::ServiceId;

/// Asks for a number drawn before, one of the last hundred, for a dispute (PG-15).
///
/// Asked by: floorperson, service or controller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct RecallRequest {
    /// 0 for the last number, 1 for the one before it, and so on to 99.
    pub back: u8,
    /// By the role that asks.
    pub seal: Seal,
}

impl Object for RecallRequest {
    const NAME: &'static str = "croupier.paigow.Recall.1.0.Request";
    const SHORTEST: usize = 26;
    const LONGEST: usize = 26;
    const EXTENT: usize = 26;
    const STRICT: bool = true;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.back.into(), 8)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let back = from.take(8)? as u8;
        let seal = Seal::read(from)?;
        Some(Self { back, seal })
    }
}

impl Request for RecallRequest {
    const SERVICE: ServiceId = service(354);
    type Response = RecallResponse;
}

impl Sealed for RecallRequest {
    fn seal(&self) -> &Seal {
        &self.seal
    }

    fn seal_mut(&mut self) -> &mut Seal {
        &mut self.seal
    }
}

/// The number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct RecallResponse {
    /// What became of the request; NOT_FOUND if so many are not kept.
    pub answer: Answer,
    /// Its round.
    pub round: u16,
    /// As shown.
    pub number: u8,
    /// Out of how many.
    pub positions: u8,
    /// When, in milliseconds of the day clock; 0 if the clock was not set.
    pub utc_ms: u64,
    /// The round has not ended: the number still stands.
    pub in_play: bool,
    /// By the generator.
    pub seal: Seal,
}

impl Object for RecallResponse {
    const NAME: &'static str = "croupier.paigow.Recall.1.0.Response";
    const SHORTEST: usize = 47;
    const LONGEST: usize = 47;
    const EXTENT: usize = 47;
    const STRICT: bool = true;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.answer.write(to)?;
        to.put(self.round.into(), 16)?;
        to.put(self.number.into(), 8)?;
        to.put(self.positions.into(), 8)?;
        to.put(self.utc_ms, 64)?;
        to.put(self.in_play.into(), 1)?;
        to.put(0, 7)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let answer = Answer::read(from)?;
        let round = from.take(16)? as u16;
        let number = from.take(8)? as u8;
        let positions = from.take(8)? as u8;
        let utc_ms = from.take(64)?;
        let in_play = from.take(1)? != 0;
        from.skip(7)?;
        let seal = Seal::read(from)?;
        Some(Self { answer, round, number, positions, utc_ms, in_play, seal })
    }
}

impl Response for RecallResponse {
    const SERVICE: ServiceId = service(354);
}

impl Sealed for RecallResponse {
    fn seal(&self) -> &Seal {
        &self.seal
    }

    fn seal_mut(&mut self) -> &mut Seal {
        &mut self.seal
    }
}

impl Answered for RecallResponse {
    fn answer(&self) -> &Answer {
        &self.answer
    }

    fn answer_mut(&mut self) -> &mut Answer {
        &mut self.answer
    }
}
