//! A whole shuffler in process: the image's loop on the mechanism, in virtual time.
//!
//! Discrete events: the clock jumps to whatever happens next, so an hour at the table
//! takes milliseconds. Loop and rules are those of the image, to the last line; only flash,
//! pins and noise are the world's.
//!
//! The image goes round its loop every five milliseconds. The rounds in which no sensor has
//! changed and no deadline is due are left out: no key is pressed here, so in such a round
//! nothing of the world or the device could change. What the loop does ten times a second is
//! done in the next round that is not left out.

use croupier::cards::BackColour;
use croupier::identity::DeviceKind;
use croupier::node::Refused;
use croupier::profile::Game;
use croupier::protocol::generated::croupier::common::{Dealing, Role};
use croupier::protocol::generated::croupier::shuffler::{Batch, Purpose, Task};
use croupier::services::{Chosen, CommonServices};
use croupier::shuffler::run::ROUND;
use croupier::shuffler::{
    Back, DeviceEvent, Fault, LoopState, Model, Shuffler, State, Table, Want,
};
use croupier::time::Instant;
use embassy_futures::block_on;

use super::card::{Card, CardId, pack};
use super::mechanism::Mechanism;
use super::orders::{HostNoise, Watched};
use super::surroundings::{Context, Machine, Memory, Moment, Unattended};
use super::trouble::Fate;

/// A shuffler and its world.
pub struct Simulation {
    /// The rules.
    pub shuffler: Shuffler,
    /// The cards and what moves them.
    pub mechanism: Mechanism,
    /// Published since last taken.
    pub events: Vec<DeviceEvent>,
    orders: Watched,
    pub(super) memory: Memory,
    state: LoopState,
    model: Model,
    chosen: Chosen,
    now_us: u64,
    /// How long the firmware takes from a sensor's edge to its answer.
    reaction_us: u64,
    /// The tray's cards when the order was drawn, cover cards apart.
    fed: Vec<CardId>,
}

/// A sample each millisecond, and two alike to believe one: two milliseconds at most.
pub const REACTION_US: u64 = 2_000;

impl Simulation {
    /// A shuffler that was switched on a moment ago, with its game set.
    pub fn new(model: Model, chosen: Chosen, fate: Fate, noise: HostNoise) -> Result<Self, Fault> {
        let mut memory = Memory::default();
        let mut simulation = Self {
            shuffler: boot(model, chosen, &mut memory),
            mechanism: Mechanism::new(model.wheel(), fate),
            events: Vec::new(),
            orders: Watched::new(noise),
            memory,
            state: LoopState::new(),
            model,
            chosen,
            now_us: 0,
            reaction_us: REACTION_US,
            fed: Vec::new(),
        };
        simulation.switch_on();
        simulation.settle();
        match simulation.shuffler.state() {
            State::Stopped(fault) => Err(fault),
            _ => Ok(simulation),
        }
    }

    /// A shuffler for `game` with `decks` decks a batch, on the smallest machine that takes
    /// them, `noise` drawn from `seed`; its clock is set, and a whole blue batch was opened and
    /// lies in its feed tray.
    ///
    /// Says in words why there is none.
    pub fn loaded(game: Game, decks: u8, fate: Fate, seed: u64) -> Result<Self, String> {
        let total = game.profile().batch_total(decks);
        let total = total.ok_or_else(|| format!("{game:?} is not played with {decks} decks"))?;
        let seats = game.profile().seats.map_or(6, |most| most.rule);
        let (dealing, by) = (Dealing::default(), Role::Floorperson);
        let chosen = Chosen { game, decks, dealing, seats, by, at_ms: 0 };
        let single = total <= u16::from(Model::SingleDeck.wheel().slots);
        let model = if single { Model::SingleDeck } else { Model::MultiDeck };
        let noise = HostNoise::new(Some(seed)).map_err(|why| why.to_string())?;
        let mut table = Self::new(model, chosen, fate, noise).map_err(|why| format!("{why:?}"))?;
        let open = table.set_clock(Role::Floorperson);
        let open = open.and_then(|()| table.open_batch(BackColour::Blue, decks));
        open.map_err(|why| format!("{why:?}"))?;
        table.load(pack(total.into(), BackColour::Blue));
        Ok(table)
    }

