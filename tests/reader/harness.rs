//! A reader on the host: its nest, lamps, keys, eye and flash, all breakable, and its wire.

use crate::bank::{Bank, identity};
use crate::world::{self, APPROVED, Line, Thing, World};
use croupier::cards::Rank;
use croupier::context::{CAN, DeviceContext, SERIAL};
use croupier::controller::OBJECT_BYTES;
use croupier::hash::Message;
use croupier::identity::DeviceKind;
use croupier::node::{ANSWER_BYTES, Guard, Node};
use croupier::protocol::codec::{Event, Request, Sealed};
use croupier::protocol::framing::can::Frames;
use croupier::protocol::framing::serial;
use croupier::protocol::generated::croupier::common::{
    AttestationRequest, CheckAction, CheckStep, CheckVerdict, ClockGetRequest, ClockSetRequest,
    Game, InspectionRequest, InspectionResponse, Irregularity, ProfileSetRequest, ResetCause,
    Result as Outcome, Role, Status, Trouble,
};
use croupier::protocol::generated::croupier::reader::{
    ArmRequest, HouseRequest, Reading, RoundEndRequest, RoundsBy, UpCard, Verdict,
};
use croupier::protocol::keys::{KeyPolicy, KeyRing};
use croupier::protocol::transfer::{NodeId, Transfer};
use croupier::reader::check::PATIENCE;
use croupier::reader::nest::Beams;
use croupier::reader::ports::Key;
use croupier::reader::{Front, Lit, Reader, ReaderStore};
use croupier::services::{Chosen, CommonServices, KeptTime, Measured};
use croupier::store::{NorModel, Store};
use croupier::time::{Instant, Millis};
use embassy_futures::block_on;

pub type Flash = NorModel<2048, 4>;

pub const READER: NodeId = NodeId::new(10).unwrap();
pub const NOON: u64 = 1_790_000_000_000;
pub const SEAL: u32 = 4711;

/// The games with a reader.
pub const PEEK_GAMES: [Game; 4] =
    [Game::DoubleAttackBlackjack, Game::FreeBetTemporary, Game::FreeBet, Game::DoubleBackJack];
pub const MASQUE: Game = Game::DownUnderBlackjack;

/// A reader on its node, a controller on its serial link, and everything observable.
pub struct Table {
    pub context: DeviceContext<Reader, Store<Flash>>,
    pub world: World,
    front: Front<World, World, World>,
    pub now: Instant,
    /// When the loop goes round again.
    until: Instant,
    /// The time of day when it was switched on.
    utc_ms: u64,
    bank: Bank,
}

pub fn profile(game: Game) -> ProfileSetRequest {
    let decks = if game == Game::DoubleAttackBlackjack { 8 } else { 6 };
    ProfileSetRequest { game, decks, seats: 6, ..ProfileSetRequest::default() }
}

impl Table {
    /// A reader with what `flash` holds, just switched on; `starts` tells its starts apart.
    pub fn switched_on(flash: Flash, world: World, starts: u64) -> Self {
        let mut store = Store::open(flash).expect("opens");
        let keys = KeyRing::load(&mut store, KeyPolicy::Simulation).expect("readable");
        let guard = Guard::new(READER, keys, &mut store);
        let chosen = store.get::<Chosen>().expect("readable");
        let mut services = CommonServices::new(DeviceKind::Reader, chosen);
        let kept = store.get::<KeptTime>().expect("readable");
        services.clock.not_before(kept.map_or(0, |KeptTime(utc_ms)| utc_ms));
        let device = Reader::new(services, &mut store);
        let node = Node::new(identity(DeviceKind::Reader), guard, ResetCause::PowerOn, 0);
        let mut context = DeviceContext { node, device, store };
        let mut front = Front::new(world.clone(), world.clone(), world.clone());
        block_on(front.start(Instant::START, &mut context));
        let mut table = Self {
            context,
            world,
            front,
            now: Instant::START,
            until: Instant::START,
            utc_ms: NOON,
            bank: Bank::new((5 << 32) + (starts << 8)),
        };
        table.run_for(2_500);
        table
    }

    /// A reader that is not set up.
    pub fn blank() -> Self {
        Self::switched_on(Flash::new(3), World::default(), 0)
    }

    /// A reader with its clock and its game set.
    pub fn set_up(game: Game) -> Self {
        let mut table = Self::blank();
        table.set_clock(NOON);
        assert_eq!(table.ask(Role::Floorperson, &profile(game)).0, Outcome::Accepted);
        table.world.0.borrow_mut().sign = game;
        table
    }

    /// A reader in service whose dealer ends rounds.
    pub fn with_keys(game: Game) -> Self {
        let mut table = Self::in_service(game);
        table.rounds_by(RoundsBy::Dealer);
        table
    }

    /// A reader in service at a table whose controller ends rounds.
    pub fn in_service(game: Game) -> Self {
        let mut table = Self::set_up(game);
        table.rounds_by(RoundsBy::Controller);
        assert_eq!(table.inspect(Role::Floorperson), CheckVerdict::Passed);
        table
    }

