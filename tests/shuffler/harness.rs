//! A shuffler on the host with a small mechanism of its own: the image's loop, in virtual time.
//!
//! Every card is an object and can only move: none is made, lost or copied. The larger
//! world with wear, rates and hands is in `hil-tests`; this one is for the rules.
//!
//! Rounds of the loop in which no sensor has changed and no deadline is due are left out: nothing
//! could change in them. [`Rig::round`] is for those that are not.

use std::collections::VecDeque;

use crate::bank::identity;
use croupier::cards::BackColour;
use croupier::identity::DeviceKind;
use croupier::node::{Command, Device, Guard, Node, Refused, Reply, StatusSummary};
use croupier::protocol::codec::Request;
use croupier::protocol::generated::croupier::common::{
    ClearRequest, ClockSetRequest, Dealing, Game, ProfileSetRequest, ResetCause, Role, Trouble,
};
use croupier::protocol::generated::croupier::shuffler::{Batch, CountVerdict, Purpose, Task};
use croupier::services::{Chosen, CommonServices, ProfileStore};
use croupier::shuffler::run::ROUND;
use croupier::shuffler::{
    Back, Batches, Beam, Contact, DeviceEvent, Event, Life, LoopState, Model, Shown, Shuffler,
    ShufflerStore, State, Table, batch,
};
use croupier::time::{Instant, Millis};
use embassy_futures::block_on;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use crate::surroundings::{Context, Dice, Draws, Fingers, Moment, Sensors, Tower};

pub use crate::ram::Ram;
pub use crate::world::{Card, Mishap, World};

/// Device, mechanism, flash and a pair of hands.
pub struct Rig<S = Ram> {
    pub shuffler: Shuffler,
    pub world: World,
    pub store: S,
    pub model: Model,
    pub chosen: Chosen,
    pub random: StdRng,
    pub orders: Vec<Vec<u16>>,
    pub events: Vec<DeviceEvent>,
    pub lid: bool,
    pub door: bool,
    pub keys: Fingers,
    pub draws: Draws,
    pub state: LoopState,
    /// When the loop must go round again at the latest.
    pub until: Instant,
    /// How often the loop looked at the mechanism, and how often until it moved something last.
    pub looks: u32,
    pub acted_at: u32,
    /// What sensors notice besides, and the loop has not heard.
    pub noticed: VecDeque<Event>,
    /// The controller sets the day clock as soon as the power is on.
    pub keeps_time: bool,
    seen: Option<Shown>,
}

/// The loop with the ports that a rig lends it.
type Lent<'a> = Table<Sensors<'a>, Tower<'a>, Dice<'a>>;

pub fn chosen(game: Game, decks: u8) -> Chosen {
    let asked = ProfileSetRequest {
        game,
        decks,
        seats: 5,
        dealing: Dealing::ManualShoe,
        ..ProfileSetRequest::default()
    };
    Chosen::check(DeviceKind::Shuffler, &asked, Role::Floorperson, 0).unwrap()
}

/// Midnight at the start of a rig, in milliseconds of the epoch.
pub const START_MS: u64 = 1_790_000_000_000;

/// The services of a shuffler whose day clock somebody has set.
pub fn services(chosen: Chosen) -> CommonServices {
    let mut services = CommonServices::new(DeviceKind::Shuffler, Some(chosen));
    let asked = ClockSetRequest { utc_ms: START_MS, ..ClockSetRequest::default() };
    services.clock.set(&asked, Role::Floorperson, Instant::START).unwrap();
    services
}

fn unset(chosen: Chosen) -> CommonServices {
    CommonServices::new(DeviceKind::Shuffler, Some(chosen))
}

/// Both batches, opened at the start of a rig.
pub fn opened(chosen: Chosen) -> Batches {
    let hours = batch::hours(chosen.game.profile(), chosen.dealing);
    let life = Some(Life { opened_ms: START_MS, decks: chosen.decks, hours });
    Batches { lives: [life; 2], ..Batches::default() }
}

/// A node with this guard.
pub fn node<const LINKS: usize, const EVENTS: usize>(guard: Guard) -> Node<LINKS, EVENTS> {
    Node::new(identity(DeviceKind::Shuffler), guard, ResetCause::PowerOn, 0)
}

/// `count` cards with backs of one colour.
pub fn cards(count: u16, colour: BackColour) -> Vec<Card> {
    (0..count).map(|number| Card { number, back: Back::Colour(colour) }).collect()
}

/// Which cards, in their order.
pub fn numbers(cards: &[Card]) -> Vec<u16> {
    cards.iter().map(|card| card.number).collect()
}

impl Rig {
    pub fn new(model: Model, game: Game, decks: u8) -> Self {
        Self::with(Ram::default(), model, game, decks)
    }

