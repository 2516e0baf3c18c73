//! Where a shuffle to watch happens: in process, or on an image in QEMU.

use std::time::Duration;

use croupier::cards::BackColour;
use croupier::protocol::generated::croupier::common::{ProfileSetRequest, Result as Outcome, Role};
use croupier::protocol::generated::croupier::shuffler::{Purpose, Task};
use croupier::shuffler::{Model, Pace};
use hil_tests::world::shuffler::simulation::is_certified;
use hil_tests::world::shuffler::view::{self, Picture};
use hil_tests::world::shuffler::{Fate, HostNoise, Simulation, pack};

use crate::options::{Bench, Options};
use crate::qemu_source::QemuSource;

/// Any of the two will do.
const COLOUR: BackColour = BackColour::Blue;

/// A shuffle under way.
pub trait Source {
    /// Lets it go on until `elapsed` since its start; whether it has ended.
    fn advance(&mut self, elapsed: Duration) -> Result<bool, String>;
    /// How it looks.
    fn picture(&self) -> Picture;
    /// What was said since this was last asked.
    fn messages(&mut self) -> Vec<String>;
    /// Whether the stack was certified.
    fn is_certified(&self) -> bool;
    /// Whether its time passes by itself.
    fn is_live(&self) -> bool;

    /// What it came to, in a sentence.
    fn summary(&self) -> String {
        let picture = self.picture();
        let verdict = if self.is_certified() { "certified" } else { "NOT certified" };
        let ratio = picture.seconds / picture.floor.max(f64::MIN_POSITIVE);
        let (seconds, floor) = (picture.seconds, picture.floor);
        format!(
            "{verdict} after {seconds:.1} s: {ratio:.2} times the mechanical floor of {floor:.1} s"
        )
    }
}

/// Opens what `options` ask for, its cards loaded and its cycle begun. It goes at `speed`
/// times the pace of life, or as fast as it can.
pub fn open(options: &Options, speed: Option<f64>) -> Result<Box<dyn Source>, String> {
    let (chosen, total, model) = options.game()?;
    let cards = options.loaded(total)?;
    let seed = options.seed.unwrap_or_else(|| fastrand::u64(..));
    let fate = options.field.map_or_else(|| Fate::kind(seed), |times| Fate::field(seed, times));
    let fate = options.faults.iter().fold(fate, |fate, planned| fate.with(*planned));
    let passes = if model == Model::SingleDeck { 1 } else { 2 };
    let floor_us = Pace::new(&model.wheel()).floor_us(total as u16, passes);
    let floor = f64::from(floor_us) / 1e6;
    match options.bench {
        Bench::Sim => {
            let noise = HostNoise::new(options.seed).map_err(|why| why.to_string())?;
            let told = |fault| format!("the shuffler does not start: {fault:?}");
            let mut table = Simulation::new(model, chosen, fate, noise).map_err(told)?;
            // Once it knows that its wheel is empty, only the shuffle itself takes time.
            table.ask(Task::Empty, Purpose::None, Role::Floorperson);
            table.load(pack(cards, COLOUR));
            table.events.clear();
            let outcome = table.begin(Task::Start, Purpose::FullBatch, Role::Dealer);
            refused(outcome)?;
            let begun = table.now();
            Ok(Box::new(Simulated { table, begun, floor }))
        }
        Bench::Qemu => {
            let game = Some(chosen.game).into();
            let (decks, seats) = (chosen.decks, chosen.seats);
            let game = ProfileSetRequest { game, decks, seats, ..Default::default() };
            let source = QemuSource::open((model, fate), &game, pack(cards, COLOUR), floor, speed)?;
            Ok(Box::new(source))
        }
    }
}

pub fn refused(outcome: Outcome) -> Result<(), String> {
    match outcome {
        Outcome::Accepted => Ok(()),
        other => Err(format!("the shuffler will not start: {}", view::plain(&other))),
    }
}

struct Simulated {
    table: Simulation,
    begun: u64,
    floor: f64,
}

impl Source for Simulated {
    fn advance(&mut self, elapsed: Duration) -> Result<bool, String> {
        let until = self.begun.saturating_add(elapsed.as_micros() as u64);
        while self.table.now() < until {
            if !self.table.step() {
                return Ok(true);
            }
        }
        Ok(!self.table.shuffler.state().is_busy())
    }

    fn picture(&self) -> Picture {
        let (phase, pass, done, total) = self.table.shuffler.progress();
        let state = match self.table.shuffler.state() {
            state if state.is_busy() => view::plain(&phase),
            _ => self.table.shuffler.shown(self.table.now() / 1000).lines.join(", ").to_lowercase(),
        };
        let picture = Picture::of(&self.table.mechanism, state, (pass, done, total));
        let seconds = (self.table.now() - self.begun) as f64 / 1e6;
        Picture { seconds, floor: self.floor, ..picture }
    }

    fn messages(&mut self) -> Vec<String> {
        self.table.events.drain(..).filter_map(|event| view::words(&event)).collect()
    }

    fn is_certified(&self) -> bool {
        is_certified(&self.table.shuffler)
    }

    fn is_live(&self) -> bool {
        false
    }
}
