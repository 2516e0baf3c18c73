//! What strangers and roles can do to the flash and to each other, and what bounds it.

use croupier::identity::{Build, DeviceKind, Identity, Uid, Version};
use croupier::node::{
    ANSWER_BYTES, Command, Device, Guard, MOST_CHANGES, Node, Refused, Reply, StatusSummary,
    TICKS_A_CHANGE,
};
use croupier::protocol::codec::{Object, Request};
use croupier::protocol::generated::croupier::common::{
    Activity, Answer, ClearRequest, ClearResponse, ClockGetRequest, Condition, Game,
    NextSequenceRequest, NextStep, ProfileGetRequest, ResendRequest, ResetCause, Result as Outcome,
    Stamp, Trouble,
};
use croupier::protocol::generated::uavcan::node::GetInfoRequest;
use croupier::protocol::keys::{KeyRing, RoleKey};
use croupier::protocol::seal::{Address, Refusal, Role, SEAL_BYTES, seal};
use croupier::protocol::sequence::{BLOCK, FARTHEST_AHEAD};
use croupier::protocol::transfer::{Header, NodeId, Port, Priority, Transfer};
use croupier::store::{BYTES, Key, NorModel, Store};
use croupier::time::{Instant, Millis};

/// The product's flash.
type Flash = NorModel<2048, { BYTES / 2048 }>;

const ROLES: [Role; 4] = [Role::Dealer, Role::Floorperson, Role::Service, Role::Controller];
const HERE: NodeId = NodeId::new(10).expect("below 128");
const THERE: NodeId = NodeId::new(1).expect("below 128");
const TEN_MINUTES: u64 = 600;
/// Seals that both links carry in a second: the shortest answer takes five frames of 125 bits at 500
/// kbit/s, and 65 bytes at 115,200 Bd.
const SEALS_A_SECOND: u64 = 800 + 177;
/// Changes that wear out the flash: `tests/store/bounds.rs` counts them.
const LIFE: u64 = 3_700_000;

/// It keeps something else with each `Clear`, and answers all other questions with a refusal.
#[derive(Default)]
struct Puppet {
    obeyed: u64,
}

impl Device<Store<Flash>> for Puppet {
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

    fn obey(
        &mut self,
        command: &Command<'_>,
        reply: &mut Reply,
        store: &mut Store<Flash>,
    ) -> Result<(), Refused> {
        if command.service != ClearRequest::SERVICE {
            return Err(Refused::OutOfTurn);
        }
        self.obeyed += 1;
        let value = [self.obeyed.to_le_bytes(); 6];
        let kept = store.put_bytes(Key::ShufflerRecord, value.as_flattened());
        kept.map_err(|_| Refused::StoreFailed)?;
        reply.say(&ClearResponse::default())
    }
}

/// A device and its flash, asked by whoever likes.
struct Table {
    node: Node<2, 64>,
    device: Puppet,
    store: Store<Flash>,
    now: Instant,
    answers: u64,
    /// The result of the last answer.
    outcome: Option<Outcome>,
    /// The highest number in a seal of the device, and how many seals there were.
    heard: u64,
    seals: u64,
}

fn boot(store: &mut Store<Flash>) -> Node<2, 64> {
    let guard = Guard::new(HERE, KeyRing::simulation(), store);
    let version = Version { major: 0, minor: 1, patch: 0 };
    let build = Build { version, commit: None, profile: "test", compiler: "rustc" };
    let (kind, serial) = (DeviceKind::Reader, Uid([7; 12]));
    let identity = Identity { maker: "croupier", kind, board: "host", serial, build, image: None };
    Node::new(identity, guard, ResetCause::PowerOn, 0)
}

impl Table {
    fn new() -> Self {
        let mut store = Store::open(Flash::new(1)).expect("blank flash opens");
        let (node, device, now) = (boot(&mut store), Puppet::default(), Instant::START);
        Self { node, device, store, now, answers: 0, outcome: None, heard: 0, seals: 0 }
    }

    fn cut_power(self) -> Self {
        let mut store = Store::open(self.store.release()).expect("opens");
        Self { node: boot(&mut store), store, ..Self::new() }
    }

