//! A certificate on its way: from the shuffler's node through the controller into the generator (PG-10).

use croupier::controller::{CannotAsk, Controller, Notice, OBJECT_BYTES};
use croupier::identity::{Build, DeviceKind, Identity, Uid, Version};
use croupier::node::{ANSWER_BYTES, Guard, Node};
use croupier::paigow::{PaiGow, State};
use croupier::protocol::generated::croupier::common::{
    Game, ProfileSetRequest, ResetCause, Result as Outcome, Role,
};
use croupier::protocol::generated::croupier::paigow::{HouseRequest, ShuffledBy};
use croupier::protocol::generated::croupier::shuffler::{
    Batch, Certificate, CertificateReason as Reason, CertificateState,
};
use croupier::protocol::keys::{KeyHolder, KeyRing, RoleKey};
use croupier::protocol::transfer::{NodeId, Priority, Transfer};
use croupier::services::{Chosen, CommonServices};
use croupier::store::Store;
use croupier::time::{Instant, Millis};

use crate::table::{Flash, Puppet, node};

const SHUFFLER: NodeId = NodeId::new(11).unwrap();
const GENERATOR: NodeId = NodeId::new(12).unwrap();
const SHUFFLERS_KEY: [u8; 32] = *b"this shuffler's own, and no role";
const PATIENCE: Millis = Millis::from_secs(2);

fn identity(kind: DeviceKind) -> Identity {
    let version = Version { major: 0, minor: 1, patch: 0 };
    let build = Build { version, commit: None, profile: "test", compiler: "rustc" };
    Identity { maker: "croupier", kind, board: "host", serial: Uid([7; 12]), build, image: None }
}

/// A node with its device and its store.
struct At<D> {
    node: Node<2, 64>,
    device: D,
    store: Store<Flash>,
}

/// A shuffler with a key of its own, a generator that holds it to check with, and a controller.
struct Pit {
    shuffler: At<Puppet>,
    generator: At<PaiGow>,
    bank: Controller<4, 4, 16>,
    now: Instant,
    answers: Vec<Outcome>,
}

impl Pit {
    fn new() -> Self {
        let mut keys = KeyRing::simulation();
        keys.insert(Role::Device, RoleKey::new(SHUFFLERS_KEY)).expect("a key");
        let mut store = Store::open(Flash::new(1)).expect("blank flash opens");
        let guard = Guard::new(SHUFFLER, keys, &mut store);
        let shuffler_node =
            Node::new(identity(DeviceKind::Shuffler), guard, ResetCause::PowerOn, 0);
        let shuffler = At { node: shuffler_node, device: Puppet::default(), store };

        let mut keys = KeyRing::simulation();
        keys.insert(KeyHolder::Shuffler, RoleKey::new(SHUFFLERS_KEY)).expect("a key");
        let mut store = Store::open(Flash::new(2)).expect("blank flash opens");
        let guard = Guard::new(GENERATOR, keys, &mut store);
        let game = Game::SixCardFortunePaiGow;
        let asked = ProfileSetRequest { game, decks: 1, seats: 6, ..Default::default() };
        let chosen = Chosen::check(DeviceKind::PaiGow, &asked, Role::Floorperson, 0).ok();
        let device = PaiGow::new(CommonServices::new(DeviceKind::PaiGow, chosen), &mut store);
        let node_of = Node::new(identity(DeviceKind::PaiGow), guard, ResetCause::PowerOn, 0);
        let generator = At { node: node_of, device, store };

        let mut bank = Controller::new(node(1), KeyRing::simulation(), 9 << 32);
        bank.trust(SHUFFLER, RoleKey::new(SHUFFLERS_KEY)).expect("room");
        let mut pit = Self { shuffler, generator, bank, now: Instant::START, answers: Vec::new() };
        pit.run_for(3_000);
        let shuffled_by = ShuffledBy::Certificate;
        let house = HouseRequest { shuffled_by, ..HouseRequest::default() };
        pit.bank.ask(GENERATOR, Role::Floorperson, &house, pit.now, PATIENCE).expect("room");
        assert_eq!(pit.answer(), Outcome::Accepted);
        pit
    }

