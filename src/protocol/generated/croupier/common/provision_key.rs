//! `croupier.common.ProvisionKey.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{
    Answered, Object, Reader, Request, Response, Sealed, Writer, service,
};
use crate::protocol::generated::croupier::common::{Answer, Role, Seal};
use crate::protocol::transfer::ServiceId;

/// Gives the device the key of a role. Write only: no service ever returns a key.
///
/// Asked by: service, with the device's service switch on. The key travels in clear, so do this on a
/// private link before the device comes to the table.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct ProvisionKeyRequest {
    /// Whose key it is; DEVICE for the device's own.
    pub role: Role,
    /// Secret. The key. A device on silicon refuses the simulation's keys.
    pub key: [u8; 32],
    /// By service: with the old key, when the service key itself is changed.
    pub seal: Seal,
}

impl core::fmt::Debug for ProvisionKeyRequest {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("ProvisionKeyRequest")
            .field("role", &self.role)
            .field("seal", &self.seal)
            .finish_non_exhaustive()
    }
}

impl Object for ProvisionKeyRequest {
    const NAME: &'static str = "croupier.common.ProvisionKey.1.0.Request";
    const SHORTEST: usize = 58;
    const LONGEST: usize = 58;
    const EXTENT: usize = 58;
    const STRICT: bool = true;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.role.write(to)?;
        to.put_bytes(&self.key)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let role = Role::read(from)?;
        let key = from.take_bytes()?;
        let seal = Seal::read(from)?;
        Some(Self { role, key, seal })
    }
}

impl Request for ProvisionKeyRequest {
    const SERVICE: ServiceId = service(263);
    type Response = ProvisionKeyResponse;
}

impl Sealed for ProvisionKeyRequest {
    fn seal(&self) -> &Seal {
        &self.seal
    }

    fn seal_mut(&mut self) -> &mut Seal {
        &mut self.seal
    }
}

/// The key is kept, or nothing changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ProvisionKeyResponse {
    /// What became of the request.
    pub answer: Answer,
    /// The first bytes of SHA-256 over "croupier key check" and the key: shows that it arrived, and no more.
    pub check: [u8; 8],
    /// By the device; with its new key, if that is what changed.
    pub seal: Seal,
}

impl Object for ProvisionKeyResponse {
    const NAME: &'static str = "croupier.common.ProvisionKey.1.0.Response";
    const SHORTEST: usize = 42;
    const LONGEST: usize = 42;
    const EXTENT: usize = 42;
    const STRICT: bool = true;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.answer.write(to)?;
        to.put_bytes(&self.check)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let answer = Answer::read(from)?;
        let check = from.take_bytes()?;
        let seal = Seal::read(from)?;
        Some(Self { answer, check, seal })
    }
}

impl Response for ProvisionKeyResponse {
    const SERVICE: ServiceId = service(263);
}

impl Sealed for ProvisionKeyResponse {
    fn seal(&self) -> &Seal {
        &self.seal
    }

    fn seal_mut(&mut self) -> &mut Seal {
        &mut self.seal
    }
}

impl Answered for ProvisionKeyResponse {
    fn answer(&self) -> &Answer {
        &self.answer
    }

    fn answer_mut(&mut self) -> &mut Answer {
        &mut self.answer
    }
}
