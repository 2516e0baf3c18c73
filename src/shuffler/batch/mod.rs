//! Two batches: whose turn it is, and how old each may become.
//!
//! They differ by the colour of their backs and are played in turn, by shoe or by round: the one
//! released last does not come again before the other (SH-17). A batch expires a set number of
//! hours after it was opened; dealt in two ways, it has the shorter life (SH-40). A batch with
//! another number of decks than the game in force is not in use (SH-15).

pub mod age;
pub mod certificate;
mod change;
mod release;
pub mod stub;
mod unshuffled;

use crate::cards::BackColour;
use crate::profile::TwoBatches;
use crate::protocol::generated::croupier::shuffler::Batch;
use crate::time::Millis;
pub use age::{Age, Rules, hours};

/// A warning is given when a batch expires within this many minutes.
pub const NEAR_MINUTES: u16 = 30;

const MINUTE: Millis = Millis::from_secs(60);
const HOUR: Millis = Millis::from_secs(3_600);

/// One batch since it was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Life {
    /// When it was opened, in milliseconds of the epoch.
    pub opened_ms: u64,
    /// How many decks it has.
    pub decks: u8,
    /// The shortest life any way of dealing gave it so far, in hours; `None` if no clause did.
    pub hours: Option<u8>,
}

impl Life {
    /// Minutes until it is so many hours old.
    pub(super) fn minutes_left(&self, hours: u8, utc_ms: u64) -> u16 {
        let ends = self.opened_ms.saturating_add((HOUR * hours.into()).get());
        let left = ends.saturating_sub(utc_ms) / MINUTE.get();
        u16::try_from(left).unwrap_or(u16::MAX)
    }
}

/// Both batches, as they are kept through power loss.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Batches {
    /// The life of the red batch, then of the blue; none for a batch that was never opened.
    pub lives: [Option<Life>; 2],
    /// The batch released last.
    pub last_played: Option<BackColour>,
    /// Whether its shoe or round is still going on.
    pub in_play: bool,
}

impl Batches {
    /// The life of the batch with this back, if it was opened.
    pub fn life(&self, colour: BackColour) -> Option<&Life> {
        self.lives.get(place(colour))?.as_ref()
    }

    /// Whether there are two batches: the game says so, or two are in use.
    pub fn are_two(&self, rules: &Rules) -> bool {
        let Some(batches) = &rules.profile.batches else { return false };
        let [red, blue] = COLOURS.map(|colour| self.in_use(colour, rules.decks));
        let opened = red.is_some() && blue.is_some();
        let must = batches.two.rule == TwoBatches::Mandatory;
        batches.allows(rules.kind, 2) && (must || opened)
    }

    /// The batch that must be there and is not in use (SH-15).
    pub fn missing(&self, rules: &Rules) -> Option<BackColour> {
        let missing = |colour: &BackColour| self.in_use(*colour, rules.decks).is_none();
        COLOURS.into_iter().find(missing).filter(|_| self.are_two(rules))
    }

    /// The batch whose turn it is not, when there are two (SH-17): the one released last. Whether
    /// somebody said that its shoe is over makes no difference.
    pub fn barred(&self, rules: &Rules) -> Option<BackColour> {
        self.last_played.filter(|_| self.are_two(rules))
    }

    /// Whether the other batch is still being dealt, when there are two (SH-28).
    pub fn is_early(&self, colour: BackColour, rules: &Rules) -> bool {
        self.in_play && self.last_played == Some(colour.other()) && self.are_two(rules)
    }

    /// A batch is released.
    pub fn play(&mut self, colour: BackColour) {
        (self.last_played, self.in_play) = (Some(colour), true);
    }

    /// Its shoe or round is over.
    pub fn dealt(&mut self) {
        self.in_play = false;
    }

    /// A whole batch with this back came back: its shoe or round is over, whether or not somebody
    /// said so. Whether it was in play.
    pub fn came_back(&mut self, colour: BackColour) -> bool {
        let ends = self.in_play && self.last_played == Some(colour);
        self.in_play &= !ends;
        ends
    }

    /// New cards were opened. What has another number of decks is not in use any more (SH-15).
    pub fn open(&mut self, colour: BackColour, life: Life) {
        self.keep_only(life.decks);
        if let Some(place) = self.lives.get_mut(place(colour)) {
            *place = Some(life);
        }
    }

