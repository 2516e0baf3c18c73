//! How old a batch is, and what to do where that is not known.
//!
//! An age that is not known is never "not over": without a clock, or without the moment of its
//! opening, a batch is neither certified nor released (SH-40, CM-09). Games without a clause on
//! deck life need neither.

use super::{Batches, Life};
use crate::cards::BackColour;
use crate::node::Refused;
use crate::profile::{Dealing, Profile, ShufflerKind};
use crate::protocol::generated::croupier::common::Dealing as ToldDealing;
use crate::protocol::generated::croupier::shuffler::Purpose;
use crate::services::Chosen;
use crate::shuffler::fault::Fault;
use crate::shuffler::machine::{Machine, Moment};
use crate::time::Millis;

/// A clock that is behind a batch's opening by more than this is wrong: a controller may trim a
/// right one by two seconds.
const TRIM: Millis = Millis::from_secs(60);

/// What the game in force asks of batches, on this kind of machine.
#[derive(Debug, Clone, Copy)]
pub struct Rules {
    /// The game's rules.
    pub profile: &'static Profile,
    /// The kind of machine.
    pub kind: ShufflerKind,
    /// Decks in a batch.
    pub decks: u8,
    /// Hours a batch lives as it is dealt now; `None` where no clause sets a limit.
    pub hours: Option<u8>,
}

impl Rules {
    /// What the chosen game asks.
    pub fn of(chosen: &Chosen, kind: ShufflerKind) -> Self {
        let profile = chosen.game.profile();
        Self { profile, kind, decks: chosen.decks, hours: hours(profile, chosen.dealing) }
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

/// How old a batch is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Age {
    /// No clause limits its life.
    Unlimited,
    /// It may be used for so many minutes more, at least one.
    Fresh(u16),
    /// It must be changed.
    Over,
    /// Nobody said when it was opened, or it has another number of decks.
    NotOpened,
    /// The day clock is not set, or is behind the moment of its opening.
    ClockUnset,
}

impl Age {
    /// Why a batch of this age can be neither certified nor released, if so.
    pub const fn fault(self) -> Option<Fault> {
        match self {
            Self::Unlimited | Self::Fresh(_) => None,
            Self::Over => Some(Fault::DeckLifeOver),
            Self::NotOpened => Some(Fault::BatchNotOpened),
            Self::ClockUnset => Some(Fault::ClockUnset),
        }
    }
}

/// What the wire calls it when something is refused because of an age.
pub const fn refusal(fault: Fault) -> Refused {
    match fault {
        Fault::DeckLifeOver => Refused::DeckLifeOver,
        Fault::BatchNotOpened => Refused::BatchNotOpened,
        Fault::ClockUnset => Refused::ClockUnset,
        _ => Refused::OutOfTurn,
    }
}

impl Batches {
    /// How old the batch with this back is (SH-40).
    pub fn age(&self, colour: BackColour, rules: &Rules, utc_ms: Option<u64>) -> Age {
        let Some(limit) = rules.hours else { return Age::Unlimited };
        let Some(now) = utc_ms else { return Age::ClockUnset };
        let Some(life) = self.in_use(colour, rules.decks) else { return Age::NotOpened };
        if now.saturating_add(TRIM.get()) < life.opened_ms {
            return Age::ClockUnset;
        }
        match life.minutes_left(life.hours.map_or(limit, |hours| hours.min(limit)), now) {
            0 => Age::Over,
            left => Age::Fresh(left),
        }
    }

    /// The life of the batch with this back, if it has as many decks as the game in force.
    pub fn in_use(&self, colour: BackColour, decks: u8) -> Option<&Life> {
        self.life(colour).filter(|life| life.decks == decks)
    }
}

impl Machine {
    /// Why a batch with this back can be neither certified nor released now, if so.
    pub(in crate::shuffler) fn unfit(&self, colour: BackColour, moment: &Moment) -> Option<Fault> {
        let rules = moment.rules(self.model.kind())?;
        self.batches.age(colour, &rules, moment.utc_ms).fault()
    }