    /// A rig that has only the batch of this colour.
    pub fn with_one(model: Model, game: Game, decks: u8, colour: BackColour) -> Self {
        let mut store = Ram::default();
        let mut batches = opened(chosen(game, decks));
        batches.retire(colour.other());
        store.keep_batches(&batches).unwrap();
        Self::bare(store, model, game, decks, true)
    }

    /// A single-deck machine for 583 with one deck, red, of this number of cards in its tray.
    pub fn single(count: u16) -> Self {
        let (game, colour) = (Game::FlopPoker, BackColour::Red);
        let mut rig = Self::with_one(Model::SingleDeck, game, 1, colour);
        rig.put_in(cards(count, BackColour::Red));
        rig
    }
}

impl<S: ShufflerStore + ProfileStore> Rig<S> {
    /// Has the device obey a request by the authority of `by`, as behind its node.
    pub fn obey<R: Request>(&mut self, by: Role, request: &R) -> Result<Reply, Refused> {
        let mut bytes = [0; 64];
        let length = request.encode(&mut bytes).expect("every request is shorter");
        let command = Command::new(by, R::SERVICE, &bytes[..length], self.world.now);
        let mut reply = Reply::EMPTY;
        let outcome = self.shuffler.obey(&command, &mut reply, &mut self.store);
        self.pass();
        outcome.map(|()| reply)
    }

    /// `by` clears this trouble; whatever moves for it comes to its end.
    pub fn clear(&mut self, trouble: Trouble, by: Role) -> Result<(), Refused> {
        let request = ClearRequest { trouble, ..ClearRequest::default() };
        let outcome = self.obey(by, &request);
        self.run();
        outcome.map(drop)
    }

    /// What its `Status` says.
    pub fn status(&self) -> StatusSummary {
        Device::<S>::status_summary(&self.shuffler)
    }
}

impl<S: ShufflerStore> Rig<S> {
    /// A rig whose clock is set and whose batches are opened.
    pub fn with(mut store: S, model: Model, game: Game, decks: u8) -> Self {
        store.keep_batches(&opened(chosen(game, decks))).unwrap();
        Self::bare(store, model, game, decks, true)
    }

    /// A rig with the batches that are in its store, and its clock set or not.
    pub fn bare(mut store: S, model: Model, game: Game, decks: u8, keeps_time: bool) -> Self {
        let chosen = chosen(game, decks);
        let services = if keeps_time { services(chosen) } else { unset(chosen) };
        let mut rig = Self {
            shuffler: Shuffler::new(services, model, &mut store),
            world: World::new(model),
            store,
            model,
            chosen,
            random: StdRng::seed_from_u64(7),
            orders: Vec::new(),
            events: Vec::new(),
            lid: false,
            door: false,
            keys: Fingers::default(),
            draws: Draws::default(),
            state: LoopState::new(),
            until: Instant::START,
            looks: 0,
            acted_at: 0,
            noticed: VecDeque::new(),
            keeps_time,
            seen: None,
        };
        rig.switch_on();
        rig
    }

    /// The image begins its loop, and finds every contact as it stands.
    fn switch_on(&mut self) {
        self.state = LoopState::new();
        self.draws.forget();
        let now = self.world.now;
        self.with_table(|table, _, _| table.start(now));
        self.settle_contacts();
    }

    pub fn total(&self) -> u16 {
        self.shuffler.batch_total().unwrap()
    }

    /// Tells every contact as it stands.
    pub fn settle_contacts(&mut self) {
        let world = &self.world;
        let states = [
            (Contact::LidOpen, self.lid),
            (Contact::DoorOpen, self.door),
            (Contact::FeedLoaded, world.tray_contact()),
            (Contact::DeliveryLoaded, world.delivery_contact()),
        ];
        for (contact, closed) in states {
            self.sense(Event::Contact(contact, closed));
        }
    }

    /// A sensor notices this, and the loop hears it.
    pub fn sense(&mut self, event: Event) {
        self.noticed.push_back(event);
        self.pass();
    }

    /// Lends the loop its ports.
    fn with_table<R>(
        &mut self,
        work: impl FnOnce(&mut Lent<'_>, &mut Fingers, &mut Context<'_, S>) -> R,
    ) -> R {
        let Self { world, noticed, looks, acted_at, draws, random, orders, .. } = self;
        let mut table = Table {
            mechanism: Sensors { world, noticed, looks, acted_at },
            front: Tower(&mut self.seen),
            orders: Dice { draws, random, orders },
            state: std::mem::take(&mut self.state),
        };
        let Self { shuffler, store, events, .. } = self;
        let done = work(&mut table, &mut self.keys, &mut Context { shuffler, store, events });
        self.state = table.state;
        done
    }

