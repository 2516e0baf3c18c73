//! A shuffler on the host with a small mechanism of its own, in virtual time.
//!
//! Every card is an object and can only move: none is made, lost or copied. The larger
//! world with wear, rates and hands is in `hil-tests`; this one is for the rules.

#![allow(dead_code, clippy::unwrap_used)] // each test file uses its part, and is a test

use std::collections::{BTreeMap, VecDeque};

use croupier::cards::BackColour;
use croupier::identity::DeviceKind;
use croupier::office::{Chosen, Office};
use croupier::protocol::generated::croupier::common::{
    Dealing, Game, ProfileSetRequest, Result as Outcome, Role,
};
use croupier::protocol::generated::croupier::shuffler::{Batch, Purpose, Task};
use croupier::shuffler::{
    Action, Axis, Back, Batches, Beam, Contact, Event, Ledger, Look, Model, News, Outlet, Shown,
    Shuffler, ShufflerStore, State, TIMINGS, Want,
};
use croupier::store::{Operation, Record, StoreError};
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};

/// One card: which, and what the eye would see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Card {
    pub number: u16,
    pub back: Back,
}

/// What goes wrong, at which card fed or ejected, counted from 1 over the rig's life.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mishap {
    /// The card stays in the mouth until the lid was opened.
    JamInMouth(u32),
    JamInThroat(u32),
    JamInExit(u32),
    /// Two cards go together; seen by the light, this many times.
    Double(u32, u32),
    /// Two cards go together and nobody sees it.
    HiddenDouble(u32),
    /// The roller slips, this many times.
    NoPick(u32, u32),
    /// The wheel stalls at this turn.
    Stall(u32),
    /// The ejector misses the card, this many times.
    EjectMisses(u32, u32),
    /// The feed tray's contact always says so.
    TrayStuck(bool),
}

/// The mechanism.
pub struct World {
    pub now: u64,
    pending: BTreeMap<(u64, u32), Happening>,
    serial: u32,
    pub tray: VecDeque<Card>,
    pub path: Vec<Card>,
    pub slots: Vec<VecDeque<Card>>,
    pub delivery: Vec<Card>,
    pub hands: Vec<Card>,
    pub at: u8,
    outlet: Outlet,
    blocked: [bool; 4],
    stuck: bool,
    /// The first of two cards that go together unseen.
    twins: Option<Card>,
    pub mishap: Option<Mishap>,
    pub feeds: u32,
    pub ejects: u32,
    pub turns: u32,
    wheel: croupier::shuffler::Wheel,
}

#[derive(Debug, Clone, Copy)]
enum Happening {
    Tell(Event),
    Loaded,
    Out,
}

impl World {
    fn new(model: Model) -> Self {
        let wheel = model.wheel();
        Self {
            now: 1,
            pending: BTreeMap::new(),
            serial: 0,
            tray: VecDeque::new(),
            path: Vec::new(),
            slots: vec![VecDeque::new(); wheel.slots.into()],
            delivery: Vec::new(),
            hands: Vec::new(),
            at: 5,
            outlet: Outlet::Delivery,
            blocked: [false; 4],
            stuck: false,
            twins: None,
            mishap: None,
            feeds: 0,
            ejects: 0,
            turns: 0,
            wheel,
        }
    }

    /// Every card there is, wherever it lies.
    pub fn all_cards(&self) -> usize {
        self.tray.len() + self.path.len() + self.inside() + self.delivery.len() + self.hands.len()
    }

    pub fn inside(&self) -> usize {
        self.slots.iter().map(VecDeque::len).sum()
    }

    fn after(&mut self, ms: u64, happening: Happening) {
        self.serial += 1;
        self.pending.insert((self.now + ms, self.serial), happening);
    }

    fn tell(&mut self, ms: u64, event: Event) {
        self.after(ms, Happening::Tell(event));
    }

    fn tray_contact(&self) -> bool {
        match self.mishap {
            Some(Mishap::TrayStuck(says)) => says,
            _ => !self.tray.is_empty(),
        }
    }

