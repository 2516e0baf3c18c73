//! `croupier.common.Resend.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{
    Answered, Object, Reader, Request, Response, Sealed, Writer, service,
};
use crate::protocol::generated::croupier::common::{Answer, Seal};
use crate::protocol::transfer::ServiceId;

/// Asks for events that were missed. The device publishes them again, with the same stamps and new seals.
///
/// Asked by: controller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ResendRequest {
    /// As in Stamp: the start that the events belong to.
    pub start: u8,
    /// The first event missed.
    pub first: u32,
    /// The last event missed.
    pub last: u32,
    /// By the controller.
    pub seal: Seal,
}

impl Object for ResendRequest {
    const NAME: &'static str = "croupier.common.Resend.1.0.Request";
    const SHORTEST: usize = 32;
    const LONGEST: usize = 32;
    const EXTENT: usize = 32;
    const STRICT: bool = true;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.start.into(), 8)?;
        to.put(self.first.min(0xFFFFFF).into(), 24)?;
        to.put(self.last.min(0xFFFFFF).into(), 24)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let start = from.take(8)? as u8;
        let first = from.take(24)? as u32;
        let last = from.take(24)? as u32;
        let seal = Seal::read(from)?;
        Some(Self { start, first, last, seal })
    }
}

impl Request for ResendRequest {
    const SERVICE: ServiceId = service(266);
    type Response = ResendResponse;
}

impl Sealed for ResendRequest {
    fn seal(&self) -> &Seal {
        &self.seal
    }

    fn seal_mut(&mut self) -> &mut Seal {
        &mut self.seal
    }
}

/// Which of them will come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ResendResponse {
    /// What became of the request; NOT_FOUND if none is kept any more. The journal has them then.
    pub answer: Answer,
    /// The first event that will be sent again.
    pub first: u32,
    /// The last.
    pub last: u32,
    /// By the device.
    pub seal: Seal,
}

impl Object for ResendResponse {
    const NAME: &'static str = "croupier.common.Resend.1.0.Response";
    const SHORTEST: usize = 40;
    const LONGEST: usize = 40;
    const EXTENT: usize = 40;
    const STRICT: bool = true;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.answer.write(to)?;
        to.put(self.first.min(0xFFFFFF).into(), 24)?;
        to.put(self.last.min(0xFFFFFF).into(), 24)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let answer = Answer::read(from)?;
        let first = from.take(24)? as u32;
        let last = from.take(24)? as u32;
        let seal = Seal::read(from)?;
        Some(Self { answer, first, last, seal })
    }
}

impl Response for ResendResponse {
    const SERVICE: ServiceId = service(266);
}

impl Sealed for ResendResponse {
    fn seal(&self) -> &Seal {
        &self.seal
    }

    fn seal_mut(&mut self) -> &mut Seal {
        &mut self.seal
    }
}

impl Answered for ResendResponse {
    fn answer(&self) -> &Answer {
        &self.answer
    }

    fn answer_mut(&mut self) -> &mut Answer {
        &mut self.answer
    }
}
