//! Where a shuffle to watch happens: in process, or on an image in QEMU.

use std::time::Duration;

use croupier::cards::BackColour;
use croupier::protocol::generated::croupier::common::{
    Game as WireGame, ProfileSetRequest, Result as Outcome, Role,
};
use croupier::protocol::generated::croupier::shuffler::{
    Certificate, CertificateState, CommandRequest, Phase, Purpose, Task,
};
use croupier::protocol::transfer::NodeId;
use croupier::shuffler::{Model, Pace};
use hil_tests::plan::{Plan, folder};
use hil_tests::table_controller::TableController;
use hil_tests::world::shuffler::beside::Beside;
use hil_tests::world::shuffler::simulation::is_certified;
use hil_tests::world::shuffler::view::{self, Picture};
use hil_tests::world::shuffler::{Fate, HostNoise, Mechanism, Simulation, pack};
use hil_tests::{Bench as _, BenchError, Guest, Setup};

use crate::options::{Bench, Options};

const SHUFFLER: NodeId = NodeId::new(11).expect("a node's number");
const CONTROLLER: NodeId = NodeId::new(2).expect("a node's number");
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
    /// Whether it happens in real time.
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

/// Opens what `options` ask for, its cards loaded and its cycle begun.
pub fn open(options: &Options) -> Result<Box<dyn Source>, String> {
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
            table.news.clear();
            let outcome = table.begin(Task::Start, Purpose::FullBatch, Role::Dealer);
            refused(outcome)?;
            let begun = table.now();
            Ok(Box::new(Simulated { table, begun, floor }))
        }
        Bench::Qemu => {
            let mechanism = Mechanism::new(model.wheel(), fate);
            let wire_game = WireGame::from_code(chosen.game.code()).unwrap_or_default();
            let (decks, seats) = (chosen.decks, chosen.seats);
            let game = ProfileSetRequest { game: wire_game, decks, seats, ..Default::default() };
            Guested::open(mechanism, model, &game, cards, (floor, options.slow))
                .map(|source| Box::new(source) as Box<dyn Source>)
        }
    }
}

fn refused(outcome: Outcome) -> Result<(), String> {
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
        self.table.news.drain(..).filter_map(|news| view::words(&news)).collect()
    }

    fn is_certified(&self) -> bool {
        is_certified(&self.table.shuffler)
    }

    fn is_live(&self) -> bool {
        false
    }
}

/// The image in QEMU. Fields drop in this order: the world before the guest it drives.
struct Guested {
    beside: Beside,
    controller: TableController,
    guest: Guest,
    heard: usize,
    progress: (Phase, u8, u16, u16),
    certified: bool,
    /// When the first card was fed, and how long ago that is.
    fed_at: Option<Duration>,
    elapsed: Duration,
    ended: bool,
    floor: f64,
    slow: u32,
}

impl Guested {
    fn open(
        mechanism: Mechanism,
        model: Model,
        game: &ProfileSetRequest,
        cards: usize,
        (floor, slow): (f64, u8),
    ) -> Result<Self, String> {
        let told = |why: BenchError| why.to_string();
        let plan = Plan::load(&folder(), "qemu").map_err(told)?;
        let name = match model {
            Model::SingleDeck => "single-deck",
            Model::MultiDeck => "multi-deck",
            Model::Continuous => "continuous",
        };
        let setup = Setup::new("shuffler").argument("model", name).slow(slow);
        let mut guest = Guest::open(&plan, setup).map_err(told)?;
        guest.power_on_held().map_err(told)?;
        let link = guest.link("table").map_err(told)?;
        let beside = Beside::new(mechanism, &mut guest, slow).map_err(told)?;
        guest.go().map_err(told)?;
        guest.await_log("ready after").map_err(told)?;
        let controller = TableController::on_link(link, "shuffle", CONTROLLER).map_err(told)?;
        controller.await_device(SHUFFLER).map_err(told)?;
        refused(controller.ask(SHUFFLER, Role::Floorperson, game).map_err(told)?.0)?;
        beside.with(|scene| {
            let now = scene.now();
            scene.mechanism.load_new(pack(cards, COLOUR), now);
        });
        let heard = controller.mark();
        let start = CommandRequest {
            task: Task::Start,
            purpose: Purpose::FullBatch,
            ..CommandRequest::default()
        };
        let mut outcome = Outcome::OutOfTurn;
        // The tray's contact has to be noticed first: that takes a few milliseconds.
        for _ in 0..100 {
            outcome = controller.ask(SHUFFLER, Role::Dealer, &start).map_err(told)?.0;
            if outcome != Outcome::OutOfTurn {
                break;
            }
        }
        refused(outcome)?;
        let progress = (Phase::Idle, 0, 0, 0);
        Ok(Self {
            beside,
            controller,
            guest,
            heard,
            progress,
            certified: false,
            fed_at: None,
            elapsed: Duration::ZERO,
            ended: false,
            floor,
            slow: slow.into(),
        })
    }
}

impl Source for Guested {
    fn advance(&mut self, elapsed: Duration) -> Result<bool, String> {
        if !self.ended {
            self.elapsed = elapsed / self.slow;
        }
        if self.guest.watchdog_resets() > 0 {
            return Err("the image hung and was reset".into());
        }
        Ok(self.ended)
    }

    fn picture(&self) -> Picture {
        let (phase, pass, done, total) = self.progress;
        let state = if self.ended { "ended".into() } else { view::plain(&phase) };
        let progress = (pass, done, total);
        let picture = self.beside.with(|scene| Picture::of(&scene.mechanism, state, progress));
        // Finding its home and proving itself empty are not the shuffle.
        let shuffling = self.fed_at.map(|at| self.elapsed.saturating_sub(at)).unwrap_or_default();
        Picture { seconds: shuffling.as_secs_f64(), floor: self.floor, ..picture }
    }

    fn messages(&mut self) -> Vec<String> {
        use croupier::protocol::generated::croupier::common::Irregularity;
        use croupier::protocol::generated::croupier::shuffler::{Count, Progress};
        use croupier::shuffler::News as Told;

        let told = self.controller.told_since(self.heard);
        self.heard += told.len();
        let mut words = Vec::new();
        for told in told {
            let news = &told.news;
            if let Some(event) = news.event::<Progress>() {
                self.progress = (event.phase, event.pass, event.done, event.total);
                if event.phase == Phase::Feeding {
                    self.fed_at.get_or_insert(self.elapsed);
                }
            } else if let Some(event) = news.event::<Certificate>() {
                self.certified = event.state == CertificateState::Issued;
                self.ended = true;
                words.extend(view::words(&Told::Certificate(event)));
            } else if let Some(event) = news.event::<Count>() {
                words.extend(view::words(&Told::Count(event)));
            } else if let Some(event) = news.event::<Irregularity>() {
                words.extend(view::words(&Told::Irregularity(event)));
            }
        }
        words
    }

    fn is_certified(&self) -> bool {
        self.certified
    }

    fn is_live(&self) -> bool {
        true
    }
}