    fn act(&mut self, action: Action) {
        match action {
            Action::Home => {
                self.at = 0;
                self.tell(500, Event::Homed);
            }
            Action::Turn { to, by } => {
                let arrived =
                    (i16::from(self.at) + i16::from(by)).rem_euclid(self.wheel.slots.into());
                assert_eq!(arrived, i16::from(to), "the wheel is told nonsense");
                assert!(!self.blocked[Beam::Exit as usize], "a card would be cut");
                self.turns += 1;
                if self.mishap == Some(Mishap::Stall(self.turns)) {
                    return self.tell(20, Event::Stalled(Axis::Wheel));
                }
                self.at = to;
                let time = self.wheel.turn_us(by.unsigned_abs()).div_ceil(1000);
                self.tell(time.into(), Event::Turned(to));
            }
            Action::Feed(_) => self.feed(),
            Action::Load(_) => {
                if matches!(self.mishap, Some(Mishap::JamInThroat(card)) if card == self.feeds) {
                    self.stuck = true;
                    return;
                }
                self.after(TIMINGS.load_ms.into(), Happening::Loaded);
            }
            Action::BackUp => self.back_up(),
            Action::Eject(_) => self.eject(),
            Action::Shake => {}
            Action::Divert(outlet) => {
                self.outlet = outlet;
                self.tell(TIMINGS.divert_ms.into(), Event::Diverted);
            }
            Action::Stop => self.stop(),
        }
    }

    fn feed(&mut self) {
        if self.tray.is_empty() {
            return;
        }
        if let Some(Mishap::NoPick(card, times)) = self.mishap
            && card == self.feeds + 1
            && times > 0
        {
            self.mishap = Some(Mishap::NoPick(card, times - 1));
            return;
        }
        self.feeds += 1;
        let card = self.tray.pop_front().unwrap();
        self.path.push(card);
        let mut light = 45;
        match self.mishap {
            Some(Mishap::Double(at, times)) if at == self.feeds && times > 0 => {
                self.path.extend(self.tray.pop_front());
                self.feeds -= 1;
                self.mishap = Some(Mishap::Double(at, times - 1));
                light = 20;
            }
            Some(Mishap::HiddenDouble(at)) if at == self.feeds => {
                self.path.extend(self.tray.pop_front());
                self.twins = Some(card);
            }
            _ => {}
        }
        self.tell(55, Event::Beam(Beam::Mouth, true));
        if self.tray.is_empty() {
            let says = self.tray_contact();
            self.tell(60, Event::Contact(Contact::FeedLoaded, says));
        }
        self.tell(100, Event::Seen(Look { back: card.back, light }));
        if matches!(self.mishap, Some(Mishap::JamInMouth(at)) if at == self.feeds) {
            self.stuck = true;
            return;
        }
        self.tell(140, Event::Beam(Beam::Mouth, false));
        self.tell(150, Event::Beam(Beam::Throat, true));
    }

    fn eject(&mut self) {
        if self.slots[usize::from(self.at)].is_empty() {
            return;
        }
        if let Some(Mishap::EjectMisses(card, times)) = self.mishap
            && card == self.ejects + 1
            && times > 0
        {
            self.mishap = Some(Mishap::EjectMisses(card, times - 1));
            return;
        }
        self.ejects += 1;
        self.tell(25, Event::Beam(Beam::Exit, true));
        if matches!(self.mishap, Some(Mishap::JamInExit(at)) if at == self.ejects) {
            self.stuck = true;
            return;
        }
        self.after(TIMINGS.eject_ms.into(), Happening::Out);
    }

    /// What is before the wheel goes back to the tray, unless it is stuck.
    fn back_up(&mut self) {
        if self.stuck {
            return;
        }
        self.pending.retain(|_, happening| {
            !matches!(
                happening,
                Happening::Tell(Event::Beam(Beam::Mouth | Beam::Throat, _) | Event::Seen(_))
            )
        });
        while let Some(card) = self.path.pop() {
            self.tray.push_front(card);
        }
        for beam in [Beam::Mouth, Beam::Throat] {
            if self.blocked[beam as usize] {
                self.tell(120, Event::Beam(beam, false));
            }
        }
        if !self.tray.is_empty() {
            let says = self.tray_contact();
            self.tell(130, Event::Contact(Contact::FeedLoaded, says));
        }
    }

    /// Motors stand; what was half in falls in, what was half out falls out.
    fn stop(&mut self) {
        let pending = std::mem::take(&mut self.pending);
        for (_, happening) in pending {
            match happening {
                Happening::Loaded | Happening::Out => self.after(1, happening),
                Happening::Tell(event @ Event::Contact(..)) => self.tell(1, event),
                Happening::Tell(_) => {}
            }
        }
    }

    fn next_at(&self) -> Option<u64> {
        self.pending.first_key_value().map(|((at, _), _)| *at)
    }