    /// A batch has left the table; its life, if it was open.
    pub fn retire(&mut self, colour: BackColour) -> Option<Life> {
        let life = self.lives.get_mut(place(colour))?.take();
        // With new cards on both sides either may begin.
        if self.lives == [None, None] && !self.in_play && life.is_some() {
            self.last_played = None;
        }
        life
    }

    /// Retires every batch with another number of decks: their lives, red and blue.
    pub fn keep_only(&mut self, decks: u8) -> [Option<Life>; 2] {
        COLOURS.map(|colour| {
            let other = self.life(colour).is_some_and(|life| life.decks != decks);
            if other { self.retire(colour) } else { None }
        })
    }

    /// The way of dealing changed: no batch lives longer for it. Whether one is shorter now.
    pub fn dealt_by(&mut self, hours: u8) -> bool {
        let mut shorter = false;
        for life in self.lives.iter_mut().flatten() {
            let is_shorter = life.hours.is_none_or(|before| hours < before);
            shorter |= is_shorter;
            if is_shorter {
                life.hours = Some(hours);
            }
        }
        shorter
    }

    /// Minutes until the batch must be changed; `None` if that is not known or never.
    pub fn minutes_left(&self, colour: BackColour, utc_ms: u64) -> Option<u16> {
        let life = self.life(colour)?;
        Some(life.minutes_left(life.hours?, utc_ms))
    }
}

/// The batches, in the order of their places.
pub(super) const COLOURS: [BackColour; 2] = [BackColour::Red, BackColour::Blue];

const fn place(colour: BackColour) -> usize {
    match colour {
        BackColour::Red => 0,
        BackColour::Blue => 1,
    }
}

/// A batch as the wire names it.
pub const fn to_wire(colour: Option<BackColour>) -> Batch {
    match colour {
        None => Batch::None,
        Some(BackColour::Red) => Batch::First,
        Some(BackColour::Blue) => Batch::Second,
    }
}

