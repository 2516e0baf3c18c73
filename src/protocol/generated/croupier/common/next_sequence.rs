//! `croupier.common.NextSequence.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{
    Answered, Object, Reader, Request, Response, Sealed, Writer, service,
};
use crate::protocol::generated::croupier::common::{Answer, Seal};
use crate::protocol::transfer::ServiceId;

/// Asks from which sequence on the device takes commands of a role; for a controller that was replaced or restarted.
///
/// Asked by: anybody with a key, about its own role. The seal must verify, but its sequence may be old:
/// asking changes nothing, and the nonce keeps an old answer from passing for this one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct NextSequenceRequest {
    /// Any number not used before.
    pub nonce: u64,
    /// By the role that wants to know.
    pub seal: Seal,
}

impl Object for NextSequenceRequest {
    const NAME: &'static str = "croupier.common.NextSequence.1.0.Request";
    const SHORTEST: usize = 33;
    const LONGEST: usize = 33;
    const EXTENT: usize = 33;
    const STRICT: bool = true;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.nonce, 64)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let nonce = from.take(64)?;
        let seal = Seal::read(from)?;
        Some(Self { nonce, seal })
    }
}

impl Request for NextSequenceRequest {
    const SERVICE: ServiceId = service(265);
    type Response = NextSequenceResponse;
}

impl Sealed for NextSequenceRequest {
    fn seal(&self) -> &Seal {
        &self.seal
    }

    fn seal_mut(&mut self) -> &mut Seal {
        &mut self.seal
    }
}

/// The floor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct NextSequenceResponse {
    /// What became of the request.
    pub answer: Answer,
    /// As asked.
    pub nonce: u64,
    /// The lowest sequence that will be taken from this role.
    pub floor: u64,
    /// By the device.
    pub seal: Seal,
}

impl Object for NextSequenceResponse {
    const NAME: &'static str = "croupier.common.NextSequence.1.0.Response";
    const SHORTEST: usize = 50;
    const LONGEST: usize = 50;
    const EXTENT: usize = 50;
    const STRICT: bool = true;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.answer.write(to)?;
        to.put(self.nonce, 64)?;
        to.put(self.floor, 64)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let answer = Answer::read(from)?;
        let nonce = from.take(64)?;
        let floor = from.take(64)?;
        let seal = Seal::read(from)?;
        Some(Self { answer, nonce, floor, seal })
    }
}

impl Response for NextSequenceResponse {
    const SERVICE: ServiceId = service(265);
}

impl Sealed for NextSequenceResponse {
    fn seal(&self) -> &Seal {
        &self.seal
    }

    fn seal_mut(&mut self) -> &mut Seal {
        &mut self.seal
    }
}

impl Answered for NextSequenceResponse {
    fn answer(&self) -> &Answer {
        &self.answer
    }

    fn answer_mut(&mut self) -> &mut Answer {
        &mut self.answer
    }
}
