//! A long campaign at the tables: a game played its own way, with all that goes wrong.
//!
//! People do what the device says, and make the slips that people make. Troubles strike the
//! mechanism at their rates in the field, and strange hands plant a card in it when it is off. A
//! judge knows every card, and counts what the device certified or condemned wrongly.
//!
//! | file | is |
//! |---|---|
//! | `crew`, `repairs` | dealer, floorperson and service, and what they do when it has stopped |
//! | `one_batch`, `two_batches`, `continuous` | the ways a game is played |
//! | `judge` | who knows every card |
//! | [`results`] | what it came to |

mod continuous;
mod crew;
mod judge;
mod one_batch;
mod repairs;
pub mod results;
mod two_batches;

use croupier::profile::{Game, TwoBatches};
use croupier::protocol::generated::croupier::common::{Dealing, Role};
use croupier::services::Chosen;
use croupier::shuffler::{Model, batch};
use fastrand::Rng;
use rayon::prelude::*;

use self::crew::{Crew, Stuck};
use self::judge::Judge;
pub use self::results::{Results, Wrong};
use super::HostNoise;
use super::simulation::Simulation;
use super::trouble::Fate;

/// Cycles, and cards of a continuous machine, in one world. Each world has a seed of its own, so
/// any can be repeated alone.
const WORLD_CYCLES: u64 = 500;
const WORLD_CARDS: u64 = 10_000;

/// Sees the table each time a stack was certified.
pub type Watch<'a> = dyn FnMut(&Simulation) + 'a;

/// What is played, and in what kind of world.
#[derive(Debug, Clone, Copy)]
pub struct Campaign {
    /// The game and its decks.
    pub chosen: Chosen,
    /// The machine.
    pub model: Model,
    /// How many times as bad as in the field it is; 0 for no troubles.
    pub field: f64,
    /// Whether people make slips.
    pub slips: bool,
    /// A card is planted before one of this many power-ons; 0 for never.
    pub plant_every: u32,
}

impl Campaign {
    /// A campaign as in the field: `decks` decks a batch, on `model`.
    ///
    /// Says in words why there is none.
    pub fn new(game: Game, decks: u8, model: Model) -> Result<Self, String> {
        let profile = game.profile();
        let total = profile.batch_total(decks);
        let total = total.ok_or_else(|| format!("{} is not played so", profile.chapter))?;
        if !profile.takes(model.kind()) {
            return Err(format!("{} allows no such machine", profile.chapter));
        }
        let wheel = model.wheel();
        let most = if wheel.capacity == 1 { u16::from(wheel.slots) } else { wheel.cards() };
        if total > most {
            return Err(format!("{total} cards are too many for this machine"));
        }
        let seats = profile.seats.map_or(6, |most| most.rule);
        let dealing = if profile.round().is_some() { Dealing::Hand } else { Dealing::ManualShoe };
        let chosen = Chosen { game, decks, dealing, seats, by: Role::Floorperson, at_ms: 0 };
        Ok(Self { chosen, model, field: 1.0, slips: true, plant_every: 100 })
    }

    /// The cards of a batch.
    pub fn total(&self) -> usize {
        let total = self.chosen.game.profile().batch_total(self.chosen.decks);
        usize::from(total.expect("a campaign is of a game that is played so"))
    }

    /// The same in a world where nothing goes wrong.
    pub fn kind(self) -> Self {
        Self { field: 0.0, slips: false, plant_every: 0, ..self }
    }

    /// Plays this many cycles, or in a continuous machine until this many cards were dealt.
    pub fn play(&self, seed: u64, cycles: u64) -> Results {
        self.watch(seed, cycles, &mut |_| ())
    }

    /// The same, and shows the table each time the one batch of a game was certified.
    pub fn watch(&self, seed: u64, cycles: u64, see: &mut Watch<'_>) -> Results {
        let mut sum = Results::default();
        for (seed, count) in self.worlds(seed, cycles) {
            sum.add(self.whole(seed, count, see));
        }
        sum
    }