    /// The same reader after a power cut of no length, its clock set again.
    pub fn power_cycled(self) -> Self {
        let Self { context, world, now, utc_ms, .. } = self;
        let mut table = Self::switched_on(context.store.release(), world.switched_off(), utc_ms);
        table.set_clock(utc_ms + now.as_millis() + table.now.as_millis());
        table
    }

    pub fn set_clock(&mut self, utc_ms: u64) {
        let request = ClockSetRequest { utc_ms, ..ClockSetRequest::default() };
        self.utc_ms = utc_ms - self.now.as_millis();
        assert_eq!(self.ask(Role::Service, &request).0, Outcome::Accepted);
    }

    /// Goes round the loop once, when it wants to.
    pub fn pass(&mut self) {
        self.now = self.until;
        self.world.0.borrow_mut().now = self.now;
        let mut keys = self.world.clone();
        self.until = block_on(self.front.pass(&mut keys, self.now, &mut self.context));
        let attestation = &mut self.context.device.services.attestation;
        if let Some(nonce) = attestation.wanted() {
            let image = &self.world.0.borrow().image;
            let length = image.len() as u32;
            attestation.measured(nonce, Measured { length, digest: sha256(&nonce, image) });
        }
        self.carry();
    }

    pub fn run_for(&mut self, milliseconds: u64) {
        let until = self.now + Millis::new(milliseconds);
        while self.now < until {
            self.pass();
        }
    }

    /// Takes the transfers of both links to where they go, and writes all bytes down.
    fn carry(&mut self) {
        let now = self.now;
        let context = &mut self.context;
        context.publish(now);
        for _ in 0..4 {
            let mut room = [0; ANSWER_BYTES];
            let DeviceContext { node, device, store } = &mut *context;
            if let Some(sent) = node.next(CAN, now, device, store, &mut room) {
                for frame in Frames::of(&sent).expect("fits") {
                    self.world.note(Line::Frame(frame.data().to_vec()));
                }
            }
            let mut room = [0; ANSWER_BYTES];
            if let Some(sent) = node.next(SERIAL, now, device, store, &mut room) {
                let mut text = [0; serial::most_bytes(ANSWER_BYTES)];
                let bytes = serial::encode(&sent, &mut text).expect("fits");
                self.world.note(Line::Serial(bytes.to_vec()));
                let Transfer { mut header, payload } = sent;
                header.transfer_id &= 31;
                self.bank.receive(&Transfer { header, payload }, now);
            }
            let mut room = [0; OBJECT_BYTES];
            if let Some(Transfer { mut header, payload }) = self.bank.next(now, &mut room) {
                header.transfer_id &= 31;
                let asked = Transfer { header, payload };
                node.receive(SERIAL, &asked, now, device, store);
                context.publish(now);
            }
        }
        self.bank.collect(now);
    }

    pub fn ask<R: Request + Sealed>(&mut self, role: Role, request: &R) -> (Outcome, R::Response) {
        let now = self.now;
        self.bank.ask(READER, role, request, now);
        while !self.bank.is_answered() {
            assert!(self.now < now + Millis::from_secs(5), "no answer to {}", R::NAME);
            self.pass();
        }
        self.bank.answer::<R>()
    }

    pub fn arm(&mut self, round: u16, up_card: UpCard) -> Outcome {
        self.ask(Role::Controller, &ArmRequest { round, up_card, ..ArmRequest::default() }).0
    }

    pub fn end(&mut self, round: u16) -> Outcome {
        self.end_by(Role::Controller, round)
    }

    pub fn end_by(&mut self, role: Role, round: u16) -> Outcome {
        self.ask(role, &RoundEndRequest { round, ..RoundEndRequest::default() }).0
    }

    /// Has the floorperson say who ends rounds.
    pub fn rounds_by(&mut self, rounds_by: RoundsBy) {
        let house = HouseRequest { rounds_by, ..HouseRequest::default() };
        assert_eq!(self.ask(Role::Floorperson, &house).0, Outcome::Accepted);
    }

    pub fn check(&mut self, role: Role, action: CheckAction) -> (Outcome, InspectionResponse) {
        let begins = action == CheckAction::Begin;
        let (inspector, seal_number) = if begins { (42, SEAL) } else { (0, 0) };
        let asked = InspectionRequest { action, inspector, seal_number, ..Default::default() };
        self.ask(role, &asked)
    }

    /// The whole check as a good inspector does it, who looks and compares.
    pub fn inspect(&mut self, role: Role) -> CheckVerdict {
        self.inspect_with(role, Self::is_as_it_should_be)
    }

    /// The check by somebody who only says of each step whether it is right, as `sees` does.
    pub fn inspect_seeing(
        &mut self,
        role: Role,
        sees: impl Fn(&InspectionResponse) -> bool,
    ) -> CheckVerdict {
        self.inspect_with(role, |_, at| sees(at))
    }

