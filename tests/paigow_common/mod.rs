//! A generator on the host: its display, its keys, its numbers and its flash, all breakable.

#![allow(dead_code, clippy::unwrap_used)] // each test file uses its part, and is a test

use std::cell::RefCell;
use std::num::NonZeroU8;
use std::rc::Rc;

use croupier::context::{DeviceContext, EVENTS, LINKS, node_id};
use croupier::identity::{Build, DeviceKind, Identity, Uid, Version};
use croupier::node::{Guard, Node};
use croupier::paigow::ports::{Display, Key, Keys, Numbers};
use croupier::paigow::{Book, DeviceEvent, Fault, Front, NumberStore, PaiGow, Segments};
use croupier::protocol::generated::croupier::common::{Game, ProfileSetRequest, ResetCause, Role};
use croupier::services::{Chosen, CommonServices};
use croupier::store::{Operation, Record, StoreError};
use embassy_futures::block_on;

/// What the table sees, and what is wrong with the glass.
#[derive(Default)]
pub struct GlassState {
    pub seen: Segments,
    pub dead: u8,
    pub stuck: u8,
    /// Every different number that was ever seen, in order.
    pub numbers: Vec<u8>,
    /// Whether everything was ever lit together: the lamp test.
    pub tested: bool,
}

/// A display.
#[derive(Clone, Default)]
pub struct Glass(pub Rc<RefCell<GlassState>>);

impl Glass {
    pub fn number(&self) -> Option<u8> {
        self.0.borrow().seen.number().map(NonZeroU8::get)
    }

    pub fn is_dark(&self) -> bool {
        self.0.borrow().seen == Segments::NONE
    }
}

impl Display for Glass {
    fn show(&mut self, lit: Segments) -> Segments {
        let state = &mut *self.0.borrow_mut();
        let seen = Segments::from_bits(lit.bits() & !state.dead | state.stuck);
        if seen != state.seen
            && let Some(number) = seen.number()
        {
            state.numbers.push(number.get());
        }
        state.tested |= seen == Segments::ALL;
        state.seen = seen;
        seen
    }
}

/// A source that gives 1, 2, ... 7, 1, ... unless it is out of use.
#[derive(Default)]
pub struct SourceState {
    pub draws: u8,
    pub cycles: u32,
    pub fault: Option<Fault>,
}

#[derive(Clone, Default)]
pub struct Source(pub Rc<RefCell<SourceState>>);

impl Source {
    fn works(&self) -> Result<(), Fault> {
        self.0.borrow().fault.map_or(Ok(()), Err)
    }
}

impl Numbers for Source {
    fn start(&mut self) -> Result<(), Fault> {
        self.works()
    }

    fn draw(&mut self, most: NonZeroU8) -> Result<NonZeroU8, Fault> {
        self.works()?;
        let mut state = self.0.borrow_mut();
        let number = state.draws % most.get() + 1;
        state.draws = state.draws.wrapping_add(1);
        Ok(NonZeroU8::new(number).unwrap())
    }

    fn cycle(&mut self, _: u32) -> Result<(), Fault> {
        self.0.borrow_mut().cycles += 1;
        self.works()
    }

    fn retry(&mut self) -> Result<(), Fault> {
        self.works()
    }
}

/// Flash as bytes, which can fail.
#[derive(Clone, Default)]
pub struct Ram {
    pub bytes: Option<Vec<u8>>,
    pub broken: bool,
}

impl NumberStore for Ram {
    fn load_book(&mut self) -> Result<Option<Book>, StoreError> {
        let Some(bytes) = &self.bytes else { return Ok(None) };
        Book::decode(bytes).map(Some).ok_or(StoreError::Undecodable(Book::KEY))
    }

    fn keep_book(&mut self, book: &Book) -> Result<(), StoreError> {
        if self.broken {
            return Err(StoreError::Flash(Operation::Write));
        }
        let mut room = Book::BUFFER;
        let length = book.encode(&mut room).unwrap();
        self.bytes = Some(room[..length].to_vec());
        Ok(())
    }

    fn keep_end(&mut self, book: &Book) -> Result<(), StoreError> {
        self.keep_book(book)
    }
}

