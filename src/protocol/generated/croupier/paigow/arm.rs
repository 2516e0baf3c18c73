//! `croupier.paigow.Arm.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{
    Answered, Object, Reader, Request, Response, Sealed, Writer, service,
};
use crate::protocol::generated::croupier::common::{Answer, Seal};
use crate::protocol::generated::croupier::paigow::Signal;
use crate::protocol::transfer::ServiceId;

/// Tells the generator that the shuffle is complete, then that bets are closed. Only then does a press draw (PG-10).
///
/// Asked by: dealer or controller. No request draws a number: that takes the dealer's press.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ArmRequest {
    /// The round, counted by the controller.
    pub round: u16,
    /// What has happened. BETS_CLOSED counts only after SHUFFLE_COMPLETE of the same round.
    pub signal: Signal,
    /// By the role that asks.
    pub seal: Seal,
}

impl Object for ArmRequest {
    const NAME: &'static str = "croupier.paigow.Arm.1.0.Request";
    const SHORTEST: usize = 28;
    const LONGEST: usize = 28;
    const EXTENT: usize = 28;
    const STRICT: bool = true;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.round.into(), 16)?;
        self.signal.write(to)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let round = from.take(16)? as u16;
        let signal = Signal::read(from)?;
        let seal = Seal::read(from)?;
        Some(Self { round, signal, seal })
    }
}

impl Request for ArmRequest {
    const SERVICE: ServiceId = service(352);
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

/// Noted, or why not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ArmResponse {
    /// What became of the request.
    pub answer: Answer,
    /// Both have happened: a press will draw.
    pub armed: bool,
    /// By the generator.
    pub seal: Seal,
}

impl Object for ArmResponse {
    const NAME: &'static str = "croupier.paigow.Arm.1.0.Response";
    const SHORTEST: usize = 35;
    const LONGEST: usize = 35;
    const EXTENT: usize = 35;
    const STRICT: bool = true;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.answer.write(to)?;
        to.put(self.armed.into(), 1)?;
        to.put(0, 7)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let answer = Answer::read(from)?;
        let armed = from.take(1)? != 0;
        from.skip(7)?;
        let seal = Seal::read(from)?;
        Some(Self { answer, armed, seal })
    }
}

impl Response for ArmResponse {
    const SERVICE: ServiceId = service(352);
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
