//! The generator over its node: sealed commands arm it, events report it, roles bind.

use std::num::NonZeroU8;

use crate::bank::Bank;
use crate::harness::{Source, Table, node};
use croupier::context::DeviceContext;
use croupier::controller::OBJECT_BYTES;
use croupier::node::{ANSWER_BYTES, Guard};
use croupier::paigow::ports::Key;
use croupier::paigow::{Fault, State};
use croupier::protocol::codec::{Event, Request, Sealed};
use croupier::protocol::generated::croupier::common::{
    Activity, ClearRequest, Condition, Game, Irregularity, NextStep, ProfileSetRequest,
    Result as Outcome, Role, Trouble,
};
use croupier::protocol::generated::croupier::paigow::{
    ArmRequest, BlankReason, Blanked, Number, RecallRequest, RoundEndRequest, Signal,
};
use croupier::protocol::keys::{KeyPolicy, KeyRing};
use croupier::protocol::transfer::{NodeId, Transfer};
use croupier::store::{NorModel, Store};
use croupier::time::Millis;

type Flash = NorModel<2048, 4>;

const GENERATOR: NodeId = NodeId::new(12).unwrap();

/// A generator on its node, a controller, and a perfect link.
struct Linked {
    table: Table<Store<Flash>, Source>,
    source: Source,
    bank: Bank,
}

impl Linked {
    fn new() -> Self {
        let source = Source::default();
        let mut store = Store::open(Flash::new(3)).expect("blank flash opens");
        let keys = KeyRing::load(&mut store, KeyPolicy::Simulation).expect("readable");
        let guard = Guard::new(GENERATOR, keys, &mut store);
        let mut table = Table::with(store, source.clone());
        table.context.node = node(guard);
        let mut linked = Self { table, source, bank: Bank::new(5 << 32) };
        linked.run_for(2_500);
        linked
    }

    fn run_for(&mut self, milliseconds: u64) {
        for _ in 0..milliseconds / 5 {
            self.table.pass();
            self.carry();
        }
    }

    fn carry(&mut self) {
        let now = self.table.now;
        let Table { context, published, .. } = &mut self.table;
        published.drain(..).for_each(|event| event.publish(&mut context.node, now));
        for _ in 0..4 {
            let mut room = [0; ANSWER_BYTES];
            let DeviceContext { node, device, store } = &mut *context;
            let sent = node.next(0, now, device, store, &mut room);
            if let Some(Transfer { mut header, payload }) = sent {
                header.transfer_id &= 31;
                self.bank.receive(&Transfer { header, payload }, now);
            }
            let mut room = [0; OBJECT_BYTES];
            if let Some(Transfer { mut header, payload }) = self.bank.next(now, &mut room) {
                header.transfer_id &= 31;
                let asked = Transfer { header, payload };
                let DeviceContext { node, device, store } = &mut *context;
                node.receive(0, &asked, now, device, store);
                context.publish(now);
            }
        }
        self.bank.collect(now);
    }

    fn ask<R: Request + Sealed>(&mut self, role: Role, request: &R) -> (Outcome, R::Response) {
        let now = self.table.now;
        self.bank.ask(GENERATOR, role, request, now);
        while !self.bank.is_answered() {
            assert!(self.table.now < now + Millis::from_secs(5), "no answer to {}", R::NAME);
            self.run_for(5);
        }
        self.bank.answer::<R>()
    }

    fn signal(&mut self, round: u16, signal: Signal) -> (Outcome, bool) {
        let request = ArmRequest { round, signal, ..ArmRequest::default() };
        let (outcome, answer) = self.ask(Role::Controller, &request);
        (outcome, answer.armed)
    }

    fn end(&mut self, round: u16) -> Outcome {
        self.ask(Role::Dealer, &RoundEndRequest { round, ..RoundEndRequest::default() }).0
    }

    fn tap(&mut self, key: Key) {
        self.table.tap(key);
        self.run_for(50);
    }

    fn events<E: Event>(&self) -> Vec<E> {
        self.bank.events()
    }
}

// PG-09, PG-10, PG-12, PG-15: a whole round by sealed commands and one press.
#[test]
fn a_round_is_armed_drawn_published_recalled_and_ended() {
    let mut linked = Linked::new();
    assert_eq!(linked.bank.status.expect("published").condition, Condition::InService);
    assert_eq!(linked.signal(7, Signal::None).0, Outcome::OutOfRange);
    assert_eq!(linked.signal(7, Signal::BetsClosed).0, Outcome::OutOfTurn);
    assert_eq!(linked.signal(7, Signal::ShuffleComplete), (Outcome::Accepted, false));
    assert_eq!(linked.signal(8, Signal::BetsClosed).0, Outcome::OutOfTurn, "another round");
    assert_eq!(linked.signal(7, Signal::BetsClosed), (Outcome::Accepted, true));
    linked.tap(Key::Draw);
    let events = linked.events::<Number>();
    assert_eq!(
        (events.len(), events[0].round, events[0].number, events[0].positions),
        (1, 7, 1, 7)
    );
    assert_eq!(linked.table.display.number(), Some(1));
    linked.run_for(1_100);
    assert_eq!(linked.bank.status.expect("published").activity, Activity::Answered);

    let recall = RecallRequest::default();
    let (outcome, entry) = linked.ask(Role::Floorperson, &recall);
    assert_eq!((outcome, entry.round, entry.number), (Outcome::Accepted, 7, 1));
    assert!(entry.in_play);
    assert_eq!(linked.ask(Role::Dealer, &recall).0, Outcome::NotAuthorised);
    let further = RecallRequest { back: 1, ..recall };
    assert_eq!(linked.ask(Role::Service, &further).0, Outcome::NotFound);

    assert_eq!(linked.end(6), Outcome::OutOfTurn, "another round");
    assert_eq!(linked.end(7), Outcome::Accepted);
    linked.run_for(50);
    assert!(linked.table.display.is_dark());
    assert_eq!(linked.events::<Blanked>()[0].reason, BlankReason::RoundEnded);
    assert!(!linked.ask(Role::Controller, &recall).1.in_play);
}

