//! A shuffler's image at a table of its own: guest, mechanism, hands and controller.
//!
//! Guest and mechanism go in step, so all times are the device's own and what is seen is
//! the same on any host.

use croupier::cards::BackColour;
use croupier::protocol::generated::croupier::common::{
    ClockSetRequest, Irregularity, ProfileSetRequest, Result as Outcome, Role,
};
use croupier::protocol::generated::croupier::shuffler::{
    BatchOpenedRequest, Certificate, CertificateState, CommandRequest, InventoryGetRequest,
    InventoryGetResponse, Purpose, Task,
};
use croupier::protocol::transfer::NodeId;
use croupier::shuffler::{Model, batch};

use super::card::{Card, CardId};
use super::mechanism::Mechanism;
use super::pin_coupling::{PinCoupling, Scene};
use super::trouble::Fate;
use crate::bench::{Bench as _, PATIENCE};
use crate::error::{BenchError, Result, Tail};
use crate::plan::{Plan, folder};
use crate::qemu::{Guest, Setup};
use crate::table_controller::{Received, TableController};

/// The shuffler's number on the wire.
pub const SHUFFLER: NodeId = NodeId::new(11).expect("a node's number");
const CONTROLLER: NodeId = NodeId::new(2).expect("a node's number");
/// More than the device's contacts need to settle, in microseconds of its time.
const SETTLING_US: u64 = 60_000;
/// A cycle takes longer than an answer: patience is multiplied by this.
const CYCLE: u32 = 12;
/// Any evening of 2026 will do.
const TONIGHT_MS: u64 = 1_790_000_000_000;
const MINUTE_MS: u64 = 60_000;

/// How a cycle ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Ending {
    /// The stack is certified.
    Certified,
    /// It is not, and why.
    Stopped(Irregularity),
}

/// A shuffler at its table. Dropping it ends the world before the guest.
pub struct ShufflerFixture {
    coupling: Option<PinCoupling>,
    controller: Option<TableController>,
    /// The guest with its pins and its log.
    pub guest: Guest,
    speed: Option<f64>,
    /// How often the power came on: no clock goes backwards from one time to the next.
    starts: u64,
}

impl ShufflerFixture {
    /// Switches `model` on with a mechanism of this fate. It goes `speed` times as fast as
    /// life, or as fast as the host can.
    pub fn open(model: Model, fate: Fate, speed: Option<f64>) -> Result<Self> {
        let setup = Setup::new("shuffler").model(model).in_step();
        let guest = Guest::open(&Plan::load(&folder(), "qemu")?, setup)?;
        let mut table = Self { coupling: None, controller: None, guest, speed, starts: 0 };
        table.switch_on(Scene::new(Mechanism::new(model.wheel(), fate)))?;
        Ok(table)
    }

    fn switch_on(&mut self, scene: Scene) -> Result<()> {
        self.guest.power_on_held()?;
        let link = self.guest.link("table")?;
        self.coupling = Some(PinCoupling::new(scene, &mut self.guest, self.speed)?);
        self.guest.go()?;
        self.guest.await_log_within("ready after", PATIENCE * 3)?;
        let controller = TableController::on_link(link, "the table's controller", CONTROLLER)?;
        controller.await_device(SHUFFLER)?;
        self.controller = Some(controller);
        self.starts += 1;
        Ok(())
    }

    /// Kills the guest in the middle of what it does, and starts it again. Cards and wheel
    /// stay where they are, and the controller sets the day clock.
    pub fn cut_power_and_boot(&mut self) -> Result<()> {
        self.controller = None;
        let coupling = self.coupling.take().ok_or_else(|| BenchError::Off("shuffler".into()))?;
        let scene = coupling.into_scene();
        self.guest.cut_power()?;
        self.switch_on(scene)?;
        self.set_clock()
    }

    /// The world beside the guest.
    pub fn world(&self) -> &PinCoupling {
        self.coupling.as_ref().expect("there is a world while the power is on")
    }

    /// The controller on its serial link.
    pub fn controller(&self) -> &TableController {
        self.controller.as_ref().expect("there is a controller while the power is on")
    }

    /// Lets `work` change the mechanism, and waits until the device has noticed.
    pub fn hands<R>(&self, work: impl FnOnce(&mut Mechanism, u64) -> R) -> Result<R> {
        let done = self.world().with(|scene| {
            let now = scene.now();
            work(&mut scene.mechanism, now)
        });
        self.world().pass(SETTLING_US)?;
        Ok(done)
    }

    /// Puts new cards into the feed tray.
    pub fn load(&self, cards: Vec<Card>) -> Result<Vec<CardId>> {
        self.hands(|mechanism, now| mechanism.load_new(cards, now))
    }

    /// Puts cards from the table into the feed tray.
    pub fn put_back(&self, cards: &[CardId]) -> Result<()> {
        self.hands(|mechanism, now| mechanism.load_from_table(cards, now))
    }

