//! The judge: knows every card, and holds what the device says against it.

use std::ops::Range;

use croupier::cards::BackColour;
use croupier::protocol::generated::croupier::common::Role;
use croupier::shuffler::{Back, Fault, State};

use super::results::{Results, Wrong, note};
use crate::world::shuffler::{CardId, Places, Simulation};

const HOUR_US: u64 = 3_600_000_000;
/// The device counts whole minutes, and does not use the last one.
const MINUTE_US: u64 = 60_000_000;

/// A batch as it was opened: its cards have numbers in a row.
#[derive(Debug, Clone)]
pub(super) struct Batch {
    pub cards: Range<CardId>,
    pub opened_us: u64,
    pub life_us: Option<u64>,
}

impl Batch {
    /// Whether it must no longer be used.
    pub(super) fn has_expired(&self, now_us: u64) -> bool {
        self.life_us.is_some_and(|life| now_us >= self.opened_us + life)
    }
}

/// The judge of one world.
#[derive(Default)]
pub(super) struct Judge {
    pub results: Results,
    batches: [Option<Batch>; 2],
    /// Planted cards that were not found, and whether one was blamed yet.
    planted: Vec<(CardId, bool)>,
    /// A batch lives this long.
    life_us: Option<u64>,
    /// The batch released last, and by whose word the certified one was shuffled.
    last: Option<BackColour>,
    by: Role,
}

impl Judge {
    /// A judge of a game whose batches live `hours` hours.
    pub(super) fn new(hours: Option<u8>) -> Self {
        Self { life_us: hours.map(|hours| u64::from(hours) * HOUR_US), ..Self::default() }
    }

    /// New cards were opened.
    pub(super) fn opened(&mut self, colour: BackColour, cards: &[CardId], now_us: u64) {
        let cards = cards[0]..cards[0] + cards.len() as CardId;
        let batch = Batch { cards, opened_us: now_us, life_us: self.life_us };
        self.batches[place(colour)] = Some(batch);
    }

    /// A batch since it was opened.
    pub(super) fn batch(&self, colour: BackColour) -> Option<&Batch> {
        self.batches[place(colour)].as_ref()
    }

    /// A card was planted.
    pub(super) fn planted(&mut self, card: CardId) {
        self.planted.push((card, false));
        self.results.planted += 1;
    }

    /// A batch has left the table for good, and no other comes in its place.
    pub(super) fn retired(&mut self, colour: BackColour) {
        self.batches[place(colour)] = None;
        self.results.retired += 1;
    }

    /// A stack was certified, `us` after the START of `by`.
    pub(super) fn certified(&mut self, table: &Simulation, by: Role, us: u64) {
        self.by = by;
        self.results.certified += 1;
        self.results.shuffling_us += us;
        let Some(wrong) = self.wrong_with(table) else { return };
        self.is_wrong(wrong);
    }

    /// A certified stack was let go for play.
    pub(super) fn released(&mut self, colour: BackColour, now_us: u64) {
        if self.batch(colour).is_some_and(|batch| batch.has_expired(now_us)) {
            self.is_wrong(Wrong::Expired);
        }
        let two = self.batches.iter().all(Option::is_some);
        if two && self.last == Some(colour) {
            let on_a_word = u64::from(self.by == Role::Floorperson);
            self.results.reshuffled += on_a_word;
            self.results.repeated += 1 - on_a_word;
        }
        self.last = Some(colour);
    }

    /// Cards left the game, planted ones among them or not.
    pub(super) fn removed(&mut self, cards: &[CardId]) {
        self.planted.retain(|(card, _)| !cards.contains(card));
    }

    /// Something was said that was not so. A planted card is to blame if one is about, and each is
    /// blamed once.
    pub(super) fn is_wrong(&mut self, wrong: Wrong) {
        if self.planted.is_empty() {
            note(&mut self.results.wrong, wrong);
        } else {
            let blamed = self.planted.iter_mut().filter(|(_, blamed)| !blamed);
            self.results.planted_certified +=
                blamed.map(|(_, blamed)| *blamed = true).count() as u64;
        }
    }