/// The batch the wire names.
pub const fn named(batch: Batch) -> Option<BackColour> {
    match batch {
        Batch::None => None,
        Batch::First => Some(BackColour::Red),
        Batch::Second => Some(BackColour::Blue),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::{Game, ShufflerKind};
    use crate::protocol::generated::croupier::common::{Dealing, Role};
    use crate::services::Chosen;
    use BackColour::{Blue, Red};

    const HOUR_MS: u64 = HOUR.get();

    fn life(hours: u8) -> Life {
        Life { opened_ms: 1_000, decks: 1, hours: Some(hours) }
    }

    fn rules(game: Game, decks: u8, kind: ShufflerKind) -> Rules {
        let (dealing, by) = (Dealing::ManualShoe, Role::Floorperson);
        Rules::of(&Chosen { game, decks, dealing, seats: 5, by, at_ms: 0 }, kind)
    }

    /// SH-15, SH-16, SH-17, SH-19: with and without DEALT, for either batch.
    #[test]
    fn batches_take_turns_where_there_are_two() {
        let shoe = rules(Game::DownUnderBlackjack, 4, ShufflerKind::Batch);
        let circulating = rules(Game::DownUnderBlackjack, 4, ShufflerKind::Continuous);
        let round = rules(Game::FlopPoker, 1, ShufflerKind::Batch);
        for (played, other) in [(Red, Blue), (Blue, Red)] {
            let mut batches = Batches::default();
            assert_eq!(batches.barred(&shoe), None, "either may begin");
            batches.play(played);
            for _ in 0..2 {
                assert_eq!(batches.barred(&shoe), Some(played), "in play or dealt");
                assert_eq!(batches.barred(&circulating), None);
                assert_eq!(batches.barred(&round), None, "one deck is enough");
                batches.dealt();
            }
            batches.open(played, life(4));
            assert_eq!(batches.barred(&round), None, "one deck was opened");
            batches.open(other, life(4));
            assert_eq!(batches.barred(&round), Some(played), "two are in use");
            batches.play(other);
            assert_eq!(batches.barred(&round), Some(other));
        }
    }

    /// SH-17: a whole batch that comes back was dealt; the other one is not meant by that.
    #[test]
    fn a_batch_that_comes_back_whole_was_dealt() {
        for colour in COLOURS {
            let mut batches = Batches::default();
            batches.play(colour);
            assert!(!batches.came_back(colour.other()) && batches.in_play);
            assert!(batches.came_back(colour) && !batches.in_play);
            assert!(!batches.came_back(colour), "said once");
        }
    }

    /// SH-15: another number of decks dead-locks nothing, and is not in use.
    #[test]
    fn batches_of_another_number_of_decks_are_retired() {
        let six = rules(Game::FreeBet, 6, ShufflerKind::Batch);
        let eight = rules(Game::FreeBet, 8, ShufflerKind::Batch);
        for (first, second) in [(Red, Blue), (Blue, Red)] {
            let mut batches = Batches::default();
            let of = |decks| Life { decks, ..life(24) };
            batches.open(first, of(6));
            batches.open(second, of(6));
            batches.play(second);
            batches.dealt();
            assert_eq!(batches.missing(&six), None);
            assert_eq!(batches.missing(&eight), Some(Red), "neither");
            batches.open(first, of(8));
            assert_eq!(batches.life(second), None);
            assert_eq!(batches.missing(&eight), Some(second));
            assert_eq!(batches.barred(&eight), None, "all cards are new");
            batches.open(second, of(8));
            assert_eq!((batches.missing(&eight), batches.keep_only(8)), (None, [None, None]));
        }
    }

    /// SH-15, SH-16: the one left plays alone only where the game says "may".
    #[test]
    fn the_batch_that_is_left_plays_alone_where_two_are_a_choice() {
        let shoe = rules(Game::DownUnderBlackjack, 1, ShufflerKind::Batch);
        let round = rules(Game::FlopPoker, 1, ShufflerKind::Batch);
        for (left, gone) in [(Red, Blue), (Blue, Red)] {
            let mut batches = Batches::default();
            batches.open(Red, life(8));
            batches.open(Blue, life(8));
            batches.play(left);
            assert!(batches.retire(gone).is_some());
            assert_eq!((batches.barred(&round), batches.missing(&round)), (None, None));
            assert_eq!((batches.barred(&shoe), batches.missing(&shoe)), (Some(left), Some(gone)));
            assert_eq!(batches.retire(gone), None, "once");
            assert_eq!(batches.last_played, Some(left));
        }
    }

    /// SH-28: released early is the other batch of one that is being dealt, where there are two.
    #[test]
    fn a_release_is_early_while_the_other_batch_is_in_play() {
        let shoe = rules(Game::DownUnderBlackjack, 4, ShufflerKind::Batch);
        let free = rules(Game::FreeBetSouthDakota, 6, ShufflerKind::Batch);
        for colour in COLOURS {
            let mut batches = Batches::default();
            assert!(!batches.is_early(colour, &shoe));
            batches.play(colour.other());
            assert!(batches.is_early(colour, &shoe) && !batches.is_early(colour.other(), &shoe));
            assert!(!batches.is_early(colour, &free), "no clause on batches");
            batches.dealt();
            assert!(!batches.is_early(colour, &shoe));
        }
    }

    /// SH-40.
    #[test]
    fn each_batch_has_its_own_clock_and_the_stricter_limit_stays() {
        let poker = Game::LunarPoker.profile();
        assert_eq!(hours(poker, Dealing::Hand), Some(4));
        assert_eq!(hours(poker, Dealing::ManualShoe), Some(8));
        assert_eq!(hours(Game::FreeBet.profile(), Dealing::ManualShoe), Some(24));
        assert_eq!(hours(Game::FreeBetSouthDakota.profile(), Dealing::ManualShoe), None);
        let mut batches = Batches::default();
        batches.open(Red, life(8));
        batches.open(Blue, Life { opened_ms: 1_000 + HOUR_MS, ..life(8) });
        assert_eq!(batches.minutes_left(Red, 1_000 + HOUR_MS), Some(7 * 60));
        assert_eq!(batches.minutes_left(Blue, 1_000 + HOUR_MS), Some(8 * 60));
        assert!(batches.dealt_by(4), "shorter now");
        assert!(!batches.dealt_by(8), "and not longer again");
        assert_eq!(batches.minutes_left(Red, 1_000 + HOUR_MS), Some(3 * 60), "hand dealt once");
        assert_eq!(batches.minutes_left(Red, 1_000 + 5 * HOUR_MS), Some(0));
        batches.open(Red, Life { hours: None, ..life(8) });
        assert_eq!(batches.minutes_left(Red, 1_000), None, "no limit");
        assert!(batches.dealt_by(24), "and now there is one");
        assert_eq!(batches.minutes_left(Red, 1_000), Some(24 * 60));
    }
}
