//! `croupier.common.Refusals.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{
    Answered, Object, Reader, Request, Response, Sealed, Writer, service,
};
use crate::protocol::generated::croupier::common::{Answer, Seal};
use crate::protocol::transfer::ServiceId;

/// Asks how many requests were dropped or refused for their seal since the start, by kind.
///
/// Asked by: anybody with a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct RefusalsRequest {
    /// By any role.
    pub seal: Seal,
}

impl Object for RefusalsRequest {
    const NAME: &'static str = "croupier.common.Refusals.1.0.Request";
    const SHORTEST: usize = 25;
    const LONGEST: usize = 25;
    const EXTENT: usize = 25;
    const STRICT: bool = true;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let seal = Seal::read(from)?;
        Some(Self { seal })
    }
}

impl Request for RefusalsRequest {
    const SERVICE: ServiceId = service(267);
    type Response = RefusalsResponse;
}

impl Sealed for RefusalsRequest {
    fn seal(&self) -> &Seal {
        &self.seal
    }

    fn seal_mut(&mut self) -> &mut Seal {
        &mut self.seal
    }
}

/// The counts; each stays at 65535 when it gets there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct RefusalsResponse {
    /// What became of the request.
    pub answer: Answer,
    /// Wrong length for the port, or a value that is none.
    pub malformed: u16,
    /// A role the device has no key for.
    pub unknown_role: u16,
    /// The seal does not verify: another key, another device, or altered on the way.
    pub forged: u16,
    /// The seal verifies, but the sequence is below the floor.
    pub replayed: u16,
    /// All right but for the role's authority.
    pub not_authorised: u16,
    /// By the device.
    pub seal: Seal,
}

impl Object for RefusalsResponse {
    const NAME: &'static str = "croupier.common.Refusals.1.0.Response";
    const SHORTEST: usize = 44;
    const LONGEST: usize = 44;
    const EXTENT: usize = 44;
    const STRICT: bool = true;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.answer.write(to)?;
        to.put(self.malformed.into(), 16)?;
        to.put(self.unknown_role.into(), 16)?;
        to.put(self.forged.into(), 16)?;
        to.put(self.replayed.into(), 16)?;
        to.put(self.not_authorised.into(), 16)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let answer = Answer::read(from)?;
        let malformed = from.take(16)? as u16;
        let unknown_role = from.take(16)? as u16;
        let forged = from.take(16)? as u16;
        let replayed = from.take(16)? as u16;
        let not_authorised = from.take(16)? as u16;
        let seal = Seal::read(from)?;
        Some(Self { answer, malformed, unknown_role, forged, replayed, not_authorised, seal })
    }
}

impl Response for RefusalsResponse {
    const SERVICE: ServiceId = service(267);
}

impl Sealed for RefusalsResponse {
    fn seal(&self) -> &Seal {
        &self.seal
    }

    fn seal_mut(&mut self) -> &mut Seal {
        &mut self.seal
    }
}

impl Answered for RefusalsResponse {
    fn answer(&self) -> &Answer {
        &self.answer
    }

    fn answer_mut(&mut self) -> &mut Answer {
        &mut self.answer
    }
}
