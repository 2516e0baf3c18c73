//! What a node drops, refuses, counts and reports, one rule at a time.

use std::vec;
use std::vec::Vec;

use super::*;
use crate::identity::{Build, DeviceKind, Uid, Version};
use crate::protocol::codec::{Message, Object, Request};
use crate::protocol::generated::croupier::common::{
    Activity, Answer, ClearRequest, ClockGetRequest, Condition, Game, ProvisionKeyRequest,
    RefusalsRequest, ResendRequest, Result as Outcome,
};
use crate::protocol::generated::uavcan::node::GetInfoRequest;
use crate::protocol::keys::{KeyHolder, KeyPolicy, KeyRing, RoleKey};
use crate::protocol::seal::{Address, Refusal, SEAL_BYTES, seal};
use crate::protocol::sequence::Limits;
use crate::protocol::transfer::{Header, NodeId, Port, SubjectId, Transfer};
use crate::store::StoreError;
use crate::time::Millis;

const HERE: NodeId = NodeId::new(10).expect("below 128");
const ANOTHER: NodeId = NodeId::new(11).expect("below 128");
const THERE: NodeId = NodeId::new(1).expect("below 128");
const NOW: Instant = Instant::from_millis(1);

/// A store in RAM.
#[derive(Default)]
struct Ram {
    limits: Option<Limits>,
}

impl SequenceStore for Ram {
    fn load(&mut self) -> Result<Option<Limits>, StoreError> {
        Ok(self.limits)
    }

    fn keep(&mut self, limits: &Limits) -> Result<(), StoreError> {
        self.limits = Some(*limits);
        Ok(())
    }

    fn changes(&self) -> u32 {
        0
    }
}

impl KeyStore for Ram {
    fn load_keys(&mut self) -> Result<Option<KeyRing>, StoreError> {
        Ok(None)
    }

    fn keep_keys(&mut self, _: &KeyRing) -> Result<(), StoreError> {
        Ok(())
    }
}

/// A device that writes half an answer, blames a field, and then refuses for another reason.
struct Puppet;

impl Device<Ram> for Puppet {
    fn status_summary(&self) -> StatusSummary {
        StatusSummary {
            game: Game::None,
            decks: 0,
            condition: Condition::InService,
            activity: Activity::Idle,
            next_step: NextStep::None,
            cleared_by: Role::Device,
        }
    }

    fn service_switch_closed(&self) -> bool {
        false
    }

    fn obey(&mut self, _: &Command<'_>, reply: &mut Reply, _: &mut Ram) -> Result<(), Refused> {
        reply.bytes.fill(0xA5);
        reply.length = 100;
        let _ = reply.blame(3);
        Err(Refused::OutOfTurn)
    }
}

struct World {
    node: Node<1, 8>,
    store: Ram,
}

impl World {
    fn new(keys: KeyRing) -> Self {
        let mut store = Ram::default();
        let guard = Guard::new(HERE, keys, &mut store);
        let version = Version { major: 0, minor: 1, patch: 0 };
        let build = Build { version, commit: None, profile: "test", compiler: "rustc" };
        let (kind, serial) = (DeviceKind::Reader, Uid([7; 12]));
        let identity =
            Identity { maker: "croupier", kind, board: "host", serial, build, image: None };
        Self { node: Node::new(identity, guard, ResetCause::PowerOn, 0), store }
    }

    /// What the link sends now: ports and payloads.
    fn sent(&mut self) -> Vec<(Port, Vec<u8>)> {
        let (mut sent, mut room) = (Vec::new(), [0; ANSWER_BYTES]);
        while let Some(next) = self.node.next(0, NOW, &Puppet, &mut self.store, &mut room) {
            sent.push((next.header.port, next.payload.to_vec()));
        }
        sent
    }

