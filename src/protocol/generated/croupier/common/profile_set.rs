//! `croupier.common.ProfileSet.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{
    Answered, Object, Reader, Request, Response, Sealed, Writer, service,
};
use crate::protocol::generated::croupier::common::{Answer, Dealing, Game, Seal};
use crate::protocol::transfer::ServiceId;

/// Sets the game whose rules the device obeys (CM-07). Kept through power loss, and told by ProfileChanged.
///
/// Asked by: floorperson. Refused with IN_ROUND while a round is in play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ProfileSetRequest {
    /// The game; not NONE.
    pub game: Game,
    /// Decks per batch; one that the game's profile allows.
    pub decks: u8,
    /// How the cards are dealt.
    pub dealing: Dealing,
    /// Betting positions at this table (PG-13).
    pub seats: u8,
    /// By the floorperson.
    pub seal: Seal,
}

impl Object for ProfileSetRequest {
    const NAME: &'static str = "croupier.common.ProfileSet.1.0.Request";
    const SHORTEST: usize = 29;
    const LONGEST: usize = 29;
    const EXTENT: usize = 29;
    const STRICT: bool = true;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.game.write(to)?;
        to.put(self.decks.into(), 8)?;
        self.dealing.write(to)?;
        to.put(self.seats.into(), 8)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let game = Game::read(from)?;
        let decks = from.take(8)? as u8;
        let dealing = Dealing::read(from)?;
        let seats = from.take(8)? as u8;
        let seal = Seal::read(from)?;
        Some(Self { game, decks, dealing, seats, seal })
    }
}

impl Request for ProfileSetRequest {
    const SERVICE: ServiceId = service(256);
    type Response = ProfileSetResponse;
}

impl Sealed for ProfileSetRequest {
    fn seal(&self) -> &Seal {
        &self.seal
    }

    fn seal_mut(&mut self) -> &mut Seal {
        &mut self.seal
    }
}

/// The profile is in force, or nothing changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ProfileSetResponse {
    /// What became of the request.
    pub answer: Answer,
    /// By the device.
    pub seal: Seal,
}

impl Object for ProfileSetResponse {
    const NAME: &'static str = "croupier.common.ProfileSet.1.0.Response";
    const SHORTEST: usize = 34;
    const LONGEST: usize = 34;
    const EXTENT: usize = 34;
    const STRICT: bool = true;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.answer.write(to)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let answer = Answer::read(from)?;
        let seal = Seal::read(from)?;
        Some(Self { answer, seal })
    }
}

impl Response for ProfileSetResponse {
    const SERVICE: ServiceId = service(256);
}

impl Sealed for ProfileSetResponse {
    fn seal(&self) -> &Seal {
        &self.seal
    }

    fn seal_mut(&mut self) -> &mut Seal {
        &mut self.seal
    }
}

impl Answered for ProfileSetResponse {
    fn answer(&self) -> &Answer {
        &self.answer
    }

    fn answer_mut(&mut self) -> &mut Answer {
        &mut self.answer
    }
}
