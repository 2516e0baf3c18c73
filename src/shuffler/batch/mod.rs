//! Two batches: whose turn it is, and how old each may become.
//!
//! They differ by the colour of their backs and are played in turn, by shoe or by round
//! (SH-17). A batch expires a set number of hours after it was opened; dealt in two ways, it
//! has the shorter life (SH-40).

pub mod certificate;
mod release;
pub mod stub;
mod unshuffled;

use crate::cards::BackColour;
use crate::profile::{Dealing, Profile, ShufflerKind, TwoBatches};
use crate::protocol::generated::croupier::common::Dealing as ToldDealing;
use crate::protocol::generated::croupier::shuffler::Batch;
use crate::time::Millis;

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
    /// The shortest life any way of dealing gave it so far, in hours.
    pub hours: u8,
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

    /// Whether there are two batches: the game says so, or two were opened.
    pub fn are_two(&self, profile: &Profile, kind: ShufflerKind) -> bool {
        let Some(rules) = &profile.batches else { return false };
        let [red, blue] = self.lives;
        let opened = red.is_some() && blue.is_some();
        let must = rules.two.rule == TwoBatches::Mandatory;
        rules.allows(kind, 2) && (must || opened)
    }

    /// The batch whose turn it is not, when there are two (SH-17).
    ///
    /// While a batch is in play it may come back to be shuffled again, on a floorperson's
    /// word or because its shoe ran out; once its shoe is over the other comes first.
    pub fn barred(&self, profile: &Profile, kind: ShufflerKind) -> Option<BackColour> {
        self.last_played.filter(|_| !self.in_play && self.are_two(profile, kind))
    }

    /// Whether this batch may be released for play.
    pub fn may_play(&self, colour: BackColour, profile: &Profile, kind: ShufflerKind) -> bool {
        self.barred(profile, kind) != Some(colour)
    }

    /// A batch is released.
    pub fn play(&mut self, colour: BackColour) {
        (self.last_played, self.in_play) = (Some(colour), true);
    }

    /// Its shoe or round is over.
    pub fn dealt(&mut self) {
        self.in_play = false;
    }

    /// New cards were opened; `None` if the other batch has another number of decks (SH-15).
    pub fn open(&mut self, colour: BackColour, life: Life) -> Option<()> {
        let other = self.life(colour.other());
        if other.is_some_and(|other| other.decks != life.decks) {
            return None;
        }
        *self.lives.get_mut(place(colour))? = Some(life);
        Some(())
    }

    /// The way of dealing changed: no batch lives longer for it. Whether one is shorter now.
    pub fn dealt_by(&mut self, hours: u8) -> bool {
        let mut shorter = false;
        for life in self.lives.iter_mut().flatten() {
            shorter |= hours < life.hours;
            life.hours = life.hours.min(hours);
        }
        shorter
    }

    /// Whether the batch is known to have expired (SH-40).
    pub fn has_expired(&self, colour: BackColour, utc_ms: Option<u64>) -> bool {
        utc_ms.and_then(|now| self.minutes_left(colour, now)) == Some(0)
    }

    /// Minutes until the batch must be changed; `None` if that is not known.
    pub fn minutes_left(&self, colour: BackColour, utc_ms: u64) -> Option<u16> {
        let life = self.life(colour)?;
        let ends = life.opened_ms.saturating_add((HOUR * life.hours.into()).get());
        let left = ends.saturating_sub(utc_ms) / MINUTE.get();
        Some(u16::try_from(left).unwrap_or(u16::MAX))
    }
}

const fn place(colour: BackColour) -> usize {
    match colour {
        BackColour::Red => 0,
        BackColour::Blue => 1,
    }
}

/// The hours after which this game lets a batch expire that is dealt in this way.
pub fn hours(profile: &Profile, dealing: ToldDealing) -> Option<u8> {
    // If the way of dealing was not set, the shortest life counts.
    let dealing = match dealing {
        ToldDealing::ManualShoe => Dealing::ManualShoe,
        ToldDealing::AutomatedShoe => Dealing::AutomatedShoe,
        _ => Dealing::Hand,
    };
    let limit = profile.deck_life?.rule.limit(dealing);
    u8::try_from(limit.as_secs() / 3600).ok()
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
    use crate::profile::Game;
    use BackColour::{Blue, Red};

    const HOUR_MS: u64 = HOUR.get();

    fn life(hours: u8) -> Life {
        Life { opened_ms: 1_000, decks: 1, hours }
    }

    /// SH-15, SH-16, SH-17, SH-19.
    #[test]
    fn batches_take_turns_where_there_are_two() {
        let shoe = Game::DownUnderBlackjack.profile();
        let round = Game::FlopPoker.profile();
        let mut batches = Batches::default();
        batches.play(Red);
        assert!(batches.may_play(Red, shoe, ShufflerKind::Batch), "its own shoe again");
        batches.dealt();
        assert_eq!(batches.barred(shoe, ShufflerKind::Batch), Some(Red));
        assert!(batches.may_play(Blue, shoe, ShufflerKind::Batch));
        assert_eq!(batches.barred(shoe, ShufflerKind::Continuous), None);
        assert_eq!(batches.barred(round, ShufflerKind::Batch), None, "one deck is enough");
        batches.open(Red, life(4)).unwrap();
        assert_eq!(batches.barred(round, ShufflerKind::Batch), None, "one deck was opened");
        batches.open(Blue, life(4)).unwrap();
        assert_eq!(batches.barred(round, ShufflerKind::Batch), Some(Red), "two are in use");
    }

    /// SH-15.
    #[test]
    fn unequal_batches_are_refused() {
        let mut batches = Batches::default();
        batches.open(Red, Life { decks: 6, ..life(24) }).unwrap();
        assert_eq!(batches.open(Blue, Life { decks: 8, ..life(24) }), None);
        assert_eq!(batches.life(Blue), None, "and nothing changed");
        batches.open(Red, Life { decks: 8, ..life(24) }).unwrap();

        let mut batches = Batches::default();
        batches.open(Blue, Life { decks: 6, ..life(24) }).unwrap();
        assert_eq!(batches.open(Red, Life { decks: 8, ..life(24) }), None, "nor red after blue");
    }

    /// SH-40.
    #[test]
    fn each_batch_has_its_own_clock_and_the_stricter_limit_stays() {
        let poker = Game::LunarPoker.profile();
        assert_eq!(hours(poker, ToldDealing::Hand), Some(4));
        assert_eq!(hours(poker, ToldDealing::ManualShoe), Some(8));
        assert_eq!(hours(Game::FreeBet.profile(), ToldDealing::ManualShoe), Some(24));
        let mut batches = Batches::default();
        batches.open(Red, life(8)).unwrap();
        batches.open(Blue, Life { opened_ms: 1_000 + HOUR_MS, ..life(8) }).unwrap();
        assert_eq!(batches.minutes_left(Red, 1_000 + HOUR_MS), Some(7 * 60));
        assert_eq!(batches.minutes_left(Blue, 1_000 + HOUR_MS), Some(8 * 60));
        assert!(batches.dealt_by(4), "shorter now");
        assert!(!batches.dealt_by(8), "and not longer again");
        assert_eq!(batches.minutes_left(Red, 1_000 + HOUR_MS), Some(3 * 60), "hand dealt once");
        assert_eq!(batches.minutes_left(Red, 1_000 + 5 * HOUR_MS), Some(0));
    }
}
