//! The shuffler over its node: sealed commands move it, events report it, roles bind.

use crate::bank::Bank;
use crate::harness::{Mishap, Rig, cards, node};
use croupier::cards::BackColour::{Blue, Red};
use croupier::controller::OBJECT_BYTES;
use croupier::node::{ANSWER_BYTES, Guard, Node};
use croupier::protocol::codec::{Event, Request, Sealed};
use croupier::protocol::generated::croupier::common::{
    Activity, ClearRequest, Cleared, ClockSetRequest, Condition, Dealing, Game, Irregularity,
    NextStep, ProfileSetRequest, Result as Outcome, Role, Status, Trouble,
};
use croupier::protocol::generated::croupier::shuffler::{
    Batch, BatchOpenedRequest, BatchRetiredRequest, Certificate, CertificateReason,
    CertificateState, CommandRequest, Count, CountGetRequest, CountVerdict, InventoryGetRequest,
    Phase, Purpose, Task,
};
use croupier::protocol::keys::{KeyPolicy, KeyRing};
use croupier::protocol::transfer::{NodeId, Transfer};
use croupier::shuffler::{Fault, Model, State};
use croupier::store::{NorModel, Store};
use croupier::time::Millis;

type Flash = NorModel<2048, 4>;

const SHUFFLER: NodeId = NodeId::new(11).unwrap();
pub const NOON: u64 = 1_790_000_000_000;
const HOUR: u64 = 3_600_000;

/// A shuffler on its node, a controller, and a perfect link.
pub struct Linked {
    pub rig: Rig<Store<Flash>>,
    node: Node<1, 256>,
    bank: Bank,
}

impl Linked {
    pub fn new() -> Self {
        Self::of(Model::SingleDeck, Game::FlopPoker, 1)
    }

    pub fn of(model: Model, game: Game, decks: u8) -> Self {
        Self::seated(|store| Rig::with(store, model, game, decks))
    }

    /// A table whose clock was not set, and with no batch opened.
    pub fn bare() -> Self {
        Self::seated(|store| Rig::bare(store, Model::SingleDeck, Game::FlopPoker, 1, false))
    }

    fn seated(seat: impl FnOnce(Store<Flash>) -> Rig<Store<Flash>>) -> Self {
        let mut store = Store::open(Flash::new(3)).expect("blank flash opens");
        let keys = KeyRing::load(&mut store, KeyPolicy::Simulation).expect("readable");
        let guard = Guard::new(SHUFFLER, keys, &mut store);
        let mut linked = Self { rig: seat(store), node: node(guard), bank: Bank::new(5 << 32) };
        linked.wait(2_500);
        linked
    }

    /// Lets this number of milliseconds pass, in which the mechanism does nothing of its own.
    pub fn wait(&mut self, ms: u64) {
        for _ in 0..ms / 50 {
            self.rig.wait(50);
            self.carry();
        }
    }

    /// Runs the mechanism until it rests, and the wire along with it.
    pub fn run(&mut self) {
        while self.rig.step() {
            self.carry();
        }
        self.wait(2_000);
    }

    fn carry(&mut self) {
        let now = self.rig.world.now;
        let rig = &mut self.rig;
        rig.events.drain(..).for_each(|event| event.publish(&mut self.node, now));
        for _ in 0..4 {
            let mut room = [0; ANSWER_BYTES];
            let sent = self.node.next(0, now, &rig.shuffler, &mut rig.store, &mut room);
            if let Some(Transfer { mut header, payload }) = sent {
                header.transfer_id &= 31;
                self.bank.receive(&Transfer { header, payload }, now);
            }
            let mut room = [0; OBJECT_BYTES];
            if let Some(Transfer { mut header, payload }) = self.bank.next(now, &mut room) {
                header.transfer_id &= 31;
                let asked = Transfer { header, payload };
                self.node.receive(0, &asked, now, &mut rig.shuffler, &mut rig.store);
                rig.pass();
            }
        }
        self.bank.collect(now);
    }

    pub fn ask<R: Request + Sealed>(&mut self, role: Role, request: &R) -> (Outcome, R::Response) {
        let now = self.rig.world.now;
        self.bank.ask(SHUFFLER, role, request, now);
        while !self.bank.is_answered() {
            assert!(self.rig.world.now < now + Millis::from_secs(5), "no answer to {}", R::NAME);
            self.rig.wait(1);
            self.carry();
        }
        self.bank.answer::<R>()
    }

