//! `croupier.common.Clear.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{
    Answered, Object, Reader, Request, Response, Sealed, Writer, service,
};
use crate::protocol::generated::croupier::common::{Answer, Seal, Trouble};
use crate::protocol::transfer::ServiceId;

/// Clears an irregularity once its next step is done. A lock-out needs a passed check besides (RD-10, SH-23).
///
/// Asked by: the role that the irregularity names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ClearRequest {
    /// What to clear.
    pub trouble: Trouble,
    /// By the role that clears.
    pub seal: Seal,
}

impl Object for ClearRequest {
    const NAME: &'static str = "croupier.common.Clear.1.0.Request";
    const SHORTEST: usize = 26;
    const LONGEST: usize = 26;
    const EXTENT: usize = 26;
    const STRICT: bool = true;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.trouble.write(to)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let trouble = Trouble::read(from)?;
        let seal = Seal::read(from)?;
        Some(Self { trouble, seal })
    }
}

impl Request for ClearRequest {
    const SERVICE: ServiceId = service(264);
    type Response = ClearResponse;
}

impl Sealed for ClearRequest {
    fn seal(&self) -> &Seal {
        &self.seal
    }

    fn seal_mut(&mut self) -> &mut Seal {
        &mut self.seal
    }
}

/// It is cleared, or why not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ClearResponse {
    /// What became of the request; OUT_OF_TURN while the cause persists.
    pub answer: Answer,
    /// Irregularities that remain.
    pub still_open: u16,
    /// By the device.
    pub seal: Seal,
}

impl Object for ClearResponse {
    const NAME: &'static str = "croupier.common.Clear.1.0.Response";
    const SHORTEST: usize = 36;
    const LONGEST: usize = 36;
    const EXTENT: usize = 36;
    const STRICT: bool = true;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.answer.write(to)?;
        to.put(self.still_open.into(), 16)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let answer = Answer::read(from)?;
        let still_open = from.take(16)? as u16;
        let seal = Seal::read(from)?;
        Some(Self { answer, still_open, seal })
    }
}

impl Response for ClearResponse {
    const SERVICE: ServiceId = service(264);
}

impl Sealed for ClearResponse {
    fn seal(&self) -> &Seal {
        &self.seal
    }

    fn seal_mut(&mut self) -> &mut Seal {
        &mut self.seal
    }
}

impl Answered for ClearResponse {
    fn answer(&self) -> &Answer {
        &self.answer
    }

    fn answer_mut(&mut self) -> &mut Answer {
        &mut self.answer
    }
}
