//! `croupier.shuffler.InventoryGet.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{
    Answered, Object, Reader, Request, Response, Sealed, Writer, service,
};
use crate::protocol::generated::croupier::common::{Answer, Seal};
use crate::protocol::generated::croupier::shuffler::{Batch, CertificateState};
use crate::protocol::transfer::ServiceId;

/// Asks where all cards are, as far as the machine knows: after an interruption it says what is left inside.
///
/// Asked by: anybody with a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct InventoryGetRequest {
    /// By any role.
    pub seal: Seal,
}

impl Object for InventoryGetRequest {
    const NAME: &'static str = "croupier.shuffler.InventoryGet.1.0.Request";
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

impl Request for InventoryGetRequest {
    const SERVICE: ServiceId = service(321);
    type Response = InventoryGetResponse;
}

impl Sealed for InventoryGetRequest {
    fn seal(&self) -> &Seal {
        &self.seal
    }

    fn seal_mut(&mut self) -> &mut Seal {
        &mut self.seal
    }
}

/// The cards, by place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct InventoryGetResponse {
    /// What became of the request.
    pub answer: Answer,
    /// The batch inside; NONE if none, or if it is not known which.
    pub batch: Batch,
    /// Whether that batch counts as shuffled.
    pub certificate: CertificateState,
    /// Cards in the feed tray; 0 or 1, meaning none or some, where only a beam watches it.
    pub feed: u16,
    /// Cards in the wheel.
    pub inside: u16,
    /// Cards in the exit chute or tray.
    pub chute: u16,
    /// Cards on the table.
    pub out: u16,
    /// The machine would swear to these numbers. False after an interruption, until it has been emptied.
    pub certain: bool,
    /// By the shuffler.
    pub seal: Seal,
}

impl Object for InventoryGetResponse {
    const NAME: &'static str = "croupier.shuffler.InventoryGet.1.0.Response";
    const SHORTEST: usize = 45;
    const LONGEST: usize = 45;
    const EXTENT: usize = 45;
    const STRICT: bool = true;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.answer.write(to)?;
        self.batch.write(to)?;
        self.certificate.write(to)?;
        to.put(self.feed.into(), 16)?;
        to.put(self.inside.into(), 16)?;
        to.put(self.chute.into(), 16)?;
        to.put(self.out.into(), 16)?;
        to.put(self.certain.into(), 1)?;
        to.put(0, 7)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let answer = Answer::read(from)?;
        let batch = Batch::read(from)?;
        let certificate = CertificateState::read(from)?;
        let feed = from.take(16)? as u16;
        let inside = from.take(16)? as u16;
        let chute = from.take(16)? as u16;
        let out = from.take(16)? as u16;
        let certain = from.take(1)? != 0;
        from.skip(7)?;
        let seal = Seal::read(from)?;
        Some(Self { answer, batch, certificate, feed, inside, chute, out, certain, seal })
    }
}

impl Response for InventoryGetResponse {
    const SERVICE: ServiceId = service(321);
}

impl Sealed for InventoryGetResponse {
    fn seal(&self) -> &Seal {
        &self.seal
    }

    fn seal_mut(&mut self) -> &mut Seal {
        &mut self.seal
    }
}

impl Answered for InventoryGetResponse {
    fn answer(&self) -> &Answer {
        &self.answer
    }

    fn answer_mut(&mut self) -> &mut Answer {
        &mut self.answer
    }
}
