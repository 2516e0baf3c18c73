//! A shuffler on the host with a small mechanism of its own, in virtual time.
//!
//! Every card is an object and can only move: none is made, lost or copied. The larger
//! world with wear, rates and hands is in `hil-tests`; this one is for the rules.

use crate::bank::identity;
use croupier::cards::BackColour;
use croupier::identity::DeviceKind;
use croupier::node::Refused;
use croupier::node::{Guard, Node};
use croupier::protocol::generated::croupier::common::{
    Dealing, Game, ProfileSetRequest, ResetCause, Role,
};
use croupier::protocol::generated::croupier::shuffler::{Batch, CountVerdict, Purpose, Task};
use croupier::services::{Chosen, CommonServices};
use croupier::shuffler::{
    Back, Beam, Contact, DeviceEvent, Event, Model, Shown, Shuffler, ShufflerStore, State, Want,
};
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};

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
    /// Events the device got, so that a test can interrupt at each.
    pub steps: u32,
}

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

pub fn services(chosen: Chosen) -> CommonServices {
    CommonServices::new(DeviceKind::Shuffler, Some(chosen))
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

    /// A single-deck machine for 583 with a red deck of this number of cards in its tray.
    pub fn single(count: u16) -> Self {
        let mut rig = Self::new(Model::SingleDeck, Game::FlopPoker, 1);
        rig.put_in(cards(count, BackColour::Red));
        rig
    }
}

impl<S: ShufflerStore> Rig<S> {
    pub fn with(mut store: S, model: Model, game: Game, decks: u8) -> Self {
        let chosen = chosen(game, decks);
        let mut rig = Self {
            shuffler: Shuffler::new(services(chosen), model, &mut store),
            world: World::new(model),
            store,
            model,
            chosen,
            random: StdRng::seed_from_u64(7),
            orders: Vec::new(),
            events: Vec::new(),
            lid: false,
            door: false,
            steps: 0,
        };
        rig.settle_contacts();
        rig
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
            (Contact::DeliveryLoaded, !world.delivery.is_empty()),
        ];
        for (contact, closed) in states {
            self.sense(Event::Contact(contact, closed));
        }
    }

    pub fn sense(&mut self, event: Event) {
        self.steps += 1;
        self.shuffler.sense(event, self.world.now, &mut self.store);
        self.take();
    }

    pub fn take(&mut self) {
        while let Some(action) = self.shuffler.next_action() {
            self.world.act(action);
        }
        while let Some(event) = self.shuffler.take_event() {
            self.events.push(event);
        }
    }

    pub fn command(&mut self, task: Task, purpose: Purpose, by: Role) -> Result<(), Refused> {
        let (now, store) = (self.world.now, &mut self.store);
        let outcome = self.shuffler.command(task, purpose, Batch::None, by, now, store);
        self.take();
        outcome
    }

    pub fn start(&mut self) -> Result<(), Refused> {
        let purpose = match self.model {
            Model::Continuous => Purpose::Continuous,
            _ => Purpose::FullBatch,
        };
        self.command(Task::Start, purpose, Role::Dealer)
    }

    /// One step: an order if one is wanted, else the next event or deadline. Whether there
    /// was anything.
    pub fn step(&mut self) -> bool {
        if let Some(Want::Order(count)) = self.shuffler.want() {
            let mut order: Vec<u16> = (0..count).collect();
            order.shuffle(&mut self.random);
            self.steps += 1;
            self.shuffler.ordered(Ok(&order), || self.world.now, &mut self.store);
            self.orders.push(order);
            self.take();
            return true;
        }
        let due = self.shuffler.deadline();
        match (self.world.next_at(), due) {
            (None, None) => false,
            (Some(at), due) if due.is_none_or(|due| at <= due) => {
                for event in self.world.happen() {
                    self.sense(event);
                }
                true
            }
            (_, due) => {
                self.world.now = self.world.now.max(due.unwrap());
                self.steps += 1;
                self.shuffler.pass_time(self.world.now, &mut self.store);
                self.take();
                true
            }
        }
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

    /// Starts a full cycle and runs it until nothing moves; the milliseconds to its end,
    /// without the proof that comes after it.
    pub fn shuffle(&mut self) -> u64 {
        let time = self.shuffle_only();
        self.run();
        time
    }

    /// The same, and returns when the cycle has ended.
    pub fn shuffle_only(&mut self) -> u64 {
        let began = self.world.now;
        assert_eq!(self.start(), Ok(()));
        while self.shuffler.state().is_busy() && self.step() {
            self.check_alive();
        }
        self.world.now.since(began).get()
    }

    pub fn put_in(&mut self, cards: Vec<Card>) {
        self.world.tray.extend(cards);
        let says = self.world.tray_contact();
        self.sense(Event::Contact(Contact::FeedLoaded, says));
    }

    pub fn set_lid(&mut self, open: bool) {
        self.lid = open;
        self.sense(Event::Contact(Contact::LidOpen, open));
    }

    pub fn set_door(&mut self, open: bool) {
        self.door = open;
        self.sense(Event::Contact(Contact::DoorOpen, open));
    }

    /// The dealer opens the door if it is not locked, and takes the stack.
    pub fn take_stack(&mut self) -> Vec<Card> {
        assert!(!self.shown().door_locked, "{:?}", self.shuffler.state());
        self.set_door(true);
        let stack = std::mem::take(&mut self.world.delivery);
        self.sense(Event::Contact(Contact::DeliveryLoaded, false));
        self.set_door(false);
        stack
    }

    /// The lid is opened, cards stuck on the path are put back into the tray, the lid shut.
    pub fn clear_by_hand(&mut self) {
        if !self.lid {
            self.set_lid(true);
        }
        self.world.stuck = false;
        self.world.mishap = None;
        self.world.pending.clear();
        let exit_blocked = self.world.blocked[Beam::Exit as usize];
        if exit_blocked && let Some(card) = self.world.slots[usize::from(self.world.at)].pop_front()
        {
            self.world.path.push(card);
        }
        while let Some(card) = self.world.path.pop() {
            self.world.tray.push_front(card);
        }
        for beam in [Beam::Mouth, Beam::Throat, Beam::Exit] {
            if self.world.blocked[beam as usize] {
                self.world.blocked[beam as usize] = false;
                self.sense(Event::Beam(beam, false));
            }
        }
        self.set_lid(false);
        self.settle_contacts();
    }

    /// Power fails and comes back. Cards stay where they are; half-moved ones fall one way.
    pub fn cut_power(&mut self) {
        self.world.stop();
        while self.world.next_at().is_some() {
            self.world.happen();
        }
        self.shuffler = Shuffler::new(services(self.chosen), self.model, &mut self.store);
        self.take();
        for beam in [Beam::Mouth, Beam::Throat, Beam::Exit] {
            if self.world.blocked[beam as usize] {
                self.sense(Event::Beam(beam, true));
            }
        }
        self.settle_contacts();
    }

    pub fn shown(&self) -> Shown {
        self.shuffler.shown(self.world.now)
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

    /// Whatever happened: people clear it, feed every card, and shuffle once more in full.
    pub fn recover(&mut self) {
        self.world.mishap = None;
        self.run();
        self.clear_by_hand();
        self.run();
        if !self.world.delivery.is_empty() {
            let stack = self.take_stack();
            self.put_in(stack);
        }
        self.shuffle();
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