    /// Takes all that both links have to send.
    fn drain(&mut self) {
        for link in [0, 1] {
            let mut room = [0; ANSWER_BYTES];
            while let Some(sent) =
                self.node.next(link, self.now, &self.device, &mut self.store, &mut room)
            {
                if let Port::Response(..) = sent.header.port {
                    self.answers += 1;
                    let answer = Answer::decode(&sent.payload[..Answer::LONGEST]);
                    self.outcome = answer.ok().map(|answer| answer.result);
                }
                if let Some((rest, _)) = sent.payload.split_last_chunk::<17>()
                    && let Some((_, number)) = rest.split_last_chunk()
                {
                    self.heard = self.heard.max(u64::from_le_bytes(*number));
                    self.seals += 1;
                }
            }
        }
    }

    fn receive(&mut self, link: usize, port: Port, payload: &[u8]) {
        let (priority, source) = (Priority::Nominal, Some(THERE));
        let header = Header { priority, port, source, transfer_id: 0 };
        let transfer = Transfer { header, payload };
        self.node.receive(link, &transfer, self.now, &mut self.device, &mut self.store);
        self.drain();
    }

    /// A client asks for its next sequence as it should; its question, for a recording.
    fn ask_next(&mut self, role: Role, link: usize) -> (Port, Vec<u8>) {
        let nonce = self.heard.wrapping_mul(7).to_le_bytes();
        let (port, payload) = sealed::<NextSequenceRequest>(role, self.heard, &nonce);
        self.receive(link, port, &payload);
        (port, payload)
    }

    /// A command with the role's next number.
    fn command<R: Request>(&mut self, role: Role, content: &[u8]) -> Option<Outcome> {
        let (port, payload) = sealed::<R>(role, self.next(role), content);
        self.outcome = None;
        self.receive(0, port, &payload);
        self.outcome
    }

    /// Lets ten minutes pass, with `act` every hundredth of a second; the changes it cost.
    fn ten_minutes(&mut self, mut act: impl FnMut(&mut Self)) -> u64 {
        let before = self.store.changes();
        let end = self.now + Millis::from_secs(TEN_MINUTES);
        while self.now < end {
            for _ in 0..10 {
                self.now += Millis::new(10);
                act(self);
            }
            self.node.tick(self.now, &mut self.store);
            self.store.do_chores().expect("good flash");
            self.drain();
        }
        u64::from(self.store.changes() - before)
    }

    fn next(&self, role: Role) -> u64 {
        self.node.guard().next_sequence(role).expect("open")
    }
}

/// A request with this content, sealed for the reader.
fn sealed<R: Request>(role: Role, sequence: u64, content: &[u8]) -> (Port, Vec<u8>) {
    let port = Port::Request(R::SERVICE, HERE);
    let mut payload = [content, &[0; SEAL_BYTES]].concat();
    let address = Address { source: THERE, port };
    seal(&RoleKey::simulation(role), role, sequence, address, &mut payload).expect("room");
    (port, payload)
}

/// CM-03: recordings of questions, sent at any rate and in any number, get no answer and use up no
/// number, and a client beside them is answered each time it asks.
#[test]
fn cm_03_a_client_beside_recordings_is_answered() {
    for (recorded, link) in [(2, 0), (2, 1), (20, 0), (20, 1), (200, 0)] {
        for role in ROLES {
            let mut table = Table::new();
            table.drain();
            let recordings: Vec<_> = (0..recorded).map(|_| table.ask_next(role, link)).collect();
            assert_eq!(table.answers, recorded, "an honest client is answered each time");
            let mut quiet = Table::new();
            quiet.ten_minutes(|_| {});
            let (mut turn, mut asked, before) = (0, 0, table.seals);
            let changes = table.ten_minutes(|table| {
                for _ in 0..4 {
                    let (port, payload) = &recordings[turn % recordings.len()];
                    turn += 1;
                    table.receive(link, *port, payload);
                }
                if turn % 400 == 0 {
                    table.ask_next(role, link);
                    asked += 1;
                }
            });
            assert_eq!((asked, table.answers), (TEN_MINUTES, recorded + TEN_MINUTES), "{role:?}");
            // One answer to each question, and what the device says by itself with its alarms.
            let own = quiet.seals + 2 * 10;
            assert!(table.seals - before <= own + TEN_MINUTES, "{}", table.seals - before);
            assert_eq!(changes, 0);
        }
    }
}