    /// The answer to a request, if there is one.
    fn receive(&mut self, port: Port, payload: &[u8]) -> Option<Vec<u8>> {
        let (priority, source) = (Priority::Nominal, Some(THERE));
        let header = Header { priority, port, source, transfer_id: 0 };
        let transfer = Transfer { header, payload };
        self.node.receive(0, &transfer, NOW, &mut Puppet, &mut self.store);
        let answers =
            self.sent().into_iter().filter(|(port, _)| matches!(port, Port::Response(..)));
        answers.map(|(_, payload)| payload).next()
    }

    /// The answer to a request of `role` that has its next number.
    fn ask<R: Request>(&mut self, role: Role, content: &[u8]) -> Option<Vec<u8>> {
        let port = Port::Request(R::SERVICE, HERE);
        let mut payload = [content, &[0; SEAL_BYTES]].concat();
        let number = self.node.guard().next_sequence(role).expect("open");
        let address = Address { source: THERE, port };
        seal(&RoleKey::simulation(role), role, number, address, &mut payload).expect("room");
        self.receive(port, &payload)
    }

    fn asks_again(&mut self, start: u8, first: u32, last: u32) -> Option<Outcome> {
        let mut bytes = [0; ResendRequest::LONGEST];
        let request = ResendRequest { start, first, last, seal: Seal::default() };
        request.encode(&mut bytes).expect("room");
        let content = &bytes[..bytes.len() - SEAL_BYTES];
        self.ask::<ResendRequest>(Role::Controller, content).map(|payload| said(&payload).result)
    }

    /// The counts of the alarms that were published.
    fn alarms(&mut self) -> Vec<u16> {
        let sent = self.sent().into_iter();
        let alarms = sent.filter(|(port, _)| *port == Port::Message(Irregularity::SUBJECT));
        alarms.map(|(_, bytes)| Irregularity::decode(&bytes).expect("one").detail).collect()
    }
}

fn said(payload: &[u8]) -> Answer {
    Answer::decode(&payload[..Answer::LONGEST]).expect("an answer")
}

/// CM-08: a request for another node gets no answer, sealed or not.
#[test]
fn cm_08_a_request_for_another_node_is_not_answered() {
    let mut world = World::new(KeyRing::simulation());
    assert_eq!(world.receive(Port::Request(GetInfoRequest::SERVICE, ANOTHER), &[]), None);
    assert!(world.receive(Port::Request(GetInfoRequest::SERVICE, HERE), &[]).is_some());
}

fn truncated(world: &World) -> u32 {
    world.node.guard().refusals().of(Refusal::Truncated)
}

/// CM-08: a request that is too short is counted.
#[test]
fn cm_08_a_request_that_is_too_short_is_counted() {
    let mut world = World::new(KeyRing::simulation());
    let port = Port::Request(ClockGetRequest::SERVICE, HERE);
    assert_eq!(world.receive(port, &[0; SEAL_BYTES - 1]), None);
    assert_eq!(truncated(&world), 1);
}

/// CM-08: a request that is too long never reaches the device, however well it is sealed.
#[test]
fn cm_08_a_request_that_is_too_long_is_dropped() {
    let mut world = World::new(KeyRing::simulation());
    assert_eq!(world.ask::<ClockGetRequest>(Role::Dealer, &[0]), None);
    assert_eq!(truncated(&world), 1);
    assert!(world.ask::<ClockGetRequest>(Role::Dealer, &[]).is_some());
}

/// CM-03: with the switch open no key that comes along is even tried.
#[test]
fn cm_03_a_first_key_is_not_tried_with_the_switch_open() {
    let mut world = World::new(KeyRing::empty(KeyPolicy::Silicon));
    let before = world.node.guard().next_sequence(Role::Service);
    let (holder, key, port) =
        (KeyHolder::Service, [0x51; 32], Port::Request(ProvisionKeyRequest::SERVICE, HERE));
    let mut payload = [0; ProvisionKeyRequest::LONGEST];
    let request = ProvisionKeyRequest { holder, key, seal: Seal::default() };
    request.encode(&mut payload).expect("room");
    let address = Address { source: THERE, port };
    seal(&RoleKey::new(key), Role::Service, 1, address, &mut payload).expect("room");
    assert_eq!(world.receive(port, &payload), None);
    assert_eq!(world.node.guard().refusals().of(Refusal::NoKey), 1);
    assert_eq!(world.node.guard().next_sequence(Role::Service), before, "no number is used up");
}