    /// Opens the door, takes what lies behind it, and shuts it.
    pub fn take_stack(&self) -> Result<Vec<CardId>> {
        self.hands(|mechanism, now| mechanism.door(true, now))?;
        let cards = self.hands(|mechanism, now| mechanism.take_delivery(now))?;
        self.hands(|mechanism, now| mechanism.door(false, now))?;
        Ok(cards)
    }

    /// Opens the lid, takes every card out of the path and the trays, and shuts it: what is not
    /// in the wheel lies on the table.
    pub fn clear(&self) -> Result<()> {
        self.hands(|mechanism, now| mechanism.lid(true, now))?;
        self.hands(|mechanism, now| {
            mechanism.clear_path(now);
            mechanism.take_feed(now);
        })?;
        self.hands(|mechanism, now| mechanism.lid(false, now))?;
        self.take_stack().map(drop)
    }

    /// As [`ShufflerFixture::clear`], and all that lies on the table goes back into the feed tray.
    pub fn put_right(&self) -> Result<()> {
        self.clear()?;
        let loose = self.world().with(|scene| scene.mechanism.places.table.clone());
        self.put_back(&loose)
    }

    /// Sets the day clock.
    pub fn set_clock(&self) -> Result<()> {
        let utc_ms = TONIGHT_MS + self.starts * MINUTE_MS;
        let clock = ClockSetRequest { utc_ms, ..ClockSetRequest::default() };
        self.controller().ask(SHUFFLER, Role::Service, &clock).map(drop)
    }

    /// A floorperson says that new cards of this colour were opened.
    pub fn open_batch(&self, colour: BackColour, decks: u8) -> Result<Outcome> {
        let batch = batch::to_wire(Some(colour));
        let opened = BatchOpenedRequest { batch, decks, ..BatchOpenedRequest::default() };
        Ok(self.controller().ask(SHUFFLER, Role::Floorperson, &opened)?.0)
    }

    /// Sets the clock and the game, and opens the batches of these colours: a table that can be
    /// played at. The first outcome that is not ACCEPTED ends it.
    pub fn prepare(&self, game: &ProfileSetRequest, opened: &[BackColour]) -> Result<Outcome> {
        self.set_clock()?;
        let mut outcome = self.set_game(game)?;
        for colour in opened {
            if outcome == Outcome::Accepted {
                outcome = self.open_batch(*colour, game.decks)?;
            }
        }
        Ok(outcome)
    }

    /// Sets the game, with a floorperson's authority.
    pub fn set_game(&self, game: &ProfileSetRequest) -> Result<Outcome> {
        Ok(self.controller().ask(SHUFFLER, Role::Floorperson, game)?.0)
    }

    /// Asks for something.
    pub fn ask(&self, task: Task, purpose: Purpose, by: Role) -> Result<Outcome> {
        let request = CommandRequest { task, purpose, ..CommandRequest::default() };
        Ok(self.controller().ask(SHUFFLER, by, &request)?.0)
    }

    /// Where the device says the cards are.
    pub fn inventory(&self) -> Result<InventoryGetResponse> {
        let asked = InventoryGetRequest::default();
        Ok(self.controller().ask(SHUFFLER, Role::Floorperson, &asked)?.1)
    }

    /// Starts a full cycle as `by` and waits for its end.
    pub fn shuffle(&self, by: Role) -> Result<Ending> {
        let mark = self.controller().mark();
        match self.ask(Task::Start, Purpose::FullBatch, by)? {
            Outcome::Accepted => self.ending(mark),
            refused => Err(BenchError::Refused {
                tool: "the shuffler",
                asked: "a full cycle".into(),
                answer: format!("{refused:?}"),
            }),
        }
    }

    /// How the cycle that began after `mark` ends.
    pub fn ending(&self, mark: usize) -> Result<Ending> {
        let state = self.until(mark, |one| one.report.event::<Certificate>())?.state;
        if state == CertificateState::Issued {
            return Ok(Ending::Certified);
        }
        let grave = |one: &Irregularity| one.cleared_by != Role::Device;
        let why = self.until(mark, |one| one.report.event::<Irregularity>().filter(grave))?;
        Ok(Ending::Stopped(why))
    }

    /// Waits, for as long as a whole cycle may take, until `wanted` finds its event.
    pub fn until<T>(&self, mark: usize, wanted: impl Fn(&Received) -> Option<T>) -> Result<T> {
        for _ in 0..CYCLE {
            match self.controller().await_report("the cycle to go on", mark, &wanted) {
                Err(BenchError::TimedOut { .. }) => {}
                other => return other,
            }
        }
        Err(BenchError::TimedOut {
            device: "shuffler".into(),
            what: "the cycle to go on".into(),
            waited: PATIENCE * CYCLE,
            tail: Tail { lines: self.guest.log().last(12), kept: self.guest.keep() },
        })
    }
}
