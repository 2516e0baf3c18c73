//! Where a shuffle to watch happens: in process, or on an image in QEMU.

use std::time::Duration;

use arguments::{Bench, Shuffle};
use croupier::cards::BackColour;
use croupier::protocol::generated::croupier::common::{ProfileSetRequest, Result as Outcome, Role};
use croupier::protocol::generated::croupier::shuffler::{Purpose, Task};
use croupier::shuffler::Pace;
use croupier::time::Instant;
use hil_tests::world::shuffler::simulation::is_certified;
use hil_tests::world::shuffler::view::{self, Picture};
use hil_tests::world::shuffler::{Fate, HostNoise, Planned, Simulation, pack};

use crate::options;
use crate::qemu_source::QemuSource;

/// Any of the two will do.
pub(crate) const COLOUR: BackColour = BackColour::Blue;

/// A shuffle under way.
pub(crate) trait Source {
    /// Lets it go on until `elapsed` since its start; whether it has ended.
    fn advance(&mut self, elapsed: Duration) -> Result<bool, String>;
    /// How it looks.
    fn picture(&self) -> Picture;
    /// What was said since this was last asked.
    fn messages(&mut self) -> Vec<String>;
    /// Whether the stack was certified.
    fn is_certified(&self) -> bool;
    /// The planned troubles whose movement has not come.
    fn missed(&self) -> Vec<Planned>;
    /// Whether its time passes by itself.
    fn is_live(&self) -> bool;

    /// What it came to, in a sentence.
    fn summary(&self) -> String {
        let picture = self.picture();
        let verdict = if self.is_certified() { "certified" } else { "NOT certified" };
        let ratio = picture.seconds / picture.floor.max(f64::MIN_POSITIVE);
        let (seconds, floor) = (picture.seconds, picture.floor);
        let missed = self.missed().into_iter();
        let missed: String = missed
            .map(|planned| format!("; {}@{} did not strike", planned.trouble, planned.at))
            .collect();
        format!(
            "{verdict} after {seconds:.1} s: {ratio:.2} times the mechanical floor of {floor:.1} s{missed}"
        )
    }
}

/// Opens what the arguments ask for, its cards loaded and its cycle begun. It goes at `speed`
/// times the pace of life, or as fast as it can.
pub(crate) fn open(arguments: &Shuffle, speed: Option<f64>) -> Result<Box<dyn Source>, String> {
    let (chosen, total, model) = options::game(arguments)?;
    let cards = arguments.cards.map_or(total, usize::from);
    let seed = arguments.seed.unwrap_or_else(|| fastrand::u64(..));
    let fate = arguments.field.map_or_else(|| Fate::kind(seed), |times| Fate::field(seed, times));
    let faults = options::faults(arguments, cards, model)?;
    let fate = faults.into_iter().fold(fate, Fate::with);
    let floor_us = Pace::new(&model.wheel()).floor_us(total as u16, options::passes(model));
    let floor = f64::from(floor_us) / 1e6;
    match arguments.bench {
        Bench::Sim => {
            let noise = HostNoise::new(arguments.seed).map_err(|why| why.to_string())?;
            let with_words = |fault| format!("the shuffler does not start: {fault:?}");
            let mut table = Simulation::new(model, chosen, fate, noise).map_err(with_words)?;
            let open = table.set_clock(Role::Floorperson);
            let open = open.and_then(|()| table.open_batch(COLOUR, chosen.decks));
            open.map_err(|why| will_not_start(&why))?;
            // Once it knows that its wheel is empty, only the shuffle itself takes time.
            _ = table.ask(Task::Empty, Purpose::None, Role::Floorperson);
            table.load(pack(cards, COLOUR));
            table.events.clear();
            let begun = table.begin(Task::Start, Purpose::FullBatch, Role::Dealer);
            begun.map_err(|why| will_not_start(&why))?;
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

pub(crate) fn refused(outcome: Outcome) -> Result<(), String> {
    match outcome {
        Outcome::Accepted => Ok(()),
        other => Err(will_not_start(&other)),
    }
}

fn will_not_start(why: &impl std::fmt::Debug) -> String {
    format!("the shuffler will not start: {}", view::plain(why))
}

struct Simulated {
    table: Simulation,
    begun: u64,
    floor: f64,
}

impl Source for Simulated {
    fn advance(&mut self, elapsed: Duration) -> Result<bool, String> {
        let until = self.begun.saturating_add(elapsed.as_micros() as u64);
        // Event by event, so that it ends at the same time however fast it is shown.
        while self.table.shuffler.state().is_busy() && self.table.now() < until {
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
            _ => self
                .table
                .shuffler
                .shown(Instant::from_millis(self.table.now() / 1000))
                .lines
                .join(", ")
                .to_lowercase(),
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

    fn missed(&self) -> Vec<Planned> {
        self.table.mechanism.fate.missed()
    }

    fn is_live(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arguments::Arguments;

    /// What a shuffle comes to if it is looked at every so often.
    fn summary(line: &str, every: Duration) -> String {
        let words = std::iter::once("shuffle").chain(line.split_whitespace());
        let mut source = open(&Shuffle::try_read(words).unwrap(), None).unwrap();
        let mut elapsed = every;
        while !source.advance(elapsed).unwrap() {
            elapsed += every;
        }
        source.summary()
    }

    #[test]
    fn a_shuffle_takes_the_same_time_however_fast_it_is_shown() {
        for line in ["--game 583 --seed 3", "--game 583 --seed 3 --fault jam@7"] {
            let slow = summary(line, Duration::from_millis(33));
            assert_eq!(slow, summary(line, Duration::from_secs(17)), "{line}");
        }
    }

    #[test]
    fn a_fault_that_never_struck_is_told_at_the_end() {
        let text = summary("--game 583 --seed 3 --fault stall@900", Duration::from_secs(5));
        assert!(
            text.starts_with("certified") && text.ends_with("stall@900 did not strike"),
            "{text}"
        );
        let struck = summary("--game 583 --seed 3 --fault jam@7", Duration::from_secs(5));
        assert!(struck.starts_with("NOT certified") && !struck.contains("strike"), "{struck}");
    }
}
