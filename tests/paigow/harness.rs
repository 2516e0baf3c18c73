//! A generator on the host: its display, its keys, its numbers and its flash, all breakable.

use croupier::context::{DeviceContext, EVENTS, LINKS, node_id};
use croupier::controller::OBJECT_BYTES;
use croupier::identity::DeviceKind;
use croupier::node::{Command, Device, Guard, Node, Refused, Reply};
use croupier::paigow::ports::{Key, Numbers};
use croupier::paigow::{
    self, DeviceEvent, Front, NumberStore, PaiGow, ROUND_AT_LEAST, Segments, Shuffling,
};
use croupier::protocol::codec::Request;
use croupier::protocol::generated::croupier::common::{Game, ProfileSetRequest, ResetCause, Role};
use croupier::services::{Chosen, CommonServices, ProfileStore};
use croupier::store::{Operation, Record, StoreError};
use croupier::time::{Instant, Millis};
use embassy_futures::block_on;

use crate::bank::identity;
pub use crate::generator::{Fingers, SharedDisplay, Source};

/// Flash as bytes, which can fail.
#[derive(Clone, Default)]
pub struct Ram {
    pub bytes: Option<Vec<u8>>,
    pub shuffling: Option<Shuffling>,
    pub broken: bool,
}

impl NumberStore for Ram {
    fn load_record(&mut self) -> Result<Option<paigow::Record>, StoreError> {
        let Some(bytes) = &self.bytes else { return Ok(None) };
        paigow::Record::decode(bytes).map(Some).ok_or(StoreError::Undecodable(paigow::Record::KEY))
    }

    fn keep_record(&mut self, record: &paigow::Record) -> Result<(), StoreError> {
        if self.broken {
            return Err(StoreError::Flash(Operation::Write));
        }
        let mut room = paigow::Record::BUFFER;
        let length = record.encode(&mut room).unwrap();
        self.bytes = Some(room[..length].to_vec());
        Ok(())
    }

    fn keep_end(&mut self, record: &paigow::Record) -> Result<(), StoreError> {
        self.keep_record(record)
    }

    fn load_shuffling(&mut self) -> Result<Option<Shuffling>, StoreError> {
        Ok(self.shuffling)
    }

    fn keep_shuffling(&mut self, shuffling: &Shuffling) -> Result<(), StoreError> {
        if self.broken {
            return Err(StoreError::Flash(Operation::Write));
        }
        self.shuffling = Some(*shuffling);
        Ok(())
    }
}

/// The game is set once, when a table is made, and the clock is not set.
impl ProfileStore for Ram {
    fn keep_profile(&mut self, _: &Chosen) -> Result<(), StoreError> {
        Err(StoreError::Full)
    }

    fn keep_time(&mut self, _: &croupier::services::KeptTime) -> Result<(), StoreError> {
        Err(StoreError::Full)
    }
}

/// Has the device obey a request as its node would.
pub fn obey<R: Request>(table: &mut Plain, role: Role, request: &R) -> Result<(), Refused> {
    let mut bytes = [0; OBJECT_BYTES];
    let length = request.encode(&mut bytes).unwrap();
    let command = Command::new(role, R::SERVICE, &bytes[..length], table.now);
    let DeviceContext { device, store, .. } = &mut table.context;
    device.obey(&command, &mut { Reply::EMPTY }, store)
}

/// A game with a start number, at a table with `seats` positions.
pub fn services(game: Game, seats: u8) -> CommonServices {
    let asked = ProfileSetRequest { game, decks: 1, seats, ..ProfileSetRequest::default() };
    let any = DeviceKind::Shuffler; // takes every game, so that the generator can be tried with all
    CommonServices::new(DeviceKind::PaiGow, Chosen::check(any, &asked, Role::Floorperson, 0).ok())
}

/// A node with this guard.
pub fn node(guard: Guard) -> Node<LINKS, EVENTS> {
    Node::new(identity(DeviceKind::PaiGow), guard, ResetCause::PowerOn, 0)
}

/// Everything, and the time. Its node is shut, unless a test gives it keys.
pub struct Table<S, N> {
    pub context: DeviceContext<PaiGow, S>,
    /// The events it published since last taken.
    pub published: Vec<DeviceEvent>,
    pub display: SharedDisplay,
    pub fingers: Fingers,
    pub front: Front<SharedDisplay, N>,
    pub now: Instant,
    /// When the loop goes round again.
    until: Instant,
}

pub type Plain = Table<Ram, Source>;

impl<S: NumberStore, N: Numbers> Table<S, N> {
    /// A generator for 588 with six seats, just switched on.
    pub fn with(store: S, numbers: N) -> Self {
        Self::set_up(
            services(Game::SixCardFortunePaiGow, 6),
            store,
            numbers,
            SharedDisplay::default(),
        )
    }

    pub fn set_up(
        services: CommonServices,
        mut store: S,
        numbers: N,
        display: SharedDisplay,
    ) -> Self {
        let device = PaiGow::new(services, &mut store);
        let node = node(Guard::shut(node_id(DeviceKind::PaiGow)));
        let mut context = DeviceContext { node, device, store };
        let mut front = Front::new(display.clone(), numbers);
        block_on(front.start(Instant::START, &mut context));
        let published = core::iter::from_fn(|| context.device.take_event()).collect();
        Self {
            context,
            published,
            display,
            fingers: Fingers::default(),
            front,
            now: Instant::START,
            until: Instant::START,
        }
    }

    /// Goes round the loop once, when it wants to.
    pub fn pass(&mut self) {
        self.now = self.until;
        self.until = block_on(self.front.pass(&mut self.fingers, self.now, &mut self.context));
        self.published.extend(core::iter::from_fn(|| self.context.device.take_event()));
    }

    pub fn run_for(&mut self, milliseconds: u64) {
        let until = self.now + Millis::new(milliseconds);
        while self.now < until {
            self.pass();
        }
    }

    /// Lets so much time pass in which nothing happens, at once; then the loop goes round.
    pub fn skip(&mut self, time: Millis) {
        self.until += time;
        self.pass();
    }

    /// The round lasts as long as a deal, and is ended by its key.
    pub fn end_round(&mut self) {
        self.skip(ROUND_AT_LEAST);
        self.tap(Key::RoundEnd);
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
        self.display.number()
    }
}

impl Plain {
    pub fn new() -> Self {
        Self::with(Ram::default(), Source::default())
    }

    /// The same device after a power cut, with the same display.
    pub fn power_cycled(self) -> Self {
        self.power_cycled_with(Source::default())
    }

    /// The same, with this source.
    pub fn power_cycled_with(self, source: Source) -> Self {
        let display = self.display;
        display.0.borrow_mut().seen = Segments::NONE;
        let chosen = self.context.device.services.chosen;
        let services = CommonServices::new(DeviceKind::PaiGow, chosen);
        Self::set_up(services, self.context.store, source, display)
    }
}