    /// Goes round the loop once, at this moment.
    pub fn pass(&mut self) {
        let now = Moment(self.world.now);
        self.until =
            self.with_table(|table, keys, context| block_on(table.pass(keys, &now, context)));
    }

    /// The next round, a millisecond later.
    pub fn round(&mut self) {
        self.world.now += Millis::new(1);
        self.pass();
    }

    pub fn command(&mut self, task: Task, purpose: Purpose, by: Role) -> Result<(), Refused> {
        self.command_of(Batch::None, task, purpose, by)
    }

    /// The same, of one of the two batches.
    pub fn command_of(
        &mut self,
        batch: Batch,
        task: Task,
        purpose: Purpose,
        by: Role,
    ) -> Result<(), Refused> {
        let (now, store) = (self.world.now, &mut self.store);
        let outcome = self.shuffler.command(task, purpose, batch, by, now, store);
        self.pass();
        outcome
    }

    pub fn start(&mut self) -> Result<(), Refused> {
        let purpose = match self.model {
            Model::Continuous => Purpose::Continuous,
            _ => Purpose::FullBatch,
        };
        self.command(Task::Start, purpose, Role::Dealer)
    }

    /// One step: the draw and the plan if there is something to plan, else whatever happens
    /// next or is due. Whether there was anything.
    pub fn step(&mut self) -> bool {
        if self.has_more_to_do() {
            while self.has_more_to_do() {
                self.pass();
            }
            return true;
        }
        let Some(next) = self.next_at() else { return false };
        self.world.now = self.world.now.max(next);
        self.pass();
        let due = self.shuffler.deadline();
        assert!(due.is_none_or(|due| due > self.world.now), "a deadline is not kept");
        true
    }

    /// Whether the loop goes round again although nothing happens: an order came, or a plan is
    /// being made.
    fn has_more_to_do(&self) -> bool {
        let has_order = self.shuffler.want().is_some() && self.draws.has_answered();
        let plans =
            self.until < self.world.now + ROUND && self.shuffler.deadline() != Some(self.until);
        has_order || plans
    }

    fn next_at(&self) -> Option<Instant> {
        [self.world.next_at(), self.shuffler.deadline()].into_iter().flatten().min()
    }

    /// Lets this number of milliseconds pass, with whatever happens in them.
    pub fn wait(&mut self, ms: u64) {
        let until = self.world.now + Millis::new(ms);
        while self.has_more_to_do() || self.next_at().is_some_and(|at| at <= until) {
            self.step();
        }
        self.world.now = until;
        self.pass();
    }

    /// Runs until nothing moves any more.
    pub fn run(&mut self) {
        let mut left = 100_000;
        while self.step() {
            left -= 1;
            assert!(left > 0, "never comes to rest: {:?}", self.shuffler.state());
            self.check_alive();
        }
    }

    /// A machine that works waits for something that has a deadline: no silence can hold it up.
    pub fn check_alive(&self) {
        let state = self.shuffler.state();
        let idles = !state.is_busy() || state == State::Circulating;
        let waits = self.shuffler.deadline().is_some() || self.shuffler.want().is_some();
        assert!(idles || waits, "{state:?} waits for ever");
    }

    /// Starts a full cycle and runs it until nothing moves; the milliseconds it took.
    pub fn shuffle(&mut self) -> u64 {
        let began = self.world.now;
        assert_eq!(self.start(), Ok(()));
        self.run();
        self.world.now.since(began).get()
    }

    /// Power fails and comes back. Cards stay where they are; half-moved ones fall one way.
    pub fn cut_power(&mut self) {
        self.world.stop();
        while self.world.next_at().is_some() {
            self.world.happen();
        }
        let chosen = self.chosen;
        let services = if self.keeps_time { services(chosen) } else { unset(chosen) };
        self.shuffler = Shuffler::new(services, self.model, &mut self.store);
        for beam in Beam::ALL {
            if self.world.blocked[beam as usize] {
                self.noticed.push_back(Event::Beam(beam, true));
            }
        }
        self.switch_on();
    }

    /// What people see.
    pub fn shown(&self) -> Shown {
        self.seen.clone().expect("the loop has gone round")
    }

    /// The verdict of the last count.
    pub fn count_verdict(&self) -> Option<CountVerdict> {
        self.events.iter().rev().find_map(|event| match event {
            DeviceEvent::Count(count) => Some(count.verdict),
            _ => None,
        })
    }

    pub fn is_certified(&self) -> bool {
        self.shuffler.record().certificate.certified().is_some()
    }

    pub fn stopped(&self) -> Option<croupier::shuffler::Fault> {
        match self.shuffler.state() {
            State::Stopped(fault) => Some(fault),
            _ => None,
        }
    }

    /// A number below `below`.
    pub fn pick(&mut self, below: u32) -> u32 {
        self.random.next_u32() % below
    }
}