// PG-11: the same round cannot be armed again for a second number.
#[test]
fn a_round_that_had_its_number_is_not_armed_again() {
    let mut linked = Linked::new();
    for signal in [Signal::ShuffleComplete, Signal::BetsClosed] {
        assert_eq!(linked.signal(7, signal).0, Outcome::Accepted);
    }
    linked.tap(Key::Draw);
    assert_eq!(linked.signal(8, Signal::ShuffleComplete).0, Outcome::OutOfTurn, "7 still stands");
    assert_eq!(linked.end(7), Outcome::Accepted);
    assert_eq!(linked.signal(7, Signal::ShuffleComplete).0, Outcome::OutOfTurn);
    assert_eq!(linked.signal(8, Signal::ShuffleComplete).0, Outcome::Accepted);
}

// PG-22, CM-07: no other game in a round, and only with a floorperson's key.
#[test]
fn the_game_cannot_be_changed_in_a_round() {
    let mut linked = Linked::new();
    let game = Game::SixCardFortunePaiGow;
    let profile = ProfileSetRequest { game, decks: 1, seats: 6, ..Default::default() };
    assert_eq!(linked.ask(Role::Dealer, &profile).0, Outcome::NotAuthorised);
    assert_eq!(linked.ask(Role::Floorperson, &profile).0, Outcome::Accepted);
    linked.signal(1, Signal::ShuffleComplete);
    for key in [Key::BetsClosed, Key::Draw] {
        assert_eq!(linked.ask(Role::Floorperson, &profile).0, Outcome::InRound);
        linked.tap(key);
    }
    assert_eq!(linked.ask(Role::Floorperson, &profile).0, Outcome::InRound);
    assert_eq!(linked.end(1), Outcome::Accepted);
    assert_eq!(linked.ask(Role::Floorperson, &profile).0, Outcome::Accepted);
}

// PG-13: five seats cannot be set at all.
#[test]
fn a_table_with_five_seats_is_refused() {
    let mut linked = Linked::new();
    let game = Game::SixCardFortunePaiGow;
    let profile = ProfileSetRequest { game, decks: 1, seats: 5, ..Default::default() };
    assert_eq!(linked.ask(Role::Floorperson, &profile).0, Outcome::OutOfRange);
}

// PG-16, CM-06: a fault is published with its next step, refuses rounds, and only service clears
// it, and only once the cause is gone.
#[test]
fn a_fault_is_cleared_by_service_after_a_passed_check() {
    let mut linked = Linked::new();
    linked.source.0.borrow_mut().fault = Some(Fault::Random(9));
    linked.run_for(1_200);
    let status = linked.bank.status.expect("published");
    assert_eq!((status.condition, status.next_step), (Condition::Malfunction, NextStep::UseShaker));
    assert_eq!(status.cleared_by, Role::Service);
    let events = linked.events::<Irregularity>();
    assert_eq!((events[0].trouble, events[0].detail), (Trouble::EntropyFault, 9));
    assert_eq!(linked.signal(1, Signal::ShuffleComplete).0, Outcome::Malfunction);

    let clear = ClearRequest { trouble: Trouble::EntropyFault, ..ClearRequest::default() };
    assert_eq!(linked.ask(Role::Floorperson, &clear).0, Outcome::NotAuthorised);
    let other = ClearRequest { trouble: Trouble::LampFault, ..clear };
    assert_eq!(linked.ask(Role::Service, &other).0, Outcome::NotFound);
    assert_eq!(linked.ask(Role::Service, &clear).0, Outcome::Busy, "the check begins");
    linked.run_for(50);
    assert_eq!(linked.ask(Role::Service, &clear).0, Outcome::OutOfTurn, "the cause persists");

    linked.source.0.borrow_mut().fault = None;
    linked.table.display.0.borrow_mut().dead = 1;
    assert_eq!(linked.ask(Role::Service, &clear).0, Outcome::Busy);
    linked.run_for(50);
    assert_eq!(linked.ask(Role::Service, &clear).0, Outcome::OutOfTurn, "the display is bad now");

    linked.table.display.0.borrow_mut().dead = 0;
    assert_eq!(linked.ask(Role::Service, &clear).0, Outcome::Busy);
    linked.run_for(50);
    assert_eq!(linked.ask(Role::Service, &clear).0, Outcome::Accepted);
    assert_eq!(linked.table.context.device.state(), State::Idle);
    for signal in [Signal::ShuffleComplete, Signal::BetsClosed] {
        assert_eq!(linked.signal(2, signal).0, Outcome::Accepted);
    }
    linked.tap(Key::Draw);
    assert_eq!(linked.table.display.number(), NonZeroU8::new(1).map(NonZeroU8::get));
}