    /// What a good inspector finds at a step: the lamp in its place, the game of the table's sign,
    /// the time of a watch, the image that was approved.
    fn is_as_it_should_be(&mut self, at: &InspectionResponse) -> bool {
        match at.task {
            CheckStep::SeeLamp => self.world.lit() == Lit::place(at.item),
            CheckStep::SeeName => self.status().game == self.world.0.borrow().sign,
            CheckStep::SeeClock => {
                let shown = self.ask(Role::Floorperson, &ClockGetRequest::default()).1.utc_ms;
                shown.abs_diff(self.utc_ms + self.now.as_millis()) < 60_000
            }
            CheckStep::SeeImage => {
                let nonce = [self.now.as_millis() as u8; 32];
                let asked = AttestationRequest { nonce, ..AttestationRequest::default() };
                assert_eq!(self.ask(Role::Floorperson, &asked).0, Outcome::Busy);
                self.ask(Role::Floorperson, &asked).1.digest == sha256(&nonce, &APPROVED)
            }
            _ => true,
        }
    }

    fn inspect_with(
        &mut self,
        role: Role,
        sees: impl Fn(&mut Self, &InspectionResponse) -> bool,
    ) -> CheckVerdict {
        assert_eq!(self.check(role, CheckAction::Begin).0, Outcome::Accepted);
        let mut stood_at = 0;
        loop {
            self.run_for(20); // the device lights the lamp, or finds that it cannot
            let at = self.check(role, CheckAction::Look).1;
            if at.verdict != CheckVerdict::Open {
                return at.verdict;
            }
            match at.task {
                _ if at.step == stood_at => self.run_for(PATIENCE.get()), // nothing more will come
                CheckStep::SelfTest => self.run_for(50),
                CheckStep::PressKey => self.tap(Key::ALL[usize::from(at.item)]),
                CheckStep::InsertCard => {
                    self.slide_in(world::TEST_CARDS[usize::from(at.item)]);
                    self.run_for(50);
                    self.pull_out();
                }
                _ => {
                    let fine = sees(self, &at);
                    let action = if fine { CheckAction::Confirm } else { CheckAction::Deny };
                    assert_eq!(self.check(role, action).0, Outcome::Accepted);
                }
            }
            stood_at = at.step;
        }
    }

    pub fn hold(&mut self, key: Key, down: bool) {
        self.world.0.borrow_mut().keys[key as usize] = down;
        self.run_for(25);
    }

    pub fn tap(&mut self, key: Key) {
        self.hold(key, true);
        self.hold(key, false);
    }

    fn beams(&mut self, beams: Beams, milliseconds: u64) {
        self.world.0.borrow_mut().beams = beams;
        self.run_for(milliseconds);
    }

    /// Slides a thing in until it lies home.
    pub fn slide_in(&mut self, thing: Thing) {
        self.world.0.borrow_mut().thing = Some(thing);
        self.beams(Beams { hood: true, near: false, far: false }, 60);
        self.beams(Beams { hood: true, near: true, far: false }, 20);
        self.beams(Beams { hood: true, near: true, far: true }, 20);
        self.beams(Beams::HOME, 80);
    }

    pub fn pull_out(&mut self) {
        self.beams(Beams { hood: true, near: true, far: true }, 40);
        self.beams(Beams::CLEAR, 250);
        self.world.0.borrow_mut().thing = None;
    }

    /// Slides a card in, waits for the lamp, and takes it out again: what the lamp said.
    pub fn read(&mut self, rank: Rank) -> Lit {
        self.read_thing(Thing::Card(rank))
    }

    pub fn read_thing(&mut self, thing: Thing) -> Lit {
        self.slide_in(thing);
        self.run_for(550);
        let lit = self.world.lit();
        self.pull_out();
        lit
    }

    pub fn looks(&self) -> usize {
        self.world.0.borrow().looks
    }

    pub fn events<E: Event>(&self) -> Vec<E> {
        self.bank.events()
    }

    pub fn verdicts(&self) -> Vec<Reading> {
        self.events::<Verdict>().iter().map(|verdict| verdict.reading).collect()
    }

    pub fn troubles(&self) -> Vec<Trouble> {
        self.events::<Irregularity>().iter().map(|irregularity| irregularity.trouble).collect()
    }

    pub fn irregularity(&self, trouble: Trouble) -> Option<Irregularity> {
        self.events::<Irregularity>()
            .into_iter()
            .find(|irregularity| irregularity.trouble == trouble)
    }

    /// The status, once it has been published again.
    pub fn status(&mut self) -> Status {
        self.run_for(1_100);
        self.bank.status.expect("published every second")
    }
}

fn sha256(nonce: &[u8], image: &[u8]) -> [u8; 32] {
    let mut message = Message::new();
    message.take(nonce);
    message.take(image);
    message.end().bytes()
}

/// The up-card class of a rank, as the dealer enters it.
pub fn up_card(rank: Rank) -> UpCard {
    match rank {
        Rank::Ace => UpCard::Ace,
        rank if rank.is_ten_value() => UpCard::TenValue,
        _ => UpCard::Other,
    }
}

/// The record as flash has it.
pub fn record(table: &mut Table) -> croupier::reader::Record {
    table.context.store.load_record().unwrap().unwrap_or_default()
}
