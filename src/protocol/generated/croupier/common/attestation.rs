//! `croupier.common.Attestation.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{
    Answered, Object, Reader, Request, Response, Sealed, Writer, service,
};
use crate::protocol::generated::croupier::common::{Answer, Seal};
use crate::protocol::transfer::ServiceId;

/// Has the device prove which image it runs (CM-02, CM-03). The device does not know the right answer.
///
/// Asked by: anybody with a key. Answered BUSY until the image has been measured with this nonce.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct AttestationRequest {
    /// Chosen by whoever wants the proof, anew each time.
    pub nonce: [u8; 32],
    /// By any role.
    pub seal: Seal,
}

impl Object for AttestationRequest {
    const NAME: &'static str = "croupier.common.Attestation.1.0.Request";
    const SHORTEST: usize = 57;
    const LONGEST: usize = 57;
    const EXTENT: usize = 57;
    const STRICT: bool = true;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put_bytes(&self.nonce)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let nonce = from.take_bytes()?;
        let seal = Seal::read(from)?;
        Some(Self { nonce, seal })
    }
}

impl Request for AttestationRequest {
    const SERVICE: ServiceId = service(262);
    type Response = AttestationResponse;
}

impl Sealed for AttestationRequest {
    fn seal(&self) -> &Seal {
        &self.seal
    }

    fn seal_mut(&mut self) -> &mut Seal {
        &mut self.seal
    }
}

/// The measurement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct AttestationResponse {
    /// What became of the request.
    pub answer: Answer,
    /// Bytes measured, from the start of the image.
    pub image_length: u32,
    /// SHA-256 of the nonce followed by the image.
    pub digest: [u8; 32],
    /// By the device.
    pub seal: Seal,
}

impl Object for AttestationResponse {
    const NAME: &'static str = "croupier.common.Attestation.1.0.Response";
    const SHORTEST: usize = 70;
    const LONGEST: usize = 70;
    const EXTENT: usize = 70;
    const STRICT: bool = true;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.answer.write(to)?;
        to.put(self.image_length.into(), 32)?;
        to.put_bytes(&self.digest)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let answer = Answer::read(from)?;
        let image_length = from.take(32)? as u32;
        let digest = from.take_bytes()?;
        let seal = Seal::read(from)?;
        Some(Self { answer, image_length, digest, seal })
    }
}

impl Response for AttestationResponse {
    const SERVICE: ServiceId = service(262);
}

impl Sealed for AttestationResponse {
    fn seal(&self) -> &Seal {
        &self.seal
    }

    fn seal_mut(&mut self) -> &mut Seal {
        &mut self.seal
    }
}

impl Answered for AttestationResponse {
    fn answer(&self) -> &Answer {
        &self.answer
    }

    fn answer_mut(&mut self) -> &mut Answer {
        &mut self.answer
    }
}
