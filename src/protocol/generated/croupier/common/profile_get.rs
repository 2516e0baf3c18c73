//! `croupier.common.ProfileGet.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{
    Answered, Object, Reader, Request, Response, Sealed, Writer, service,
};
use crate::protocol::generated::croupier::common::{Answer, Dealing, Game, Role, Seal};
use crate::protocol::transfer::ServiceId;

/// Asks which game's rules the device obeys.
///
/// Asked by: anybody with a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ProfileGetRequest {
    /// By any role.
    pub seal: Seal,
}

impl Object for ProfileGetRequest {
    const NAME: &'static str = "croupier.common.ProfileGet.1.0.Request";
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

impl Request for ProfileGetRequest {
    const SERVICE: ServiceId = service(257);
    type Response = ProfileGetResponse;
}

impl Sealed for ProfileGetRequest {
    fn seal(&self) -> &Seal {
        &self.seal
    }

    fn seal_mut(&mut self) -> &mut Seal {
        &mut self.seal
    }
}

/// The profile in force.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ProfileGetResponse {
    /// What became of the request.
    pub answer: Answer,
    /// The game; NONE if none was ever set.
    pub game: Game,
    /// Decks per batch.
    pub decks: u8,
    /// Cards in a full batch: what the count must find.
    pub cards: u16,
    /// How the cards are dealt.
    pub dealing: Dealing,
    /// Betting positions at this table.
    pub seats: u8,
    /// Whose authority set it.
    pub by: Role,
    /// When, in milliseconds of the day clock (see ClockGet); 0 if the clock was not set then.
    pub set_at_ms: u64,
    /// By the device.
    pub seal: Seal,
}

impl Object for ProfileGetResponse {
    const NAME: &'static str = "croupier.common.ProfileGet.1.0.Response";
    const SHORTEST: usize = 49;
    const LONGEST: usize = 49;
    const EXTENT: usize = 49;
    const STRICT: bool = true;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.answer.write(to)?;
        self.game.write(to)?;
        to.put(self.decks.into(), 8)?;
        to.put(self.cards.into(), 16)?;
        self.dealing.write(to)?;
        to.put(self.seats.into(), 8)?;
        self.by.write(to)?;
        to.put(self.set_at_ms, 64)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let answer = Answer::read(from)?;
        let game = Game::read(from)?;
        let decks = from.take(8)? as u8;
        let cards = from.take(16)? as u16;
        let dealing = Dealing::read(from)?;
        let seats = from.take(8)? as u8;
        let by = Role::read(from)?;
        let set_at_ms = from.take(64)?;
        let seal = Seal::read(from)?;
        Some(Self { answer, game, decks, cards, dealing, seats, by, set_at_ms, seal })
    }
}

impl Response for ProfileGetResponse {
    const SERVICE: ServiceId = service(257);
}

impl Sealed for ProfileGetResponse {
    fn seal(&self) -> &Seal {
        &self.seal
    }

    fn seal_mut(&mut self) -> &mut Seal {
        &mut self.seal
    }
}

impl Answered for ProfileGetResponse {
    fn answer(&self) -> &Answer {
        &self.answer
    }

    fn answer_mut(&mut self) -> &mut Answer {
        &mut self.answer
    }
}
