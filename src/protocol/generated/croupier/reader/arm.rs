//! `croupier.reader.Arm.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{
    Answered, Object, Reader, Request, Response, Sealed, Writer, service,
};
use crate::protocol::generated::croupier::common::{Answer, Seal};
use crate::protocol::generated::croupier::reader::UpCard;
use crate::protocol::transfer::ServiceId;

/// Tells the reader the up-card of a round (RD-04, RD-06). One question a round: a second, different one gets the notice.
///
/// Asked by: dealer or controller. The keys on the reader do the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ArmRequest {
    /// The round, counted by the controller. A new number ends the round before.
    pub round: u16,
    /// What the dealer shows. In 685a it is not needed, and only serves the hint of RD-15.
    pub up_card: UpCard,
    /// By the role that asks.
    pub seal: Seal,
}

impl Object for ArmRequest {
    const NAME: &'static str = "croupier.reader.Arm.1.0.Request";
    const SHORTEST: usize = 28;
    const LONGEST: usize = 28;
    const EXTENT: usize = 28;
    const STRICT: bool = true;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.round.into(), 16)?;
        self.up_card.write(to)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let round = from.take(16)? as u16;
        let up_card = UpCard::read(from)?;
        let seal = Seal::read(from)?;
        Some(Self { round, up_card, seal })
    }
}

impl Request for ArmRequest {
    const SERVICE: ServiceId = service(288);
    type Response = ArmResponse;
}

impl Sealed for ArmRequest {
    fn seal(&self) -> &Seal {
        &self.seal
    }

    fn seal_mut(&mut self) -> &mut Seal {
        &mut self.seal
    }
}

/// Armed, or why not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ArmResponse {
    /// What became of the request.
    pub answer: Answer,
    /// By the reader.
    pub seal: Seal,
}

impl Object for ArmResponse {
    const NAME: &'static str = "croupier.reader.Arm.1.0.Response";
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

impl Response for ArmResponse {
    const SERVICE: ServiceId = service(288);
}

impl Sealed for ArmResponse {
    fn seal(&self) -> &Seal {
        &self.seal
    }

    fn seal_mut(&mut self) -> &mut Seal {
        &mut self.seal
    }
}

impl Answered for ArmResponse {
    fn answer(&self) -> &Answer {
        &self.answer
    }

    fn answer_mut(&mut self) -> &mut Answer {
        &mut self.answer
    }
}