/// Which keys are down.
#[derive(Default)]
pub struct Fingers(pub [bool; Key::ALL.len()]);

impl Keys for Fingers {
    fn is_down(&mut self, key: Key) -> bool {
        self.0[key as usize]
    }
}

/// A game with a start number, at a table with `seats` positions.
pub fn services(game: Game, seats: u8) -> CommonServices {
    let asked = ProfileSetRequest { game, decks: 1, seats, ..ProfileSetRequest::default() };
    let any = DeviceKind::Shuffler; // takes every game, so that the generator can be tried with all
    CommonServices::new(DeviceKind::PaiGow, Chosen::check(any, &asked, Role::Floorperson, 0))
}

/// A node with this guard.
pub fn node(guard: Guard) -> Node<LINKS, EVENTS> {
    let version = Version { major: 0, minor: 1, patch: 0 };
    let build = Build { version, commit: None, profile: "test", compiler: "rustc" };
    let (kind, serial) = (DeviceKind::PaiGow, Uid([7; 12]));
    let identity = Identity { maker: "croupier", kind, board: "host", serial, build, image: None };
    Node::new(identity, guard, ResetCause::PowerOn, 0)
}

/// Everything, and the time. Its node is shut, unless a test gives it keys.
pub struct Table<S, N> {
    pub context: DeviceContext<PaiGow, S>,
    /// What it told since last taken.
    pub told: Vec<DeviceEvent>,
    pub glass: Glass,
    pub fingers: Fingers,
    pub front: Front<Glass, N>,
    pub now: u64,
}

pub type Plain = Table<Ram, Source>;

impl<S: NumberStore, N: Numbers> Table<S, N> {
    /// A generator for 588 with six seats, just switched on.
    pub fn with(store: S, numbers: N) -> Self {
        Self::set_up(services(Game::SixCardFortunePaiGow, 6), store, numbers, Glass::default())
    }

    pub fn set_up(services: CommonServices, mut store: S, numbers: N, glass: Glass) -> Self {
        let device = PaiGow::new(services, &mut store);
        let node = node(Guard::shut(node_id(DeviceKind::PaiGow)));
        let mut context = DeviceContext { node, device, store };
        let mut front = Front::new(glass.clone(), numbers);
        block_on(front.start(0, &mut context));
        let told = core::iter::from_fn(|| context.device.take_event()).collect();
        Self { context, told, glass, fingers: Fingers::default(), front, now: 0 }
    }

    /// Goes round the loop once.
    pub fn pass(&mut self) {
        self.now += croupier::paigow::run::ROUND_MS;
        block_on(self.front.pass(&mut self.fingers, self.now, &mut self.context));
        self.told.extend(core::iter::from_fn(|| self.context.device.take_event()));
    }

    pub fn run_for(&mut self, ms: u64) {
        let until = self.now + ms;
        while self.now < until {
            self.pass();
        }
    }

    pub fn hold(&mut self, key: Key) {
        self.fingers.0[key as usize] = true;
        self.run_for(25);
    }

    pub fn release(&mut self, key: Key) {
        self.fingers.0[key as usize] = false;
        self.run_for(25);
    }

    pub fn tap(&mut self, key: Key) {
        self.hold(key);
        self.release(key);
    }

    /// Shuffled, bets closed, by the dealer's keys.
    pub fn arm(&mut self) {
        self.tap(Key::Shuffled);
        self.tap(Key::BetsClosed);
    }

    /// A whole round up to its number.
    pub fn draw(&mut self) -> Option<u8> {
        self.arm();
        self.tap(Key::Draw);
        self.glass.number()
    }
}

impl Plain {
    pub fn new() -> Self {
        Self::with(Ram::default(), Source::default())
    }

    /// The same device after a power cut, with the same glass.
    pub fn power_cycled(self) -> Self {
        self.power_cycled_with(Source::default())
    }

    /// The same, with this source.
    pub fn power_cycled_with(self, source: Source) -> Self {
        let glass = self.glass;
        glass.0.borrow_mut().seen = Segments::NONE;
        let chosen = self.context.device.services.chosen;
        let services = CommonServices::new(DeviceKind::PaiGow, chosen);
        Self::set_up(services, self.context.store, source, glass)
    }
}
