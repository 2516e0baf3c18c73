//! A whole shuffler in process: the firmware's rules on the mechanism, in virtual time.
//!
//! Discrete events: the clock jumps to whatever happens next, so an hour at the table
//! takes milliseconds. The rules are those of the image, to the last line; only flash,
//! pins and noise are the world's.

use croupier::cards::BackColour;
use croupier::identity::DeviceKind;
use croupier::node::Refused;
use croupier::profile::Game;
use croupier::protocol::generated::croupier::common::{Dealing, Role};
use croupier::protocol::generated::croupier::shuffler::{Batch, Purpose, Task};
use croupier::services::{Chosen, CommonServices};
use croupier::shuffler::{
    Batches, DeviceEvent, Fault, Model, Record, Shuffler, ShufflerStore, State, Want,
};
use croupier::store::StoreError;
use croupier::time::Instant;

use super::card::{Card, CardId, pack};
use super::mechanism::Mechanism;
use super::orders::{HostNoise, Watched};
use super::trouble::Fate;

/// Flash that keeps what it is given, through every power cut.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    record: Option<Record>,
    batches: Option<Batches>,
}

impl ShufflerStore for Memory {
    fn load_record(&mut self) -> Result<Option<Record>, StoreError> {
        Ok(self.record)
    }

    fn keep_record(&mut self, record: &Record) -> Result<(), StoreError> {
        self.record = Some(*record);
        Ok(())
    }

    fn load_batches(&mut self) -> Result<Option<Batches>, StoreError> {
        Ok(self.batches)
    }

    fn keep_batches(&mut self, batches: &Batches) -> Result<(), StoreError> {
        self.batches = Some(*batches);
        Ok(())
    }
}

/// A shuffler and its world.
pub struct Simulation {
    /// The rules.
    pub shuffler: Shuffler,
    /// The cards and what moves them.
    pub mechanism: Mechanism,
    /// Published since last taken.
    pub events: Vec<DeviceEvent>,
    orders: Watched,
    memory: Memory,
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
        let shuffler = boot(model, chosen, &mut memory);
        let mut mechanism = Mechanism::new(model.wheel(), fate);
        mechanism.power_on(0);
        let mut simulation = Self {
            shuffler,
            mechanism,
            events: Vec::new(),
            orders: Watched::new(noise)?,
            memory,
            model,
            chosen,
            now_us: 0,
            reaction_us: REACTION_US,
            fed: Vec::new(),
        };
        simulation.settle();
        Ok(simulation)
    }

    /// A shuffler for `game` with `decks` decks a batch, on the smallest machine that takes
    /// them, `noise` drawn from `seed`; a whole blue batch lies in its feed tray.
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

    /// Opens the lid, frees and mends everything, shuts it, has a grave fault cleared, and
    /// takes what was delivered: every card that is not in the wheel or the feed is loose.
    pub fn put_right(&mut self) {
        self.mechanism.lid(true, self.now_us);
        self.settle();
        self.mechanism.clear_path(self.now_us);
        self.mechanism.repair(self.now_us);
        self.settle();
        self.mechanism.lid(false, self.now_us);
        self.mechanism.door(false, self.now_us);
        self.settle();
        if matches!(self.shuffler.state(), State::Stopped(fault) if fault.is_grave()) {
            self.serviced();
        }
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

    /// Asks for something, as `by`, and lets it come to its end; what is moved while
    /// no machine waits for it may still go on.
    pub fn ask(&mut self, task: Task, purpose: Purpose, by: Role) -> Result<(), Refused> {
        let outcome = self.begin(task, purpose, by);
        while !self.shuffler.is_proving() && self.step() {}
        outcome
    }

    /// Asks for something, and returns as soon as it has begun.
    pub fn begin(&mut self, task: Task, purpose: Purpose, by: Role) -> Result<(), Refused> {
        let now = Instant::from_millis(self.now_us / 1000);
        let memory = &mut self.memory;
        self.shuffler.command(task, purpose, Batch::None, by, now, memory)
    }

    /// Lets time pass until nothing is under way any more.
    pub fn settle(&mut self) {
        while self.step() {}
    }

    /// Does the next thing, whatever it is; `false` when there is nothing left to happen.
    pub fn step(&mut self) -> bool {
        self.mechanism.advance(self.now_us);
        if self.mechanism.power_cut {
            self.cut_power();
        }
        let now = Instant::from_millis(self.now_us / 1000);
        if let Some((at, event)) = self.mechanism.take_noticed() {
            self.shuffler.sense(event, Instant::from_millis(at / 1000), &mut self.memory);
            self.follow();
            return true;
        }
        self.follow();
        let due = self.shuffler.deadline().map(|due| (due.as_millis() * 1000).max(self.now_us));
        let next = [self.mechanism.next_at(), due].into_iter().flatten().min();
        let Some(next) = next else { return false };
        if due == Some(next) && self.mechanism.next_at() != Some(next) {
            self.now_us = next;
            self.shuffler
                .pass_time(Instant::from_millis(next.div_ceil(1000)).max(now), &mut self.memory);
            self.follow();
        } else {
            self.now_us = next.max(self.now_us);
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
        self.mechanism.power_on(self.now_us);
    }

    /// Service has mended the machine and clears what only it may clear.
    ///
    /// Over the wire that takes a sealed command and a passed check; here the latch is taken
    /// out of the memory, and all else stays as it was kept.
    pub fn serviced(&mut self) {
        if let Some(record) = &mut self.memory.record {
            (record.fault, record.failures) = (None, 0);
        }
        self.cut_power();
        self.settle();
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

    fn is_cover(&self, card: CardId) -> bool {
        self.mechanism.places.card(card).back == croupier::shuffler::Back::Cover
    }

    /// Does what the rules want done now.
    fn follow(&mut self) {
        loop {
            let mut idle = true;
            while let Some(action) = self.shuffler.next_action() {
                self.mechanism.act(action, self.now_us + self.reaction_us);
                idle = false;
            }
            if let Some(want) = self.shuffler.want() {
                self.serve(want);
                idle = false;
            }
            while let Some(event) = self.shuffler.take_event() {
                self.events.push(event);
            }
            if idle {
                return;
            }
        }
    }

    fn serve(&mut self, want: Want) {
        let now = Instant::from_millis(self.now_us / 1000);
        let (shuffler, memory) = (&mut self.shuffler, &mut self.memory);
        match want {
            Want::Order(count) => {
                let tray = self.mechanism.places.tray.iter().copied();
                let places = &self.mechanism.places;
                let plain =
                    |card: &CardId| places.card(*card).back != croupier::shuffler::Back::Cover;
                self.fed = tray.filter(plain).collect();
                let drawn = self.orders.draw(count, |order| {
                    shuffler.ordered(Ok(order), || now, memory);
                });
                if let Err(fault) = drawn {
                    shuffler.ordered(Err(fault), || now, memory);
                }
            }
            Want::Check => shuffler.checked(Ok(()), memory),
        }
    }
}

fn boot(model: Model, chosen: Chosen, memory: &mut Memory) -> Shuffler {
    Shuffler::new(CommonServices::new(DeviceKind::Shuffler, Some(chosen)), model, memory)
}

/// Whether the shuffler stands with a certified stack.
pub fn is_certified(shuffler: &Shuffler) -> bool {
    shuffler.state() == State::Ready && shuffler.record().certificate.certified().is_some()
}