    /// The same on all cores; `done` is called with the size of each world that has ended.
    pub fn play_all(&self, seed: u64, cycles: u64, done: impl Fn(u64) + Sync) -> Results {
        let worlds: Vec<_> = self.worlds(seed, cycles).collect();
        let going = worlds.into_par_iter().filter(|_| !crate::wait::interrupted());
        let played = going.map(|(seed, count)| {
            let results = self.whole(seed, count, &mut |_| ());
            done(count);
            results
        });
        played.reduce(Results::default, |mut sum, results| {
            sum.add(results);
            sum
        })
    }

    /// The worlds of a campaign, small ones: the seed of each, and its cycles or cards.
    fn worlds(&self, seed: u64, cycles: u64) -> impl Iterator<Item = (u64, u64)> + use<> {
        let size = if self.model == Model::Continuous { WORLD_CARDS } else { WORLD_CYCLES };
        // Games that are alike to a shuffler are played differently all the same.
        let seed = seed.wrapping_mul(1_000_003).wrapping_add(self.chosen.game.code().into());
        (0..cycles.div_ceil(size)).map(move |number| {
            (seed.wrapping_mul(1_000_003).wrapping_add(number), size.min(cycles - number * size))
        })
    }

    /// Plays a world; where there was no way on, another one takes its place.
    fn whole(&self, seed: u64, cycles: u64, see: &mut Watch<'_>) -> Results {
        let mut sum = Results::default();
        let mut seeds = Rng::with_seed(seed);
        let mut done = 0;
        while done < cycles {
            let (results, asked) = self.world(seeds.u64(..), cycles - done, see);
            done += asked.max(1);
            sum.add(results);
        }
        sum
    }

    /// Plays in one world to its end, or until there is no way on; cycles asked for.
    fn world(&self, seed: u64, cycles: u64, see: &mut Watch<'_>) -> (Results, u64) {
        let fate = if self.field > 0.0 { Fate::field(seed, self.field) } else { Fate::kind(seed) };
        let noise = HostNoise::new(Some(seed)).expect("a seed is always there");
        let table = Simulation::new(self.model, self.chosen, fate, noise)
            .expect("a seeded random core starts");
        let hours = batch::hours(self.chosen.game.profile(), self.chosen.dealing);
        let mut rng = Rng::with_seed(seed);
        let two = self.is_played_with_two(&mut rng);
        let mut crew = Crew::new(table, Judge::new(hours), rng);
        crew.decks = self.chosen.decks;
        crew.total = self.total();
        (crew.slips, crew.plant_every) = (self.slips, self.plant_every);
        // Worlds are short: in each the hundredth time is another one.
        crew.power_ons = crew.rng.u32(..self.plant_every.max(1));
        crew.keep_time();
        // A table without a way on is in the results already.
        let _: Result<(), Stuck> = match (self.model, two) {
            (Model::Continuous, _) => continuous::play(&mut crew, cycles),
            (_, true) => two_batches::play(&mut crew, cycles, self.chosen.game.profile()),
            (_, false) => one_batch::play(&mut crew, cycles, see),
        };
        let done =
            if self.model == Model::Continuous { crew.judge.results.dealt } else { crew.asked };
        let mut results = crew.judge.results;
        results.us = crew.table.now();
        results.struck = crew.table.mechanism.fate.struck.map(u64::from);
        (results, done)
    }

    /// Whether the table has two batches: where it may choose, half of the tables do.
    fn is_played_with_two(&self, rng: &mut Rng) -> bool {
        match &self.chosen.game.profile().batches {
            None => false,
            Some(batches) => match batches.two.rule {
                TwoBatches::Mandatory => true,
                TwoBatches::Optional => self.slips && rng.bool(),
            },
        }
    }
}