/// CM-03: after a power cut the device remembers no question, and answers no recording all the same.
#[test]
fn cm_03_after_a_power_cut_no_recording_is_answered() {
    for role in ROLES {
        let mut table = Table::new();
        table.drain();
        let recordings: Vec<_> = (0..20).map(|_| table.ask_next(role, 0)).collect();
        let mut table = table.cut_power();
        for _ in 0..3 {
            for (port, payload) in &recordings {
                table.receive(0, *port, payload);
            }
        }
        assert_eq!(table.answers, 0, "{role:?}");
        assert_eq!(table.node.guard().refusals().of(Refusal::Replayed), 60);
        table.drain();
        table.ask_next(role, 0);
        assert_eq!(table.answers, 1, "{role:?}");
    }
}

/// CM-03: a question names a number that the device has sent in this start, and each a higher one.
#[test]
fn cm_03_a_question_names_a_new_number_of_the_device() {
    for role in ROLES {
        let mut table = Table::new();
        table.drain();
        let first = table.heard;
        table.ask_next(role, 0);
        let (second, sent) = (table.heard, table.heard + 1);
        assert!(second > first);
        for (named, refusal, answers) in [
            (first, Refusal::Replayed, 1),
            (first - 1, Refusal::Replayed, 1),
            (0, Refusal::Replayed, 1),
            (sent, Refusal::TooFarAhead, 1),
            (u64::MAX, Refusal::TooFarAhead, 1),
        ] {
            let before = table.node.guard().refusals().of(refusal);
            let (port, payload) = sealed::<NextSequenceRequest>(role, named, &[named as u8; 8]);
            table.receive(0, port, &payload);
            assert_eq!(table.answers, answers, "{role:?} {named}");
            assert_eq!(table.node.guard().refusals().of(refusal), before + 1);
        }
        // Another role may name a number that this one has named.
        for other in ROLES.into_iter().filter(|other| *other != role) {
            let (port, payload) = sealed::<NextSequenceRequest>(other, first, &[9; 8]);
            table.receive(0, port, &payload);
        }
        assert_eq!(table.answers, 4);
        table.ask_next(role, 0);
        assert_eq!(table.answers, 5);
    }
}

/// CM-03, worst of a day: a role that asks without end and has all events sent again uses up numbers
/// as fast as both links carry them, and no flash to speak of.
#[test]
fn cm_03_numbers_used_up_at_the_links_speed_wear_out_no_flash() {
    let most = SEALS_A_SECOND * 86_400 / (BLOCK / 2) + 1;
    println!("seals: {most} changes a day, {} years", LIFE / most / 365);
    assert!(most <= 162 && LIFE / most / 365 >= 60);
    let mut table = Table::new();
    for _ in 0..64 {
        let (port, payload) = sealed::<ProfileGetRequest>(Role::Dealer, 0, &[]);
        table.receive(0, port, &payload); // refused: its alarm is an event
    }
    table.ten_minutes(|_| {});
    let (before, mut turn) = (table.seals, 0);
    let changes = table.ten_minutes(|table| {
        for _ in 0..8 {
            table.command::<ClockGetRequest>(Role::Dealer, &[]);
        }
        turn += 1;
        if turn % 100 == 0 {
            let start = table.node.guard().start();
            let range = [start, 0, 0, 0, 0xFF, 0xFF, 0xFF];
            let outcome = table.command::<ResendRequest>(Role::Controller, &range);
            assert_eq!(outcome, Some(Outcome::Accepted));
        }
    });
    let used = table.seals - before;
    assert!(used > 800 * TEN_MINUTES, "{used} numbers");
    // The device's numbers and the dealer's, each in half a block.
    assert!(changes <= 2 * (used / (BLOCK / 2) + 1), "{changes} changes for {used} numbers");
}

