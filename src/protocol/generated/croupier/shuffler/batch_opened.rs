//! `croupier.shuffler.BatchOpened.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{
    Answered, Object, Reader, Request, Response, Sealed, Writer, service,
};
use crate::protocol::generated::croupier::common::{Answer, Seal};
use crate::protocol::generated::croupier::shuffler::Batch;
use crate::protocol::transfer::ServiceId;

/// New cards were opened for a batch: its life begins (SH-40). The clock of each batch survives power loss.
///
/// Asked by: floorperson.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct BatchOpenedRequest {
    /// Which batch.
    pub batch: Batch,
    /// Decks in it; must equal the other batch (SH-15).
    pub decks: u8,
    /// By the floorperson.
    pub seal: Seal,
}

impl Object for BatchOpenedRequest {
    const NAME: &'static str = "croupier.shuffler.BatchOpened.1.0.Request";
    const SHORTEST: usize = 27;
    const LONGEST: usize = 27;
    const EXTENT: usize = 27;
    const STRICT: bool = true;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.batch.write(to)?;
        to.put(self.decks.into(), 8)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let batch = Batch::read(from)?;
        let decks = from.take(8)? as u8;
        let seal = Seal::read(from)?;
        Some(Self { batch, decks, seal })
    }
}

impl Request for BatchOpenedRequest {
    const SERVICE: ServiceId = service(323);
    type Response = BatchOpenedResponse;
}

impl Sealed for BatchOpenedRequest {
    fn seal(&self) -> &Seal {
        &self.seal
    }

    fn seal_mut(&mut self) -> &mut Seal {
        &mut self.seal
    }
}

/// The batch's life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct BatchOpenedResponse {
    /// What became of the request.
    pub answer: Answer,
    /// Until it must be changed; the stricter limit if the way of dealing changed.
    pub minutes_left: u16,
    /// By the shuffler.
    pub seal: Seal,
}

impl Object for BatchOpenedResponse {
    const NAME: &'static str = "croupier.shuffler.BatchOpened.1.0.Response";
    const SHORTEST: usize = 36;
    const LONGEST: usize = 36;
    const EXTENT: usize = 36;
    const STRICT: bool = true;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.answer.write(to)?;
        to.put(self.minutes_left.into(), 16)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let answer = Answer::read(from)?;
        let minutes_left = from.take(16)? as u16;
        let seal = Seal::read(from)?;
        Some(Self { answer, minutes_left, seal })
    }
}

impl Response for BatchOpenedResponse {
    const SERVICE: ServiceId = service(323);
}

impl Sealed for BatchOpenedResponse {
    fn seal(&self) -> &Seal {
        &self.seal
    }

    fn seal_mut(&mut self) -> &mut Seal {
        &mut self.seal
    }
}

impl Answered for BatchOpenedResponse {
    fn answer(&self) -> &Answer {
        &self.answer
    }

    fn answer_mut(&mut self) -> &mut Answer {
        &mut self.answer
    }
}