    pub fn command(&mut self, role: Role, task: Task, purpose: Purpose) -> Outcome {
        let request = CommandRequest { task, purpose, ..CommandRequest::default() };
        self.ask(role, &request).0
    }

    pub fn clear(&mut self, role: Role, trouble: Trouble) -> Outcome {
        self.ask(role, &ClearRequest { trouble, ..ClearRequest::default() }).0
    }

    pub fn open(&mut self, batch: Batch, decks: u8) -> (Outcome, u16) {
        let request = BatchOpenedRequest { batch, decks, ..BatchOpenedRequest::default() };
        let (outcome, answer) = self.ask(Role::Floorperson, &request);
        (outcome, answer.minutes_left)
    }

    pub fn retire(&mut self, role: Role, batch: Batch) -> Outcome {
        self.ask(role, &BatchRetiredRequest { batch, ..BatchRetiredRequest::default() }).0
    }

    pub fn set_decks(&mut self, game: Game, decks: u8) {
        let request = ProfileSetRequest {
            game,
            decks,
            seats: 5,
            dealing: Dealing::ManualShoe,
            ..ProfileSetRequest::default()
        };
        assert_eq!(self.ask(Role::Floorperson, &request).0, Outcome::Accepted);
        self.rig.chosen.decks = decks;
    }

    pub fn set_clock(&mut self, utc_ms: u64) {
        let request = ClockSetRequest { utc_ms, ..ClockSetRequest::default() };
        assert_eq!(self.ask(Role::Floorperson, &request).0, Outcome::Accepted);
    }

    pub fn status(&mut self) -> Status {
        self.wait(2_000);
        self.bank.status.expect("published every second")
    }

    pub fn events<E: Event>(&self) -> Vec<E> {
        self.bank.events()
    }
}

/// SH-07, SH-22, SH-33, SH-46: a shuffle as the table controller sees it.
#[test]
fn a_shuffle_is_started_followed_counted_certified_and_released_over_the_wire() {
    let mut table = Linked::new();
    table.rig.put_in(cards(52, Red));
    assert_eq!(table.command(Role::Dealer, Task::Start, Purpose::FullBatch), Outcome::Accepted);
    assert_eq!(table.command(Role::Dealer, Task::Start, Purpose::FullBatch), Outcome::Busy);
    table.run();
    let phases: Vec<Phase> = table.bank.progress.iter().map(|event| event.phase).collect();
    for phase in [Phase::Homing, Phase::Looking, Phase::Feeding, Phase::Delivering] {
        assert!(phases.contains(&phase), "{phase:?} in {phases:?}");
    }
    let counts = table.events::<Count>();
    assert_eq!(counts.len(), 1);
    assert_eq!((counts[0].verdict, counts[0].found), (CountVerdict::Right, 52));
    let issued = table.events::<Certificate>().pop().unwrap();
    assert_eq!(
        (issued.state, issued.reason),
        (CertificateState::Issued, CertificateReason::WholeCycle)
    );
    assert_eq!((issued.batch, issued.cards, issued.unspread), (Batch::First, 52, false));
    assert_eq!(table.status().activity, Activity::Ready);
    let (_, receipt) = table.ask(Role::Dealer, &CountGetRequest::default());
    assert_eq!((receipt.fed, receipt.slotted, receipt.ejected), (52, 52, 52));
    assert_eq!(receipt.by, Role::Dealer);
    let (_, inventory) = table.ask(Role::Dealer, &InventoryGetRequest::default());
    assert_eq!((inventory.inside, inventory.chute, inventory.certain), (0, 52, true));
    assert_eq!(
        table.command(Role::Controller, Task::Release, Purpose::None),
        Outcome::NotAuthorised
    );
    assert_eq!(table.command(Role::Dealer, Task::Release, Purpose::None), Outcome::Accepted);
    table.wait(2_000);
    let gone = table.events::<Certificate>().pop().unwrap();
    assert_eq!((gone.state, gone.reason), (CertificateState::None, CertificateReason::Released));
    table.rig.take_stack();
    let request =
        ProfileSetRequest { game: Game::LunarPoker, decks: 1, seats: 5, ..Default::default() };
    assert_eq!(table.ask(Role::Floorperson, &request).0, Outcome::InRound, "CM-07");
    assert_eq!(table.command(Role::Dealer, Task::Dealt, Purpose::None), Outcome::Accepted);
    assert_eq!(table.ask(Role::Floorperson, &request).0, Outcome::Accepted);
}