    /// What is wrong with the certified stack, if something is.
    fn wrong_with(&self, table: &Simulation) -> Option<Wrong> {
        let (mechanism, places) = (&table.mechanism, &table.mechanism.places);
        places.assert_each_once();
        let certified = table.shuffler.record().certificate.certified()?;
        let batch = self.batch(certified.colour)?;
        let plain = places.delivery.iter().filter(|card| places.card(**card).back != Back::Cover);
        let mut count = 0;
        for card in plain {
            count += 1;
            match places.card(*card).looks() {
                Back::Colour(colour) if colour == certified.colour => {}
                Back::FaceUp => return Some(Wrong::FaceUp),
                _ => return Some(Wrong::NotTheBatch),
            }
            if !batch.cards.contains(card) {
                return Some(Wrong::NotTheBatch);
            }
        }
        let census = places.census();
        [
            (count != batch.cards.len(), Wrong::NotTheBatch),
            (census.wheel + census.path > 0, Wrong::LeftInside),
            (!table.is_as_drawn(), Wrong::NotAsDrawn),
            (batch.has_expired(table.now()), Wrong::Expired),
            (mechanism.damage > 0, Wrong::Damage),
        ]
        .into_iter()
        .find_map(|(is_so, wrong)| is_so.then_some(wrong))
    }

    /// The device stopped, with the cards of `colour` in it but for those that were `dealt`.
    pub(super) fn stopped(&mut self, table: &Simulation, colour: BackColour, dealt: usize) {
        let State::Stopped(fault) = table.shuffler.state() else { return };
        // Numbers within are another story of the same fault.
        let why = format!("{fault:?}");
        let why = match fault {
            Fault::WrongCount(_) | Fault::ForeignBack(_) | Fault::FaceUp(_) => {
                why.split('(').next().unwrap_or_default().to_owned()
            }
            Fault::InventoryWrong(_) => "InventoryWrong".into(),
            _ => why,
        };
        let condemned = match fault {
            Fault::WrongCount(_) | Fault::ForeignBack(_) | Fault::InventoryWrong(_) => {
                Some(self.is_whole(table, colour, dealt))
            }
            Fault::DeckLifeOver => {
                let soon = table.now() + MINUTE_US;
                Some(self.batch(colour).is_some_and(|batch| !batch.has_expired(soon)))
            }
            _ => None,
        };
        let results = &mut self.results;
        results.falsely_condemned += u64::from(condemned == Some(true));
        results.rightly_condemned += u64::from(condemned == Some(false));
        let by_people = matches!(
            fault,
            Fault::FaceUp(_)
                | Fault::CoverCards
                | Fault::SameBatchAgain
                | Fault::DeckLifeOver
                | Fault::ClockUnset
                | Fault::BatchNotOpened
        );
        if by_people || condemned == Some(false) {
            note(&mut results.disturbed, why);
        } else {
            note(&mut results.stopped, why);
        }
    }

    /// Whether nothing is wrong with the cards: but for those `dealt`, all of the batch and no
    /// other are where the machine can see them.
    fn is_whole(&self, table: &Simulation, colour: BackColour, dealt: usize) -> bool {
        let Some(batch) = self.batch(colour) else { return false };
        let places = &table.mechanism.places;
        let plain = |card: &CardId| places.card(*card).back != Back::Cover;
        let (own, strange): (Vec<_>, Vec<_>) =
            inside(places).filter(plain).partition(|card| batch.cards.contains(card));
        strange.is_empty() && own.len() - places.rail.len() + dealt == batch.cards.len()
    }
}

/// Every card in the machine, its trays among them.
fn inside(places: &Places) -> impl Iterator<Item = CardId> + '_ {
    let stacks = places.tray.iter().chain(&places.delivery).chain(places.slots.iter().flatten());
    let path = [&places.mouth, &places.throat, &places.exit, &places.rail].into_iter().flatten();
    stacks.chain(path).copied()
}

const fn place(colour: BackColour) -> usize {
    match colour {
        BackColour::Red => 0,
        BackColour::Blue => 1,
    }
}
