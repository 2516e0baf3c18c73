//! The game in force: chosen by a floorperson, checked against its rules, kept.
use super::clock::KeptTime;
use crate::entropy::MOST_CARDS;
use crate::identity::DeviceKind;
use crate::profile::{self, Game, Profile};
use crate::protocol::generated::croupier::common::{
    Dealing, ProfileGetResponse, ProfileSetRequest, Role,
};
use crate::store::{Key, Record, Store, StoreError};
use embedded_storage::nor_flash::NorFlash;

/// The game in force, and who said so when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chosen {
    /// The game.
    pub game: Game,
    /// Decks per batch.
    pub decks: u8,
    /// How the cards are dealt, where the game leaves a choice.
    pub dealing: Dealing,
    /// Betting positions at this table.
    pub seats: u8,
    /// Whose authority set it.
    pub by: Role,
    /// When, in milliseconds of the epoch; 0 if the clock was not set.
    pub at_ms: u64,
}

impl Chosen {
    /// The choice that `ProfileSet` asks for, if the rules allow it on this device; else the number
    /// of the field that they do not allow.
    ///
    /// Where a game leaves the number of decks to the machine, none has more than its 424 cards.
    pub fn check(
        kind: DeviceKind,
        asked: &ProfileSetRequest,
        by: Role,
        at_ms: u64,
    ) -> Result<Self, u8> {
        const GAME: u8 = 1;
        const DECKS: u8 = 2;
        const DEALING: u8 = 3;
        const SEATS: u8 = 4;
        let &ProfileSetRequest { game, decks, dealing, seats, .. } = asked;
        let game = Option::<Game>::from(game).ok_or(GAME)?;
        let profile = game.profile();
        // A reader is only for games that have one (RD-23), a generator for games whose
        // starting place is drawn, at a table with all its places (PG-13).
        let numbers = profile.start_numbers();
        let suits = match kind {
            DeviceKind::Reader => profile.reader().is_some(),
            DeviceKind::Shuffler => true,
            DeviceKind::PaiGow => numbers.is_some(),
        };
        let cards = profile.batch_total(decks);
        let drawn = kind != DeviceKind::PaiGow || numbers.is_some_and(|n| n.rule.fits(seats));
        let seated = profile.seats.is_none_or(|most| (1..=most.rule).contains(&seats)) && drawn;
        match cards.map(usize::from) {
            _ if !suits => Err(GAME),
            None => Err(DECKS),
            Some(cards) if cards > MOST_CARDS => Err(DECKS),
            Some(_) if !may_be_dealt(profile, dealing) => Err(DEALING),
            Some(_) if !seated => Err(SEATS),
            Some(_) => Ok(Self { game, decks, dealing, seats, by, at_ms }),
        }
    }

    /// Whether the cards may be dealt from the hand, for all that was said: where the game leaves
    /// a choice and none was made, the strictest rule of all counts (SH-24, SH-40).
    pub fn may_be_dealt_by_hand(&self) -> bool {
        match self.dealing {
            Dealing::Hand => true,
            Dealing::Unsaid => self.game.profile().may_be_dealt(profile::Dealing::Hand),
            Dealing::ManualShoe | Dealing::AutomatedShoe => false,
        }
    }

    /// What `ProfileGet` answers.
    pub fn answer(&self) -> ProfileGetResponse {
        ProfileGetResponse {
            game: Some(self.game).into(),
            decks: self.decks,
            cards: self.game.profile().batch_total(self.decks).unwrap_or(0),
            dealing: self.dealing,
            seats: self.seats,
            by: self.by,
            set_at_ms: self.at_ms,
            ..ProfileGetResponse::default()
        }
    }
}

/// Whether the game allows this way of dealing. Unsaid, it is the only one or any of them.
fn may_be_dealt(profile: &Profile, dealing: Dealing) -> bool {
    profile.may_be_dealt(match dealing {
        Dealing::Unsaid => return true,
        Dealing::Hand => profile::Dealing::Hand,
        Dealing::ManualShoe => profile::Dealing::ManualShoe,
        Dealing::AutomatedShoe => profile::Dealing::AutomatedShoe,
    })
}

impl Record for Chosen {
    const KEY: Key = Key::Profile;
    type Buffer = [u8; 13];
    const BUFFER: [u8; 13] = [0; 13];

    fn encode(&self, out: &mut [u8]) -> Option<usize> {
        let out = out.get_mut(..13)?;
        out[0] = self.game.code();
        out[1..5].copy_from_slice(&[self.decks, self.dealing.code(), self.seats, self.by.code()]);
        out[5..].copy_from_slice(&self.at_ms.to_le_bytes());
        Some(13)
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let (&[game, decks, dealing, seats, by], at_ms) = bytes.split_first_chunk()?;
        Some(Self {
            game: Game::from_code(game)?,
            decks,
            dealing: Dealing::from_code(dealing)?,
            seats,
            by: Role::from_code(by)?,
            at_ms: u64::from_le_bytes(at_ms.try_into().ok()?),
        })
    }
}

/// Where the services keep what must last.
pub trait ProfileStore {
    /// Keeps the choice; it is durable when this returns.
    fn keep_profile(&mut self, chosen: &Chosen) -> Result<(), StoreError>;
    /// Keeps a time of day that has been.
    fn keep_time(&mut self, time: &KeptTime) -> Result<(), StoreError>;
}

impl<F: NorFlash> ProfileStore for Store<F> {
    fn keep_profile(&mut self, chosen: &Chosen) -> Result<(), StoreError> {
        self.put(chosen)
    }