/// CM-10: a refusal says nothing of what the device had written before it refused.
#[test]
fn cm_10_a_refusal_carries_nothing_of_the_answer() {
    let mut world = World::new(KeyRing::simulation());
    let answer = world.ask::<ClockGetRequest>(Role::Dealer, &[]).expect("an answer");
    assert_eq!(said(&answer).result, Outcome::OutOfTurn);
    let fewest = service(DeviceKind::Reader, ClockGetRequest::SERVICE).expect("known").response;
    assert_eq!(answer.len(), fewest);
    let content = &answer[Answer::LONGEST..answer.len() - SEAL_BYTES];
    assert!(!content.is_empty() && content.iter().all(|byte| *byte == 0), "{content:?}");
}

/// CM-08: only a value out of range has a field to blame.
#[test]
fn cm_08_a_refusal_for_another_reason_names_no_field() {
    let mut world = World::new(KeyRing::simulation());
    let answer = world.ask::<ClockGetRequest>(Role::Dealer, &[]).expect("an answer");
    assert_eq!((said(&answer).result, said(&answer).field), (Outcome::OutOfTurn, 0));
}

/// CM-08: events of another start are not found.
#[test]
fn cm_08_events_of_another_start_are_not_found() {
    let mut world = World::new(KeyRing::simulation());
    let start = world.node.guard().start();
    assert_eq!(world.asks_again(start + 1, 0, 0), Some(Outcome::NotFound));
    assert_eq!(world.asks_again(start, 0, 0), Some(Outcome::Accepted));
}

/// CM-08: events that there are not are not found.
#[test]
fn cm_08_events_that_there_are_not_are_not_found() {
    let mut world = World::new(KeyRing::simulation());
    let start = world.node.guard().start();
    assert_eq!(world.asks_again(start, 100, 200), Some(Outcome::NotFound));
    assert_eq!(world.asks_again(start, 1, 0), Some(Outcome::NotFound));
}

/// CM-08: an event that could not be sent again is passed over; the controller asks for it.
#[test]
fn cm_08_an_event_that_cannot_be_sent_again_is_passed_over() {
    let mut world = World::new(KeyRing::simulation());
    world.sent();
    world.node.links[0].again = 0..1;
    assert_eq!(world.sent().len(), 1);
    world.node.links[0].again = 0..1;
    let guard = core::mem::replace(&mut world.node.guard, Guard::shut(HERE));
    assert_eq!(world.sent(), [], "nothing can be sealed");
    world.node.guard = guard;
    assert_eq!(world.sent(), [], "passed over");
}

/// CM-03: a role whose allowance is used up may still ask what changes nothing.
#[test]
fn cm_03_a_role_without_allowance_may_still_ask() {
    let mut world = World::new(KeyRing::simulation());
    world.node.allowance.spend(Role::Dealer, u32::from(MOST_CHANGES));
    let outcome = |answer: Option<Vec<u8>>| answer.map(|payload| said(&payload).result);
    let asked = world.ask::<RefusalsRequest>(Role::Dealer, &[]);
    assert_eq!(outcome(asked), Some(Outcome::Accepted));
    let length = ClearRequest::LONGEST - SEAL_BYTES;
    let commanded = world.ask::<ClearRequest>(Role::Dealer, &vec![0; length]);
    assert_eq!(outcome(commanded), Some(Outcome::TooOften));
}

/// CM-03: one role's commands leave the others their allowance.
#[test]
fn cm_03_each_role_has_an_allowance_of_its_own() {
    let mut allowance = Allowance::new();
    allowance.spend(Role::Dealer, u32::from(MOST_CHANGES));
    assert!(!allowance.is_left(Role::Dealer));
    assert!(allowance.is_left(Role::Floorperson));
}

