//! `croupier.reader.RoundEnd.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{
    Answered, Object, Reader, Request, Response, Sealed, Writer, service,
};
use crate::protocol::generated::croupier::common::{Answer, Seal};
use crate::protocol::transfer::ServiceId;

/// The hole card is face up and the round is over: the reader forgets it, and may now tell what had to wait (RD-17).
///
/// Asked by: dealer or controller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct RoundEndRequest {
    /// The round that ended.
    pub round: u16,
    /// By the role that asks.
    pub seal: Seal,
}

impl Object for RoundEndRequest {
    const NAME: &'static str = "croupier.reader.RoundEnd.1.0.Request";
    const SHORTEST: usize = 27;
    const LONGEST: usize = 27;
    const EXTENT: usize = 27;
    const STRICT: bool = true;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.round.into(), 16)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let round = from.take(16)? as u16;
        let seal = Seal::read(from)?;
        Some(Self { round, seal })
    }
}

impl Request for RoundEndRequest {
    const SERVICE: ServiceId = service(289);
    type Response = RoundEndResponse;
}

impl Sealed for RoundEndRequest {
    fn seal(&self) -> &Seal {
        &self.seal
    }

    fn seal_mut(&mut self) -> &mut Seal {
        &mut self.seal
    }
}

/// Ended, or why not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct RoundEndResponse {
    /// What became of the request; OUT_OF_TURN while a card is in the nest.
    pub answer: Answer,
    /// By the reader.
    pub seal: Seal,
}

impl Object for RoundEndResponse {
    const NAME: &'static str = "croupier.reader.RoundEnd.1.0.Response";
    const SHORTEST: usize = 34;
    const LONGEST: usize = 34;
    const EXTENT: usize = 34;
    const STRICT: bool = true;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.answer.write(to)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let answer = Answer::read(from)?;
        let seal = Seal::read(from)?;
        Some(Self { answer, seal })
    }
}

impl Response for RoundEndResponse {
    const SERVICE: ServiceId = service(289);
}

impl Sealed for RoundEndResponse {
    fn seal(&self) -> &Seal {
        &self.seal
    }

    fn seal_mut(&mut self) -> &mut Seal {
        &mut self.seal
    }
}

impl Answered for RoundEndResponse {
    fn answer(&self) -> &Answer {
        &self.answer
    }

    fn answer_mut(&mut self) -> &mut Answer {
        &mut self.answer
    }
}