    fn keep_time(&mut self, time: &KeptTime) -> Result<(), StoreError> {
        self.put(time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::generated::croupier::common as wire;

    fn check(kind: DeviceKind, game: wire::Game, decks: u8, seats: u8) -> Result<Chosen, u8> {
        let asked = ProfileSetRequest { game, decks, seats, ..ProfileSetRequest::default() };
        Chosen::check(kind, &asked, Role::Floorperson, 5)
    }

    /// CM-07, RD-23, PG-13: and a refusal names the field.
    #[test]
    fn only_what_the_rules_allow_on_this_device_can_be_chosen() {
        use wire::Game::{DownUnderBlackjack, FlopPoker, None, SixCardFortunePaiGow};
        let (reader, generator) = (DeviceKind::Reader, DeviceKind::PaiGow);
        assert!(check(reader, DownUnderBlackjack, 6, 6).is_ok());
        assert_eq!(check(reader, DownUnderBlackjack, 7, 6), Err(2), "seven decks");
        assert_eq!(check(reader, DownUnderBlackjack, 6, 7), Err(4), "seven seats");
        assert_eq!(check(reader, FlopPoker, 1, 6), Err(1), "no reader in that game");
        assert!(check(generator, SixCardFortunePaiGow, 1, 6).is_ok());
        assert_eq!(check(generator, SixCardFortunePaiGow, 1, 5), Err(4), "five seats");
        assert_eq!(check(generator, DownUnderBlackjack, 6, 6), Err(1), "no start number");
        assert_eq!(check(DeviceKind::Shuffler, None, 1, 6), Err(1), "no game");
        assert_eq!(check(DeviceKind::Shuffler, FlopPoker, 1, 0), Err(4), "no seats");
        assert!(check(DeviceKind::Shuffler, FlopPoker, 1, 1).is_ok());
    }

    /// SH-13, CM-07: where the rule says "one or more decks", the machine's 424 cards are the limit.
    #[test]
    fn sh_13_no_game_has_more_decks_than_the_machine_holds() {
        use wire::Game::{DoubleBackJack, FreeBetTemporary};
        for game in [FreeBetTemporary, DoubleBackJack] {
            for kind in [DeviceKind::Reader, DeviceKind::Shuffler] {
                assert!((1..=8).all(|decks| check(kind, game, decks, 6).is_ok()));
                assert_eq!(check(kind, game, 0, 6), Err(2));
                assert!((9..=255).all(|decks| check(kind, game, decks, 6) == Err(2)));
            }
        }
        let all = Game::ALL.map(|game| wire::Game::from(Some(game)));
        for (game, decks) in all.iter().flat_map(|game| (0..=255).map(|decks| (*game, decks))) {
            let cards = check(DeviceKind::Shuffler, game, decks, 1).map_or(0, |c| c.answer().cards);
            assert!(usize::from(cards) <= MOST_CARDS, "{game:?} {decks}");
        }
    }

    /// CM-07, SH-24, 581.7(a): shoe games are dealt from a shoe, and in no other way; a refusal
    /// names the field.
    #[test]
    fn sh_24_cards_are_dealt_in_a_way_that_the_game_allows() {
        const DEALING: u8 = 3;
        const SHOES: [u8; 6] = [1, 2, 3, 4, 5, 6];
        for game in Game::ALL {
            let decks = (1..=8).find(|decks| game.profile().batch_total(*decks).is_some());
            let (decks, seats) = (decks.unwrap(), 5);
            for dealing in Dealing::ALL {
                let wire = wire::Game::from(Some(game));
                let asked =
                    ProfileSetRequest { game: wire, decks, dealing, seats, ..Default::default() };
                let found = Chosen::check(DeviceKind::Shuffler, &asked, Role::Floorperson, 0);
                let shoe = SHOES.contains(&game.code());
                let lawful = !shoe || matches!(dealing, Dealing::Unsaid | Dealing::ManualShoe);
                let refused = (!lawful).then_some(DEALING);
                assert_eq!(
                    found.map(|chosen| chosen.dealing).err(),
                    refused,
                    "{game:?} {dealing:?}"
                );
                if let Ok(chosen) = found {
                    let by_hand = dealing == Dealing::Hand || (dealing == Dealing::Unsaid && !shoe);
                    assert_eq!(chosen.may_be_dealt_by_hand(), by_hand, "{game:?} {dealing:?}");
                }
            }
        }
    }

    #[test]
    fn the_choice_survives_the_store() {
        let chosen = check(DeviceKind::Shuffler, wire::Game::SixCardFortunePaiGow, 1, 6).unwrap();
        let mut bytes = Chosen::BUFFER;
        let length = chosen.encode(&mut bytes).unwrap();
        assert_eq!(Chosen::decode(&bytes[..length]), Some(chosen));
        assert_eq!(Chosen::decode(&bytes[..length - 1]), None);
        assert_eq!(chosen.answer().cards, 53);
    }

    /// CM-07: whose authority it was is part of the record.
    #[test]
    fn who_chose_survives_the_store_and_is_answered() {
        let chosen = check(DeviceKind::Shuffler, wire::Game::FlopPoker, 1, 6).unwrap();
        for by in Role::ALL {
            let chosen = Chosen { by, ..chosen };
            let mut bytes = Chosen::BUFFER;
            chosen.encode(&mut bytes).unwrap();
            assert_eq!(Chosen::decode(&bytes), Some(chosen));
            assert_eq!(chosen.answer().by, by);
        }
    }
}