    /// What must be done before a batch goes in for this: a clock to be set, a batch to be opened.
    ///
    /// Which batch it is shows at its first back. So one that may be used is enough here; the
    /// certificate asks for the one that came. A partial batch and a count need neither.
    pub(in crate::shuffler) fn lacks(
        &self,
        purpose: Purpose,
        colour: Option<BackColour>,
        moment: &Moment,
    ) -> Option<Fault> {
        if !matches!(purpose, Purpose::FullBatch | Purpose::Continuous) {
            return None;
        }
        let colours = match colour {
            Some(colour) => [colour; 2],
            None => [BackColour::Red, BackColour::Blue],
        };
        // One that has expired goes in: its verdict latches, and asks for new cards.
        let lacking =
            |colour| self.unfit(colour, moment).filter(|fault| *fault != Fault::DeckLifeOver);
        let [first, second] = colours.map(lacking);
        second.and(first)
    }

    /// Refuses something because of an age, and publishes what to do about it.
    pub(in crate::shuffler) fn decline(&mut self, fault: Fault, moment: &Moment) -> Refused {
        self.advise(fault.trouble(), fault.next_step(moment.profile()), 0);
        refusal(fault)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::Game;
    use crate::protocol::generated::croupier::common::Role;
    use BackColour::{Blue, Red};

    const NOON: u64 = 1_790_000_000_000;
    const HOUR: u64 = 3_600_000;

    fn rules(game: Game, decks: u8) -> Rules {
        let (dealing, by) = (ToldDealing::ManualShoe, Role::Floorperson);
        let chosen = Chosen { game, decks, dealing, seats: 5, by, at_ms: 0 };
        Rules::of(&chosen, ShufflerKind::Batch)
    }

    /// SH-40, CM-09: what is not known is never "not over", for either batch.
    #[test]
    fn an_age_that_is_not_known_is_no_age() {
        let rules = rules(Game::FreeBet, 6);
        for (colour, other) in [(Red, Blue), (Blue, Red)] {
            let mut batches = Batches::default();
            assert_eq!(batches.age(colour, &rules, Some(NOON)), Age::NotOpened);
            batches.open(colour, Life { opened_ms: NOON, decks: 6, hours: Some(24) });
            assert_eq!(batches.age(colour, &rules, None), Age::ClockUnset);
            assert_eq!(batches.age(other, &rules, Some(NOON)), Age::NotOpened, "the other alone");
            assert_eq!(batches.age(colour, &rules, Some(NOON)), Age::Fresh(24 * 60));
            assert_eq!(batches.age(colour, &rules, Some(NOON - 1_000)), Age::Fresh(24 * 60));
            let early = batches.age(colour, &rules, Some(NOON - HOUR));
            assert_eq!(early, Age::ClockUnset, "a clock that is behind is not right");
            assert_eq!(batches.age(colour, &rules, Some(NOON + 24 * HOUR - 60_000)), Age::Fresh(1));
            assert_eq!(batches.age(colour, &rules, Some(NOON + 24 * HOUR - 59_999)), Age::Over);
        }
    }

    /// SH-40: no clause, no limit: neither clock nor opening is asked for.
    #[test]
    fn a_game_without_a_clause_needs_neither_clock_nor_opening() {
        let rules = rules(Game::FreeBetSouthDakota, 6);
        let mut batches = Batches::default();
        assert_eq!(batches.age(Red, &rules, None), Age::Unlimited);
        batches.open(Red, Life { opened_ms: 0, decks: 6, hours: None });
        assert_eq!(batches.age(Red, &rules, Some(NOON)), Age::Unlimited, "not after 255 hours");
    }

    /// SH-40: a game with a clause limits a batch that was opened in one without.
    #[test]
    fn the_limit_of_the_game_in_force_binds_whatever_was_kept() {
        let rules = rules(Game::FlopPoker, 1);
        let mut batches = Batches::default();
        for kept in [None, Some(24)] {
            batches.open(Red, Life { opened_ms: NOON, decks: 1, hours: kept });
            assert_eq!(batches.age(Red, &rules, Some(NOON)), Age::Fresh(8 * 60), "{kept:?}");
        }
        batches.open(Red, Life { opened_ms: NOON, decks: 1, hours: Some(4) });
        assert_eq!(batches.age(Red, &rules, Some(NOON)), Age::Fresh(4 * 60));
    }
}