/// CM-08: how far a shuffle is pushes no event out of those kept: it is published as a status is, as
/// it changes, four times a second at most, and once when the work has ended.
#[test]
fn progress_is_a_status_and_no_event() {
    let mut table = Linked::new();
    assert_eq!(table.bank.progress, [], "an idle machine has no progress");
    table.rig.put_in(cards(52, Red));
    let before = table.status().next_event;
    table.command(Role::Dealer, Task::Start, Purpose::FullBatch);
    table.run();
    let events = std::mem::take(&mut table.bank.progress);
    for pair in events.windows(2) {
        let same = (pair[0].phase, pair[0].pass) == (pair[1].phase, pair[1].pass);
        let least = if same { 250 } else { 100 };
        assert!(pair[1].time_ms - pair[0].time_ms >= least, "{pair:?}");
    }
    assert!(
        events.iter().filter(|event| event.phase == Phase::Feeding).count() >= 10,
        "{events:?}"
    );
    assert_eq!(events.last().map(|event| event.phase), Some(Phase::Idle));
    let idle_twice =
        events.windows(2).any(|pair| pair.iter().all(|event| event.phase == Phase::Idle));
    assert!(!idle_twice, "{events:?}");
    table.wait(10_000);
    assert_eq!(table.bank.progress, [], "a waiting stack has no progress");
    let events = table.status().next_event - before;
    assert!(events < 10, "{events} events of one shuffle");
}

/// SH-08, CM-06: a wrong count says remove deck, and only a floorperson clears it.
#[test]
fn a_wrong_count_is_cleared_by_a_floorperson_alone() {
    let mut table = Linked::new();
    table.rig.put_in(cards(51, Red));
    table.command(Role::Dealer, Task::Start, Purpose::FullBatch);
    table.run();
    let event = table.events::<Irregularity>().pop().unwrap();
    assert_eq!((event.trouble, event.next_step), (Trouble::WrongCount, NextStep::RemoveDeck));
    assert_eq!((event.cleared_by, event.detail), (Role::Floorperson, 51));
    let revoked = table.events::<Certificate>().pop().unwrap();
    assert_eq!(revoked.state, CertificateState::Revoked);
    let status = table.status();
    assert_eq!(status.next_step, NextStep::RemoveDeck);
    assert_eq!(status.activity, Activity::WaitingPeople);
    assert_eq!(table.clear(Role::Dealer, Trouble::WrongCount), Outcome::NotAuthorised);
    assert_eq!(table.clear(Role::Floorperson, Trouble::Jam), Outcome::NotFound);
    assert_eq!(table.clear(Role::Floorperson, Trouble::WrongCount), Outcome::Accepted);
    assert_eq!(table.rig.shuffler.state(), State::Releasing, "to be removed");
    table.wait(1_000);
    assert_eq!(table.events::<Cleared>().pop().unwrap().by, Role::Floorperson);
}

/// SH-22: a jam is cleared by the dealer once the card is out, and asks for a reshuffle.
#[test]
fn a_jam_is_cleared_once_its_cause_is_gone() {
    let mut table = Linked::new();
    table.rig.put_in(cards(52, Red));
    table.rig.world.mishap = Some(Mishap::JamInMouth(23));
    table.command(Role::Dealer, Task::Start, Purpose::FullBatch);
    table.run();
    let event = table.events::<Irregularity>().pop().unwrap();
    assert_eq!((event.trouble, event.next_step), (Trouble::Jam, NextStep::Reshuffle));
    assert_eq!(table.clear(Role::Dealer, Trouble::Jam), Outcome::OutOfTurn, "still stuck");
    let (_, inventory) = table.ask(Role::Dealer, &InventoryGetRequest::default());
    assert_eq!((inventory.inside, inventory.certain), (22, false));
    assert_eq!(inventory.certificate, CertificateState::Revoked);
    table.rig.clear_by_hand();
    assert_eq!(table.clear(Role::Dealer, Trouble::Jam), Outcome::Accepted);
    assert_eq!(table.command(Role::Dealer, Task::Start, Purpose::FullBatch), Outcome::Accepted);
    table.run();
    assert!(table.rig.is_certified());
}

