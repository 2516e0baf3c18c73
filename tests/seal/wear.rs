//! What strangers and roles can do to the flash is bounded by the clock, not by how fast they send.

use croupier::identity::{Build, DeviceKind, Identity, Uid, Version};
use croupier::node::{ANSWER_BYTES, Command, Device, Guard, Node, Refused, Reply, StatusSummary};
use croupier::protocol::codec::Request;
use croupier::protocol::generated::croupier::common::{
    Activity, Condition, Game, NextSequenceRequest, NextStep, ProfileGetRequest, ResetCause,
};
use croupier::protocol::keys::{KeyRing, RoleKey};
use croupier::protocol::seal::{Address, Refusal, Role, SEAL_BYTES, seal};
use croupier::protocol::sequence::{BLOCK, FARTHEST_AHEAD};
use croupier::protocol::transfer::{Header, NodeId, Port, Priority, Transfer};
use croupier::store::{BYTES, NorModel, Store};
use croupier::time::{Instant, Millis};

/// The product's flash.
type Flash = NorModel<2048, { BYTES / 2048 }>;

const ROLES: [Role; 4] = [Role::Dealer, Role::Floorperson, Role::Service, Role::Controller];
const HERE: NodeId = NodeId::new(10).expect("below 128");
const THERE: NodeId = NodeId::new(1).expect("below 128");
const TEN_MINUTES: u64 = 600;
/// Words of one reservation's record.
const WORDS: u64 = 7;

struct Puppet;

impl<S> Device<S> for Puppet {
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

    fn obey(&mut self, _: &Command<'_>, _: &mut Reply, _: &mut S) -> Result<(), Refused> {
        Err(Refused::OutOfTurn)
    }
}

/// A device and its flash, asked by whoever likes.
struct Table {
    node: Node<2, 64>,
    store: Store<Flash>,
    now: Instant,
    answers: u64,
}

impl Table {
    fn new() -> Self {
        let mut store = Store::open(Flash::new(1)).expect("blank flash opens");
        let guard = Guard::new(HERE, KeyRing::simulation(), &mut store);
        let version = Version { major: 0, minor: 1, patch: 0 };
        let build = Build { version, commit: None, profile: "test", compiler: "rustc" };
        let (kind, serial) = (DeviceKind::Reader, Uid([7; 12]));
        let identity =
            Identity { maker: "croupier", kind, board: "host", serial, build, image: None };
        let node = Node::new(identity, guard, ResetCause::PowerOn, 0);
        Self { node, store, now: Instant::START, answers: 0 }
    }

    fn receive(&mut self, link: usize, port: Port, payload: &[u8]) {
        let (priority, source) = (Priority::Nominal, Some(THERE));
        let header = Header { priority, port, source, transfer_id: 0 };
        let transfer = Transfer { header, payload };
        self.node.receive(link, &transfer, self.now, &mut Puppet, &mut self.store);
        for link in [0, 1] {
            let mut room = [0; ANSWER_BYTES];
            while let Some(sent) =
                self.node.next(link, self.now, &Puppet, &mut self.store, &mut room)
            {
                self.answers += u64::from(matches!(sent.header.port, Port::Response(..)));
            }
        }
    }

    /// Lets ten minutes pass, with `act` every hundredth of a second; the flash words it cost.
    fn ten_minutes(&mut self, mut act: impl FnMut(&mut Self)) -> u64 {
        let before = self.store.flash().counts().words;
        let end = self.now + Millis::from_secs(TEN_MINUTES);
        while self.now < end {
            for _ in 0..10 {
                self.now += Millis::new(10);
                act(self);
            }
            self.node.tick(self.now, &mut self.store);
            self.store.do_chores().expect("good flash");
        }
        self.store.flash().counts().words - before
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

/// CM-03: recordings of questions, sent again a hundred times a second on either link, cost numbers and
/// flash no faster than one a second for each role.
#[test]
fn cm_03_replayed_questions_wear_out_no_flash() {
    let mut quiet = Table::new();
    let own = quiet.ten_minutes(|_| {});
    for link in [0, 1] {
        let mut table = Table::new();
        let recordings: Vec<_> = (0..3_u64)
            .flat_map(|nonce| ROLES.map(|role| (role, nonce.to_le_bytes())))
            .map(|(role, nonce)| sealed::<NextSequenceRequest>(role, 0, &nonce))
            .collect();
        let mut turn = 0;
        let words = table.ten_minutes(|table| {
            let (port, payload) = &recordings[turn % recordings.len()];
            turn += 1;
            table.receive(link, *port, payload);
        });
        let most = 4 * (8 + TEN_MINUTES);
        assert!(table.answers > 1_000 && table.answers <= most, "{} answers", table.answers);
        // Half a block for each write, what it says of itself, and what moving the values costs.
        let writes = (most + 2 * TEN_MINUTES + 120) / (BLOCK / 2) + 1;
        assert!(words <= own + writes * WORDS * 2, "{words} words, {own} without");
    }
}

/// CM-03: the question that came last is not answered again, from any role, and uses up no number.
#[test]
fn cm_03_a_replayed_question_is_not_answered_twice() {
    for (role, link) in ROLES.iter().flat_map(|role| [(*role, 0), (*role, 1)]) {
        let mut table = Table::new();
        let (port, payload) = sealed::<NextSequenceRequest>(role, 0, &7_u64.to_le_bytes());
        for _ in 0..5 {
            table.receive(link, port, &payload);
        }
        assert_eq!(table.answers, 1, "{role:?}");
        assert_eq!(table.node.guard().refusals().of(Refusal::Replayed), 4);
        // Eight in a row, then one a second; and another role is not held up.
        for nonce in 8..30_u64 {
            let (port, payload) = sealed::<NextSequenceRequest>(role, 0, &nonce.to_le_bytes());
            table.receive(link, port, &payload);
        }
        assert_eq!(table.answers, 8, "{role:?}");
        let other = ROLES.into_iter().find(|other| *other != role).expect("four");
        let (port, payload) = sealed::<NextSequenceRequest>(other, 0, &7_u64.to_le_bytes());
        table.receive(link, port, &payload);
        assert_eq!(table.answers, 9);
    }
}

/// CM-03: a role that skips as many numbers as it can gets a flash write for every fifty seconds, not
/// one for every command.
#[test]
fn cm_03_no_role_forces_a_flash_write_with_each_command() {
    for role in ROLES {
        let mut table = Table::new();
        let (mut sent, before) = (0, table.next(role));
        let words = table.ten_minutes(|table| {
            let next = table.next(role);
            // The farthest that is taken now, found as a role would.
            for ahead in [FARTHEST_AHEAD, 1 << 32, 1] {
                let (port, payload) = sealed::<ProfileGetRequest>(role, next + ahead, &[]);
                table.receive(0, port, &payload);
                sent += 1;
            }
        });
        let (used, most) = (table.next(role) - before, FARTHEST_AHEAD + 2 * 10 * TEN_MINUTES + 1);
        assert!(used > 10 * TEN_MINUTES && used <= most, "{role:?}: {used} numbers");
        let writes = (used + table.answers + 2 * TEN_MINUTES + 120) / (BLOCK / 2) + 2;
        assert!(words <= 2 * writes * WORDS, "{role:?}: {words} words for {sent} commands");
        assert!(writes < sent / 1_000, "{writes}");
    }
}