    /// The next thing that happens, as the device is told it.
    fn happen(&mut self) -> Vec<Event> {
        let Some(((at, _), happening)) = self.pending.pop_first() else { return Vec::new() };
        self.now = self.now.max(at);
        match happening {
            Happening::Tell(event) => {
                if let Event::Beam(beam, blocked) = event {
                    self.blocked[beam as usize] = blocked;
                }
                vec![event]
            }
            Happening::Loaded => {
                // The first on the path is the one in the throat; a hidden twin goes along.
                let twins = self.twins.is_some() && self.twins == self.path.first().copied();
                if twins {
                    self.twins = None;
                }
                let taken = 1 + usize::from(twins);
                let cards: Vec<Card> = self.path.drain(..taken.min(self.path.len())).collect();
                let slot = &mut self.slots[usize::from(self.at)];
                slot.extend(cards);
                assert!(slot.len() <= usize::from(self.wheel.capacity) + 1, "a slot overflows");
                self.blocked[Beam::Throat as usize] = false;
                vec![Event::Beam(Beam::Throat, false)]
            }
            Happening::Out => {
                self.blocked[Beam::Exit as usize] = false;
                let mut events = vec![Event::Beam(Beam::Exit, false)];
                let Some(card) = self.slots[usize::from(self.at)].pop_front() else {
                    return events;
                };
                match self.outlet {
                    Outlet::Delivery => {
                        self.delivery.push(card);
                        events.push(Event::Contact(Contact::DeliveryLoaded, true));
                    }
                    Outlet::Return => {
                        self.tray.push_back(card);
                        events.push(Event::Contact(Contact::FeedLoaded, self.tray_contact()));
                    }
                }
                events
            }
        }
    }
}

/// Flash as bytes, which can fail.
#[derive(Clone, Default)]
pub struct Ram {
    ledger: Option<Vec<u8>>,
    batches: Option<Vec<u8>>,
    pub broken: bool,
}

fn keep<R: Record>(
    record: &R,
    broken: bool,
    place: &mut Option<Vec<u8>>,
) -> Result<(), StoreError> {
    if broken {
        return Err(StoreError::Flash(Operation::Write));
    }
    let mut room = vec![0; 64];
    let length = record.encode(&mut room).unwrap();
    room.truncate(length);
    *place = Some(room);
    Ok(())
}

fn load<R: Record>(place: &Option<Vec<u8>>) -> Result<Option<R>, StoreError> {
    let Some(bytes) = place else { return Ok(None) };
    R::decode(bytes).map(Some).ok_or(StoreError::Undecodable(R::KEY))
}

impl ShufflerStore for Ram {
    fn load_ledger(&mut self) -> Result<Option<Ledger>, StoreError> {
        load(&self.ledger)
    }
    fn keep_ledger(&mut self, ledger: &Ledger) -> Result<(), StoreError> {
        keep(ledger, self.broken, &mut self.ledger)
    }
    fn load_batches(&mut self) -> Result<Option<Batches>, StoreError> {
        load(&self.batches)
    }
    fn keep_batches(&mut self, batches: &Batches) -> Result<(), StoreError> {
        keep(batches, self.broken, &mut self.batches)
    }
}

/// Device, mechanism, flash and a pair of hands.
pub struct Rig<S = Ram> {
    pub shuffler: Shuffler,
    pub world: World,
    pub store: S,
    pub model: Model,
    pub chosen: Chosen,
    pub random: StdRng,
    pub orders: Vec<Vec<u16>>,
    pub news: Vec<News>,
    pub lid: bool,
    pub door: bool,
    /// Things the device was told, so that a test can interrupt at each.
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

pub fn office(chosen: Chosen) -> Office {
    Office::new(DeviceKind::Shuffler, Some(chosen))
}

/// `count` cards with backs of one colour.
pub fn cards(count: u16, colour: BackColour) -> Vec<Card> {
    (0..count).map(|number| Card { number, back: Back::Colour(colour) }).collect()
}

impl Rig {
    pub fn new(model: Model, game: Game, decks: u8) -> Self {
        Self::with(Ram::default(), model, game, decks)
    }

    /// A single-deck machine for 583 with a red deck of so many cards in its tray.
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
            shuffler: Shuffler::new(office(chosen), model, &mut store),
            world: World::new(model),
            store,
            model,
            chosen,
            random: StdRng::seed_from_u64(7),
            orders: Vec::new(),
            news: Vec::new(),
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
        while let Some(news) = self.shuffler.take_news() {
            self.news.push(news);
        }
    }

    pub fn command(&mut self, task: Task, purpose: Purpose, by: Role) -> Outcome {
        let (now, store) = (self.world.now, &mut self.store);
        let outcome = self.shuffler.command(task, purpose, Batch::None, by, now, store);
        self.take();
        outcome
    }

    pub fn start(&mut self) -> Outcome {
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

    /// Whoever works waits for something that has a deadline: no silence can hold it up.
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
        assert_eq!(self.start(), Outcome::Accepted);
        while self.shuffler.state().is_busy() && self.step() {
            self.check_alive();
        }
        self.world.now - began
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
        self.shuffler = Shuffler::new(office(self.chosen), self.model, &mut self.store);
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

    pub fn is_certified(&self) -> bool {
        self.shuffler.ledger().certificate.certified().is_some()
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