/// SH-23: out of order is for service, with a passed check, and power does not clear it.
#[test]
fn out_of_order_is_cleared_by_service_after_a_passed_check() {
    let mut table = Linked::new();
    table.rig.draws.fault = Some(Fault::Random(3));
    let status = table.status();
    assert_eq!((status.condition, status.cleared_by), (Condition::OutOfOrder, Role::Service));
    assert_eq!(status.next_step, NextStep::CoverOrSign);
    for role in [Role::Dealer, Role::Floorperson] {
        assert_eq!(table.clear(role, Trouble::EntropyFault), Outcome::NotAuthorised);
    }
    table.rig.cut_power();
    assert_eq!(table.clear(Role::Service, Trouble::EntropyFault), Outcome::Busy);
    assert_eq!(table.clear(Role::Service, Trouble::EntropyFault), Outcome::OutOfTurn);
    table.rig.draws.fault = None;
    assert_eq!(table.clear(Role::Service, Trouble::EntropyFault), Outcome::Busy);
    assert_eq!(table.clear(Role::Service, Trouble::EntropyFault), Outcome::Accepted);
    assert_eq!(table.rig.shuffler.state(), State::Idle);
    assert_eq!(table.status().condition, Condition::InService);
}

/// SH-40, SH-15: each batch has its clock; a batch of age is not let go, and power loss does
/// not make it younger.
#[test]
fn a_batch_of_age_is_not_dealt() {
    let mut table = Linked::bare();
    assert_eq!(table.open(Batch::First, 1).0, Outcome::OutOfTurn, "no time of day");
    table.set_clock(NOON);
    assert_eq!(table.open(Batch::First, 1), (Outcome::Accepted, 8 * 60), "from a shoe");
    assert_eq!(table.open(Batch::Second, 2).0, Outcome::OutOfRange, "not the profile's");
    assert_eq!(table.open(Batch::None, 1).0, Outcome::OutOfRange);
    table.rig.put_in(cards(52, Red));
    table.command(Role::Dealer, Task::Start, Purpose::FullBatch);
    table.run();
    assert!(table.rig.is_certified());
    table.set_clock(NOON + 8 * HOUR + 60_000);
    assert_eq!(table.command(Role::Dealer, Task::Release, Purpose::None), Outcome::DeckLifeOver);
    table.wait(1_000);
    let event = table.events::<Irregularity>().pop().unwrap();
    assert_eq!((event.trouble, event.next_step), (Trouble::DeckLifeOver, NextStep::ChangeDeck));
    table.rig.cut_power();
    assert_eq!(table.rig.stopped(), Some(Fault::DeckLifeOver));
    let life = table.rig.shuffler.batches().life(Red).unwrap();
    assert!(life.opened_ms >= NOON && life.opened_ms < NOON + HOUR);
}

/// SH-40: dealt by hand, a deck lives four hours.
#[test]
fn hand_dealing_shortens_a_decks_life() {
    let mut table = Linked::bare();
    let hand = ProfileSetRequest {
        game: Game::FlopPoker,
        decks: 1,
        seats: 6,
        dealing: Dealing::Hand,
        ..ProfileSetRequest::default()
    };
    assert_eq!(table.ask(Role::Floorperson, &hand).0, Outcome::Accepted);
    table.set_clock(NOON);
    assert_eq!(table.open(Batch::First, 1), (Outcome::Accepted, 4 * 60));
    let shoe = ProfileSetRequest { dealing: Dealing::ManualShoe, ..hand };
    assert_eq!(table.ask(Role::Floorperson, &shoe).0, Outcome::Accepted);
    let left = table.rig.shuffler.batches().minutes_left(Red, NOON);
    assert!(left.is_some_and(|left| left <= 4 * 60 + 1), "the stricter limit stays: {left:?}");
    assert_eq!(table.open(Batch::Second, 1), (Outcome::Accepted, 8 * 60));
    assert_eq!(table.ask(Role::Floorperson, &hand).0, Outcome::Accepted);
    let left = table.rig.shuffler.batches().minutes_left(Blue, NOON);
    assert!(left.is_some_and(|left| left <= 4 * 60 + 1), "dealt by hand now: {left:?}");
}
