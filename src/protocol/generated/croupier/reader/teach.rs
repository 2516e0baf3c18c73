//! `croupier.reader.Teach.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{
    Answered, Object, Reader, Request, Response, Sealed, Writer, service,
};
use crate::protocol::generated::croupier::common::{Answer, Seal};
use crate::protocol::generated::croupier::reader::{Lesson, TeachAction};
use crate::protocol::transfer::ServiceId;

/// Leads through the teaching of a brand of cards. Old brand or new, never half of one, also after power loss.
///
/// Asked by: floorperson or service; any role may LOOK.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct TeachRequest {
    /// What the supervisor does.
    pub action: TeachAction,
    /// The brand's number in the casino's list, with BEGIN; otherwise 0.
    pub brand: u32,
    /// By the role that asks.
    pub seal: Seal,
}

impl Object for TeachRequest {
    const NAME: &'static str = "croupier.reader.Teach.1.0.Request";
    const SHORTEST: usize = 30;
    const LONGEST: usize = 30;
    const EXTENT: usize = 30;
    const STRICT: bool = true;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.action.write(to)?;
        to.put(self.brand.into(), 32)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let action = TeachAction::read(from)?;
        let brand = from.take(32)? as u32;
        let seal = Seal::read(from)?;
        Some(Self { action, brand, seal })
    }
}

impl Request for TeachRequest {
    const SERVICE: ServiceId = service(290);
    type Response = TeachResponse;
}

impl Sealed for TeachRequest {
    fn seal(&self) -> &Seal {
        &self.seal
    }

    fn seal_mut(&mut self) -> &mut Seal {
        &mut self.seal
    }
}

/// How far the lesson is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct TeachResponse {
    /// What became of the request.
    pub answer: Answer,
    /// Where the lesson stands.
    pub lesson: Lesson,
    /// Cards shown in this part.
    pub shown: u16,
    /// Cards this part wants.
    pub wanted: u16,
    /// The brand in force; 0 if none.
    pub brand: u32,
    /// SHA-256 of what is kept of the brand in force; zero if none.
    pub brand_hash: [u8; 32],
    /// By the reader.
    pub seal: Seal,
}

impl Object for TeachResponse {
    const NAME: &'static str = "croupier.reader.Teach.1.0.Response";
    const SHORTEST: usize = 75;
    const LONGEST: usize = 75;
    const EXTENT: usize = 75;
    const STRICT: bool = true;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.answer.write(to)?;
        self.lesson.write(to)?;
        to.put(self.shown.into(), 16)?;
        to.put(self.wanted.into(), 16)?;
        to.put(self.brand.into(), 32)?;
        to.put_bytes(&self.brand_hash)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let answer = Answer::read(from)?;
        let lesson = Lesson::read(from)?;
        let shown = from.take(16)? as u16;
        let wanted = from.take(16)? as u16;
        let brand = from.take(32)? as u32;
        let brand_hash = from.take_bytes()?;
        let seal = Seal::read(from)?;
        Some(Self { answer, lesson, shown, wanted, brand, brand_hash, seal })
    }
}

impl Response for TeachResponse {
    const SERVICE: ServiceId = service(290);
}

impl Sealed for TeachResponse {
    fn seal(&self) -> &Seal {
        &self.seal
    }

    fn seal_mut(&mut self) -> &mut Seal {
        &mut self.seal
    }
}

impl Answered for TeachResponse {
    fn answer(&self) -> &Answer {
        &self.answer
    }

    fn answer_mut(&mut self) -> &mut Answer {
        &mut self.answer
    }
}