/// CM-03, worst of a day: a role that skips as many numbers as it can gets a flash write for half a
/// block of them, not one for every command.
#[test]
fn cm_03_no_role_forces_a_flash_write_with_each_command() {
    let most = 4 * (10 * 86_400) / (BLOCK / 2) + 1;
    println!("skips of all roles: {most} changes a day");
    assert!(most <= 7);
    for role in ROLES {
        let mut table = Table::new();
        let before = table.next(role);
        let changes = table.ten_minutes(|table| {
            let next = table.next(role);
            // The farthest that is taken now, found as a role would.
            for ahead in [FARTHEST_AHEAD, 1 << 32, 1] {
                let (port, payload) = sealed::<ProfileGetRequest>(role, next + ahead, &[]);
                table.receive(0, port, &payload);
            }
        });
        let (used, most) = (table.next(role) - before, FARTHEST_AHEAD + 2 * 10 * TEN_MINUTES + 1);
        assert!(used > 10 * TEN_MINUTES && used <= most, "{role:?}: {used} numbers");
        assert_eq!(changes, 0, "{role:?}");
    }
}

/// CM-03, worst of a day: commands whose effect is kept, given as fast as they are taken. What each
/// role may change is bounded by the clock, and no role uses up what another may.
#[test]
fn cm_03_what_a_roles_commands_change_is_bounded() {
    let ticks = 10 * TEN_MINUTES;
    let a_day = 86_400 * 10 / u64::from(TICKS_A_CHANGE);
    println!("kept commands: {a_day} changes a day, {} days", LIFE / a_day);
    assert!(a_day == 8_640 && LIFE / a_day >= 365);
    for role in ROLES {
        let mut table = Table::new();
        let (mut last, mut refused) = (None, 0);
        let changes = table.ten_minutes(|table| {
            last = table.command::<ClearRequest>(role, &[0]);
            refused += u64::from(last == Some(Outcome::TooOften));
        });
        let most = u64::from(MOST_CHANGES) + ticks / u64::from(TICKS_A_CHANGE);
        assert!((most - 1..=most).contains(&changes), "{role:?}: {changes} of {most}");
        assert_eq!(table.device.obeyed, changes, "a refused command changes nothing");
        assert_eq!(refused, 100 * TEN_MINUTES - changes);
        // Questions are answered all the same, and so is every other role.
        assert_eq!(last, Some(Outcome::TooOften));
        assert_eq!(table.command::<ClockGetRequest>(role, &[]), Some(Outcome::OutOfTurn));
        for other in ROLES.into_iter().filter(|other| *other != role) {
            assert_eq!(table.command::<ClearRequest>(other, &[0]), Some(Outcome::Accepted));
        }
        // A pause gives it back.
        table.ten_minutes(|_| {});
        for _ in 0..ticks / u64::from(TICKS_A_CHANGE) - 1 {
            assert_eq!(table.command::<ClearRequest>(role, &[0]), Some(Outcome::Accepted));
        }
    }
}

/// CM-03: who only tries seals, or asks without one, for a day leaves every event in the ring that
/// came in the last four hours.
#[test]
fn cm_03_strangers_push_no_event_out_of_the_ring() {
    let mut table = Table::new();
    let (port, forged) = sealed::<ClearRequest>(Role::Dealer, 0, &[0]);
    let info = Port::Request(GetInfoRequest::SERVICE, HERE);
    for _ in 0..4 * 6 {
        table.ten_minutes(|table| {
            if table.now.as_millis() % 500 == 0 {
                table.receive(0, port, &forged);
                for _ in 0..2 {
                    table.receive(1, info, &[]);
                }
            }
        });
    }
    assert!(table.node.unanswerable() > 20_000);
    assert_eq!(table.node.events().oldest(), 0, "{} events", table.node.events().next());
    let kept = (0..table.node.events().next()).filter_map(|number| table.node.events().get(number));
    let troubles: Vec<u8> = kept
        .filter(|event| event.content().len() == Stamp::LONGEST + 6)
        .map(|event| event.content()[Stamp::LONGEST])
        .collect();
    for trouble in [Trouble::SealsRefused, Trouble::RequestsDropped] {
        let count = troubles.iter().filter(|code| **code == trouble.code()).count();
        assert!((20..=32).contains(&count), "{trouble:?}: {count} reports in four hours");
    }
}