    fn run_for(&mut self, milliseconds: u64) {
        for _ in 0..milliseconds / 5 {
            self.now += Millis::new(5);
            let Self { shuffler, generator, bank, now, .. } = self;
            let mut room = [0; ANSWER_BYTES];
            let At { node, device, store } = shuffler;
            while let Some(sent) = node.next(0, *now, device, store, &mut room) {
                bank.receive(&sent, *now);
            }
            let At { node, device, store } = generator;
            while let Some(sent) = node.next(0, *now, device, store, &mut room) {
                bank.receive(&sent, *now);
            }
            let mut room = [0; OBJECT_BYTES];
            while let Some(Transfer { header, payload }) = bank.next(*now, &mut room) {
                let asked = Transfer { header, payload };
                let At { node, device, store } = shuffler;
                node.receive(0, &asked, *now, device, store);
                let At { node, device, store } = generator;
                node.receive(0, &asked, *now, device, store);
            }
            let mut room = [0; OBJECT_BYTES];
            while let Some(notice) = bank.poll(*now, &mut room) {
                if let Notice::Answered { outcome, .. } = notice {
                    self.answers.push(outcome);
                }
            }
        }
    }

    fn answer(&mut self) -> Outcome {
        self.run_for(1_000);
        self.answers.pop().expect("answered")
    }

    fn publish(&mut self, state: CertificateState, reason: Reason, batch: Batch, cards: u16) {
        let certificate = Certificate { state, reason, batch, cards, ..Certificate::default() };
        self.shuffler.node.publish(&certificate, Priority::High, self.now);
        self.run_for(100);
    }

    fn release(&mut self, batch: Batch) {
        self.publish(CertificateState::None, Reason::Released, batch, 53);
    }

    fn forward(&mut self, round: u16) -> Outcome {
        let ticket = self.bank.forward_certificate(SHUFFLER, GENERATOR, round, self.now, PATIENCE);
        ticket.expect("something to forward");
        self.answer()
    }

    fn state(&self) -> State {
        self.generator.device.state()
    }
}

/// PG-10: the bytes that the shuffler sealed arm the generator; the deck of the next round does not get in
/// between, and a revocation goes the same way.
#[test]
fn what_the_shuffler_seals_reaches_the_generator() {
    let mut pit = Pit::new();
    let none = pit.bank.forward_certificate(SHUFFLER, GENERATOR, 1, pit.now, PATIENCE);
    assert_eq!(none, Err(CannotAsk::NoCertificate));
    let stranger = pit.bank.forward_certificate(node(99), GENERATOR, 1, pit.now, PATIENCE);
    assert_eq!(stranger, Err(CannotAsk::UnknownNode));

    pit.publish(CertificateState::Issued, Reason::WholeCycle, Batch::First, 53);
    let none = pit.bank.forward_certificate(SHUFFLER, GENERATOR, 1, pit.now, PATIENCE);
    assert_eq!(none, Err(CannotAsk::NoCertificate), "issued is not released");
    pit.release(Batch::First);
    pit.publish(CertificateState::Issued, Reason::WholeCycle, Batch::Second, 53);
    assert_eq!(pit.forward(3), Outcome::Accepted);
    assert_eq!(pit.state(), State::WaitingBets(3));
    assert_eq!(pit.forward(3), Outcome::NotCertified, "once");

    pit.publish(CertificateState::Revoked, Reason::Lid, Batch::None, 0);
    assert_eq!(pit.forward(3), Outcome::Accepted);
    assert_eq!(pit.state(), State::Idle);
    pit.release(Batch::Second);
    assert_eq!(pit.forward(3), Outcome::Accepted);
    assert_eq!(pit.state(), State::WaitingBets(3));
}
