//! `croupier.shuffler.CountGet.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{
    Answered, Object, Reader, Request, Response, Sealed, Writer, service,
};
use crate::protocol::generated::croupier::common::{Answer, Role, Seal};
use crate::protocol::generated::croupier::shuffler::{Batch, CountVerdict, Purpose};
use crate::protocol::transfer::ServiceId;

/// Asks for the particulars of the last count: a card-checking receipt (SH-46).
///
/// Asked by: anybody with a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct CountGetRequest {
    /// By any role.
    pub seal: Seal,
}

impl Object for CountGetRequest {
    const NAME: &'static str = "croupier.shuffler.CountGet.1.0.Request";
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

impl Request for CountGetRequest {
    const SERVICE: ServiceId = service(322);
    type Response = CountGetResponse;
}

impl Sealed for CountGetRequest {
    fn seal(&self) -> &Seal {
        &self.seal
    }

    fn seal_mut(&mut self) -> &mut Seal {
        &mut self.seal
    }
}

/// The last count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct CountGetResponse {
    /// What became of the request; NOT_FOUND before the first count.
    pub answer: Answer,
    /// When, in milliseconds of the day clock; 0 if the clock was not set.
    pub utc_ms: u64,
    /// What the cycle was for.
    pub purpose: Purpose,
    /// Whether it is right.
    pub verdict: CountVerdict,
    /// Which batch.
    pub batch: Batch,
    /// Decks in a full batch.
    pub decks: u8,
    /// What the profile asks for; 0 for a partial batch.
    pub expected: u16,
    /// Cards that went in.
    pub fed: u16,
    /// Cards the slots held together.
    pub slotted: u16,
    /// Cards that came out: the count that matters.
    pub ejected: u16,
    /// Cover cards, in none of the numbers above (SH-26).
    pub cover_cards: u8,
    /// Backs of another colour (SH-18).
    pub foreign_backs: u8,
    /// Cards face up (SH-29).
    pub face_up: u8,
    /// Whose authority started the cycle; DEVICE for the keys on the shuffler.
    pub by: Role,
    /// By the shuffler.
    pub seal: Seal,
}

impl Object for CountGetResponse {
    const NAME: &'static str = "croupier.shuffler.CountGet.1.0.Response";
    const SHORTEST: usize = 58;
    const LONGEST: usize = 58;
    const EXTENT: usize = 58;
    const STRICT: bool = true;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.answer.write(to)?;
        to.put(self.utc_ms, 64)?;
        self.purpose.write(to)?;
        self.verdict.write(to)?;
        self.batch.write(to)?;
        to.put(self.decks.into(), 8)?;
        to.put(self.expected.into(), 16)?;
        to.put(self.fed.into(), 16)?;
        to.put(self.slotted.into(), 16)?;
        to.put(self.ejected.into(), 16)?;
        to.put(self.cover_cards.into(), 8)?;
        to.put(self.foreign_backs.into(), 8)?;
        to.put(self.face_up.into(), 8)?;
        self.by.write(to)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let answer = Answer::read(from)?;
        let utc_ms = from.take(64)?;
        let purpose = Purpose::read(from)?;
        let verdict = CountVerdict::read(from)?;
        let batch = Batch::read(from)?;
        let decks = from.take(8)? as u8;
        let expected = from.take(16)? as u16;
        let fed = from.take(16)? as u16;
        let slotted = from.take(16)? as u16;
        let ejected = from.take(16)? as u16;
        let cover_cards = from.take(8)? as u8;
        let foreign_backs = from.take(8)? as u8;
        let face_up = from.take(8)? as u8;
        let by = Role::read(from)?;
        let seal = Seal::read(from)?;
        Some(Self {
            answer,
            utc_ms,
            purpose,
            verdict,
            batch,
            decks,
            expected,
            fed,
            slotted,
            ejected,
            cover_cards,
            foreign_backs,
            face_up,
            by,
            seal,
        })
    }
}

impl Response for CountGetResponse {
    const SERVICE: ServiceId = service(322);
}

impl Sealed for CountGetResponse {
    fn seal(&self) -> &Seal {
        &self.seal
    }

    fn seal_mut(&mut self) -> &mut Seal {
        &mut self.seal
    }
}

impl Answered for CountGetResponse {
    fn answer(&self) -> &Answer {
        &self.answer
    }

    fn answer_mut(&mut self) -> &mut Answer {
        &mut self.answer
    }
}