    /// Opens new cards and puts them into the feed tray.
    pub fn load(&mut self, cards: Vec<Card>) -> Vec<CardId> {
        let loaded = self.mechanism.load_new(cards, self.now_us);
        self.settle();
        loaded
    }

    /// Shuffles what lies in the feed tray, and says whether it was certified.
    pub fn shuffle(&mut self, by: Role) -> bool {
        self.events.clear();
        _ = self.ask(Task::Start, Purpose::FullBatch, by);
        is_certified(&self.shuffler)
    }

    /// Releases the stack, takes it, shuts the door and deals it: the cards are on the table.
    pub fn deal(&mut self) -> Vec<CardId> {
        _ = self.ask(Task::Release, Purpose::None, Role::Dealer);
        let cards = self.take_stack();
        _ = self.ask(Task::Dealt, Purpose::None, Role::Dealer);
        cards
    }

    /// Opens the door, takes what lies behind it, and shuts it.
    pub fn take_stack(&mut self) -> Vec<CardId> {
        self.mechanism.door(true, self.now_us);
        self.settle();
        let cards = self.mechanism.take_delivery(self.now_us);
        self.settle();
        self.mechanism.door(false, self.now_us);
        self.settle();
        cards
    }

    /// Puts cards from the table into the feed tray.
    pub fn put_back(&mut self, cards: &[CardId]) {
        self.mechanism.load_from_table(cards, self.now_us);
        self.settle();
    }

    /// Opens the lid, frees and mends everything, shuts it, has a grave fault checked and cleared
    /// by service and a lost clock set, and takes what was delivered: every card that is not in
    /// the wheel or the feed is loose.
    pub fn put_right(&mut self) {
        self.mechanism.lid(true, self.now_us);
        self.settle();
        self.mechanism.clear_path(self.now_us);
        self.mechanism.repair(self.now_us);
        self.settle();
        let grave = match self.shuffler.state() {
            State::Stopped(fault) if fault.is_grave() => Some(fault),
            _ => None,
        };
        if let Some(Fault::Sensor(beam)) = grave {
            self.mechanism.try_beam(beam, self.now_us);
            self.settle();
        }
        self.mechanism.lid(false, self.now_us);
        self.mechanism.door(false, self.now_us);
        self.settle();
        if let Some(fault) = grave {
            let cleared = self.clear(fault.trouble(), Role::Service);
            assert_eq!(cleared, Ok(()), "{fault:?} was mended");
        }
        // A clock that is right already is set to the same time.
        _ = self.set_clock(Role::Floorperson);
        self.take_stack();
        let loose = self.mechanism.places.table.clone();
        self.put_back(&loose);
    }

    /// The same with firmware that takes no time: what is left is the mechanism's.
    pub fn without_reaction(mut self) -> Self {
        self.reaction_us = 0;
        self
    }

    /// The world's time, in microseconds.
    pub fn now(&self) -> u64 {
        self.now_us
    }

    /// Asks for something, as `by`, and lets it come to its end.
    pub fn ask(&mut self, task: Task, purpose: Purpose, by: Role) -> Result<(), Refused> {
        let outcome = self.begin(task, purpose, by);
        while self.step() {}
        outcome
    }

    /// Asks for something, and returns as soon as it has begun.
    pub fn begin(&mut self, task: Task, purpose: Purpose, by: Role) -> Result<(), Refused> {
        self.begin_of(Batch::None, task, purpose, by)
    }

    /// The same, of one of the two batches.
    pub fn begin_of(
        &mut self,
        batch: Batch,
        task: Task,
        purpose: Purpose,
        by: Role,
    ) -> Result<(), Refused> {
        let now = self.moment();
        let memory = &mut self.memory;
        let outcome = self.shuffler.command(task, purpose, batch, by, now, memory);
        self.go_round();
        outcome
    }

    /// Lets time pass until nothing is under way any more.
    pub fn settle(&mut self) {
        while self.step() {}
    }

