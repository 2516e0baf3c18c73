//! `croupier.common.ProfileChanged.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{Event, Message, Object, Reader, Sealed, Writer, subject};
use crate::protocol::generated::croupier::common::{Dealing, Game, Role, Seal, Stamp};
use crate::protocol::transfer::SubjectId;

/// Another game is in force (CM-07).
///
/// Sent by: every device, when ProfileSet was accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ProfileChanged {
    /// Which event, and when.
    pub stamp: Stamp,
    /// The game before.
    pub from_game: Game,
    /// The game in force.
    pub to_game: Game,
    /// Decks per batch.
    pub decks: u8,
    /// How the cards are dealt.
    pub dealing: Dealing,
    /// Whose authority changed it.
    pub by: Role,
    /// By the device.
    pub seal: Seal,
}

impl Object for ProfileChanged {
    const NAME: &'static str = "croupier.common.ProfileChanged.1.0";
    const SHORTEST: usize = 39;
    const LONGEST: usize = 39;
    const EXTENT: usize = 39;
    const STRICT: bool = true;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.stamp.write(to)?;
        self.from_game.write(to)?;
        self.to_game.write(to)?;
        to.put(self.decks.into(), 8)?;
        self.dealing.write(to)?;
        self.by.write(to)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let stamp = Stamp::read(from)?;
        let from_game = Game::read(from)?;
        let to_game = Game::read(from)?;
        let decks = from.take(8)? as u8;
        let dealing = Dealing::read(from)?;
        let by = Role::read(from)?;
        let seal = Seal::read(from)?;
        Some(Self { stamp, from_game, to_game, decks, dealing, by, seal })
    }
}

impl Message for ProfileChanged {
    const SUBJECT: SubjectId = subject(6148);
}

impl Sealed for ProfileChanged {
    fn seal(&self) -> &Seal {
        &self.seal
    }

    fn seal_mut(&mut self) -> &mut Seal {
        &mut self.seal
    }
}

impl Event for ProfileChanged {
    fn stamp(&self) -> &Stamp {
        &self.stamp
    }

    fn stamp_mut(&mut self) -> &mut Stamp {
        &mut self.stamp
    }
}