/// CM-03: a role that is quiet saves up no more than its allowance.
#[test]
fn cm_03_an_allowance_never_grows_above_the_most() {
    let mut allowance = Allowance::new();
    (0..2 * TICKS_A_CHANGE).for_each(|_| allowance.tick());
    allowance.spend(Role::Dealer, u32::from(MOST_CHANGES));
    assert!(!allowance.is_left(Role::Dealer));
}

/// CM-03: an alarm counts what came since the last one.
#[test]
fn cm_03_an_alarm_counts_only_what_is_new() {
    let mut world = World::new(KeyRing::simulation());
    world.node.count_dropped(5);
    world.node.tick(NOW, &mut world.store);
    assert_eq!(world.alarms(), [5]);
    world.node.count_dropped(2);
    world.node.tick(NOW + Millis::from_secs(10), &mut world.store);
    assert_eq!(world.alarms(), [2]);
    world.node.tick(NOW + Millis::from_secs(20), &mut world.store);
    assert_eq!(world.alarms(), []);
}

/// CM-03: an alarm's count stops at its most.
#[test]
fn cm_03_a_count_that_does_not_fit_an_alarm_is_its_most() {
    let mut world = World::new(KeyRing::simulation());
    world.node.count_dropped(65_536 + 7);
    world.node.tick(NOW, &mut world.store);
    assert_eq!(world.alarms(), [u16::MAX]);
}

/// CM-03: an alarm goes before verdicts.
#[test]
fn cm_03_an_alarm_is_an_urgent_event() {
    let mut world = World::new(KeyRing::simulation());
    world.node.count_dropped(1);
    world.node.tick(NOW, &mut world.store);
    let alarm = world.node.events().get(1).expect("kept");
    assert_eq!(alarm.priority, Priority::Fast);
}

/// Keeps an event of this priority.
fn keep<const EVENTS: usize>(events: &mut Events<EVENTS>, priority: Priority) -> Option<u32> {
    events.keep(&Irregularity::default(), priority, 1, NOW)
}

/// CM-08: an event that was overwritten is gone.
#[test]
fn cm_08_an_event_that_was_overwritten_is_gone() {
    let mut events = Events::<2>::new();
    (0..3).for_each(|number| assert_eq!(keep(&mut events, Priority::High), Some(number)));
    assert!(events.get(0).is_none());
    assert!(events.get(1).is_some() && events.get(2).is_some());
}

/// CM-08: an event that was never made is not there.
#[test]
fn cm_08_an_event_that_was_never_made_is_not_there() {
    let mut events = Events::<2>::new();
    (0..3).for_each(|number| assert_eq!(keep(&mut events, Priority::High), Some(number)));
    assert!(events.get(3).is_none());
}

/// CM-06: one urgent event hurries on the quiet ones before it.
#[test]
fn cm_06_an_urgent_event_hurries_on_the_quiet_ones() {
    let mut events = Events::<4>::new();
    for priority in [Priority::Low, Priority::Immediate, Priority::High] {
        keep(&mut events, priority);
    }
    assert_eq!(events.urgency(0), Some(Priority::Immediate));
    assert_eq!(events.urgency(2), Some(Priority::High));
}

/// CM-08: of equals, the answer that came first leaves first.
#[test]
fn cm_08_answers_of_one_priority_leave_in_their_order() {
    let mut outbox = outbox::Outbox::<3>::new();
    let port = Port::Message(SubjectId::new(6_144).expect("a subject"));
    for transfer_id in 1..=3 {
        let (priority, source) = (Priority::Nominal, None);
        let header = Header { priority, port, source, transfer_id };
        outbox.push(outbox::Waiting { header, reply: Reply::EMPTY, sealed: true });
    }
    let order = core::iter::from_fn(|| outbox.pop()).map(|waiting| waiting.header.transfer_id);
    assert_eq!(order.collect::<Vec<_>>(), [1, 2, 3]);
}