    /// Does the next thing, whatever it is; `false` when there is nothing left to happen.
    pub fn step(&mut self) -> bool {
        let due = self.shuffler.deadline().map(|due| due.as_millis() * 1000);
        if !self.mechanism.power_cut && !self.mechanism.has_noticed() {
            let next = [self.mechanism.next_at(), due].into_iter().flatten().min();
            let Some(next) = next else { return false };
            self.now_us = self.now_us.max(next);
            self.mechanism.advance(self.now_us);
        }
        if self.mechanism.power_cut {
            self.cut_power();
        }
        if self.mechanism.has_noticed() || due.is_some_and(|due| due <= self.now_us) {
            self.go_round();
        }
        true
    }

    /// Lets `us` pass, with whatever happens in it.
    pub fn wait(&mut self, us: u64) {
        let until = self.now_us + us;
        while self.mechanism.next_at().is_some_and(|at| at <= until)
            || self.shuffler.deadline().is_some_and(|due| due.as_millis() * 1000 <= until)
        {
            if !self.step() {
                break;
            }
        }
        self.now_us = self.now_us.max(until);
    }

    /// Cuts the power at once and brings it back: what was not kept is gone.
    pub fn cut_power(&mut self) {
        self.shuffler = boot(self.model, self.chosen, &mut self.memory);
        self.mechanism.power_cut = false;
        self.switch_on();
    }

    /// The mechanism has power, and the image begins its loop.
    fn switch_on(&mut self) {
        self.mechanism.power_on(self.now_us);
        self.state = LoopState::new();
        let now = self.moment();
        self.with_table(|table, _| table.start(now));
    }

    /// Whether the delivered cards are, one by one, those the drawn order calls for.
    pub fn is_as_drawn(&self) -> bool {
        let order = self.orders.last();
        let drawn = order.iter().map(|card| self.fed.get(usize::from(*card)));
        let delivery = &self.mechanism.places.delivery;
        let plain = delivery.iter().filter(|card| !self.is_cover(**card));
        drawn.eq(plain.map(Some))
    }

    /// The cards that were fed, in their order, when the order was drawn.
    pub fn fed(&self) -> &[CardId] {
        &self.fed
    }

    /// The device's time.
    pub fn moment(&self) -> Instant {
        Instant::from_millis(self.now_us / 1000)
    }

    fn is_cover(&self, card: CardId) -> bool {
        self.mechanism.places.card(card).back == Back::Cover
    }

    /// Goes round the loop until it has nothing more to do at this moment: the source answers,
    /// and a plan is made, in no time.
    pub(super) fn go_round(&mut self) {
        loop {
            let now = self.moment();
            let until = self.with_table(|table, context| {
                block_on(table.pass(&mut Unattended, &Moment(now), context))
            });
            let plans = until < now + ROUND && self.shuffler.deadline() != Some(until);
            match self.shuffler.want() {
                Some(Want::Order(_)) => self.note_fed(),
                Some(Want::Check) => {}
                None if plans => {}
                None => return,
            }
        }
    }

    /// The draw is about to be used: the cards in the tray are those that will be fed.
    fn note_fed(&mut self) {
        let tray = self.mechanism.places.tray.iter().copied();
        self.fed = tray.filter(|card| !self.is_cover(*card)).collect();
    }

    /// Lends the loop its ports.
    fn with_table<R>(
        &mut self,
        work: impl FnOnce(&mut Table<Machine<'_>, Unattended, &mut Watched>, &mut Context<'_>) -> R,
    ) -> R {
        let acts_at = self.now_us + self.reaction_us;
        let mut table = Table {
            mechanism: Machine { mechanism: &mut self.mechanism, acts_at },
            front: Unattended,
            orders: &mut self.orders,
            state: std::mem::take(&mut self.state),
        };
        let mut context = Context {
            shuffler: &mut self.shuffler,
            memory: &mut self.memory,
            events: &mut self.events,
        };
        let done = work(&mut table, &mut context);
        self.state = table.state;
        done
    }
}

fn boot(model: Model, chosen: Chosen, memory: &mut Memory) -> Shuffler {
    Shuffler::new(CommonServices::new(DeviceKind::Shuffler, Some(chosen)), model, memory)
}

/// Whether the shuffler stands with a certified stack.
pub fn is_certified(shuffler: &Shuffler) -> bool {
    shuffler.state() == State::Ready && shuffler.record().certificate.certified().is_some()
}
