//! One device, one controller, and a link between them with faults from a seed.

use crate::dice::Dice;
use croupier::controller::{Controller, Notice, OBJECT_BYTES};
use croupier::identity::{Build, DeviceKind, Identity, Uid, Version};
use croupier::node::{ANSWER_BYTES, Command, Device, Guard, Node, Refused, Reply, StatusSummary};
use croupier::protocol::codec::Request;
use croupier::protocol::generated::croupier::common::{
    Activity, Condition, Game, NextStep, ResetCause, Result as Outcome, Role, Seal, Stamp,
};
use croupier::protocol::generated::croupier::reader::{
    ArmRequest, ArmResponse, Reading, RoundEndRequest, UpCard, Verdict,
};
use croupier::protocol::keys::{KeyPolicy, KeyRing};
use croupier::protocol::transfer::{Header, NodeId, Priority, Transfer};
use croupier::store::{NorModel, Store};
use croupier::time::{Instant, Millis};

pub type Flash = NorModel<2048, 4>;
pub type Bank = Controller<4, 4, 16>;
pub type Reader = Node<2, 64>;

pub const READER: u8 = 10;
pub const CONTROLLER: u8 = 1;

pub fn node(number: u8) -> NodeId {
    NodeId::new(number).expect("a node number")
}

/// A reader that notes which commands it got.
#[derive(Default)]
pub struct Puppet {
    pub armed: Vec<(Role, u16, UpCard)>,
    pub switch: bool,
}

impl<S> Device<S> for Puppet {
    fn status_summary(&self) -> StatusSummary {
        StatusSummary {
            game: Game::FreeBet,
            decks: 6,
            condition: Condition::InService,
            activity: if self.armed.is_empty() { Activity::Idle } else { Activity::Armed },
            next_step: NextStep::None,
            cleared_by: Role::Device,
        }
    }

    fn service_switch_closed(&self) -> bool {
        self.switch
    }

    fn obey(&mut self, command: &Command<'_>, reply: &mut Reply, _: &mut S) -> Result<(), Refused> {
        match command.service {
            ArmRequest::SERVICE => {
                let arm: ArmRequest = command.decode()?;
                self.armed.push((command.role, arm.round, arm.up_card));
                reply.say(&ArmResponse::default())
            }
            RoundEndRequest::SERVICE => Err(Refused::OutOfTurn),
            _ => Err(Refused::NotFound),
        }
    }
}

/// A transfer on its way.
#[derive(Clone, Debug)]
pub struct Flight {
    pub due: Instant,
    pub header: Header,
    pub payload: Vec<u8>,
}

impl Flight {
    pub fn transfer(&self) -> Transfer<'_> {
        Transfer { header: self.header, payload: &self.payload }
    }
}

/// What the link does to transfers, in chances out of a thousand.
#[derive(Clone, Copy, Default)]
pub struct Faults {
    pub drop: u64,
    pub repeat: u64,
    /// Each transfer takes up to this time, so that they overtake each other.
    pub delay: Millis,
}

/// What the controller's user wrote down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Received {
    Event { start: u8, number: u32, payload: Vec<u8> },
    Lost { start: u8, first: u32, last: u32 },
    Restarted,
    Silent,
    Back,
    Found,
    Identified(Option<DeviceKind>),
    Answered(Outcome),
    Unanswered { sent: bool },
}

/// Everything, and the time.
pub struct Table {
    pub now: Instant,
    booted: Instant,
    pub reader: Reader,
    pub device: Puppet,
    pub store: Store<Flash>,
    pub bank: Bank,
    pub faults: Faults,
    /// While set, nothing passes and no link takes anything.
    pub cut: bool,
    dice: Dice,
    pub to_reader: Vec<Flight>,
    pub to_bank: Vec<Flight>,
    pub recording: Vec<Flight>,
    pub received: Vec<Received>,
}

pub fn identity() -> Identity {
    Identity {
        maker: "croupier",
        kind: DeviceKind::Reader,
        board: "host",
        serial: Uid([7; 12]),
        build: Build {
            version: Version { major: 0, minor: 1, patch: 0 },
            commit: None,
            profile: "test",
            compiler: "rustc",
        },
        image: None,
    }
}

fn boot(store: &mut Store<Flash>) -> Reader {
    let keys = KeyRing::load(store, KeyPolicy::Simulation).expect("readable");
    let guard = Guard::new(node(READER), keys, store);
    Node::new(identity(), guard, ResetCause::PowerOn, 0)
}

impl Table {
    pub fn new(seed: u64) -> Self {
        let mut store = Store::open(Flash::new(seed)).expect("blank flash opens");
        Self {
            now: Instant::START,
            booted: Instant::START,
            reader: boot(&mut store),
            device: Puppet::default(),
            store,
            bank: Bank::new(node(CONTROLLER), KeyRing::simulation(), seed << 32),
            faults: Faults::default(),
            cut: false,
            dice: Dice(seed),
            to_reader: Vec::new(),
            to_bank: Vec::new(),
            recording: Vec::new(),
            received: Vec::new(),
        }
    }

    /// Cuts the device's power and boots it again from its flash.
    pub fn restart_reader(&mut self) {
        let spare = Store::open(Flash::new(0)).expect("blank flash opens");
        let flash = core::mem::replace(&mut self.store, spare).release();
        self.store = Store::open(flash).expect("opens");
        self.reader = boot(&mut self.store);
        self.booted = self.now;
    }

    /// The time by the reader's clock.
    pub fn uptime(&self) -> Instant {
        Instant::START + self.now.since(self.booted)
    }

    /// The reader publishes its next verdict; returns the number that this event got.
    pub fn publish(&mut self, round: u16) -> u32 {
        let verdict = Verdict {
            stamp: Stamp::default(),
            round,
            reading: Reading::NoBlackjack,
            tries: 1,
            expose: false,
            seal: Seal::default(),
        };
        let now = self.uptime();
        self.reader.publish(&verdict, Priority::High, now).expect("room for numbers")
    }

    pub fn run_for(&mut self, milliseconds: u64) {
        for _ in 0..milliseconds {
            self.millisecond();
        }
    }

    fn millisecond(&mut self) {
        self.now += Millis::new(1);
        self.land();
        let up = self.uptime();
        if up.as_millis().is_multiple_of(100) {
            self.reader.tick(up, &mut self.store);
        }
        if !self.cut {
            let mut room = [0; ANSWER_BYTES];
            let sent = self.reader.next(0, up, &self.device, &mut self.store, &mut room);
            if let Some(transfer) = sent {
                let flight = self.fly(transfer);
                self.recording.push(flight.clone());
                post(&mut self.to_bank, flight, &self.faults, &mut self.dice);
            }
            let mut room = [0; OBJECT_BYTES];
            if let Some(transfer) = self.bank.next(self.now, &mut room) {
                let flight = self.fly(transfer);
                self.recording.push(flight.clone());
                post(&mut self.to_reader, flight, &self.faults, &mut self.dice);
            }
        }
        self.listen();
    }

    /// Both framings must do, so the transfer-ID keeps no more than CAN's five bits.
    fn fly(&self, transfer: Transfer<'_>) -> Flight {
        let mut header = transfer.header;
        header.transfer_id &= 31;
        Flight { due: self.now + Millis::new(1), header, payload: transfer.payload.to_vec() }
    }

    fn land(&mut self) {
        let (now, up) = (self.now, self.uptime());
        if self.cut {
            self.to_reader.clear();
            self.to_bank.clear();
        }
        for flight in self.to_reader.extract_if(.., |flight| flight.due <= now) {
            let (device, store) = (&mut self.device, &mut self.store);
            self.reader.receive(0, &flight.transfer(), up, device, store);
        }
        for flight in self.to_bank.extract_if(.., |flight| flight.due <= now) {
            self.bank.receive(&flight.transfer(), now);
        }
    }

    pub fn listen(&mut self) {
        let mut room = [0; OBJECT_BYTES];
        while let Some(notice) = self.bank.poll(self.now, &mut room) {
            self.received.push(match notice {
                Notice::Event { stamp, payload, .. } => Received::Event {
                    start: stamp.start,
                    number: stamp.number,
                    payload: payload.to_vec(),
                },
                Notice::Lost { start, first, last, .. } => Received::Lost { start, first, last },
                Notice::Restarted(_) => Received::Restarted,
                Notice::Silent(_) => Received::Silent,
                Notice::Back(_) => Received::Back,
                Notice::Found(_) => Received::Found,
                Notice::Identified(_, plate) => Received::Identified(plate.kind),
                Notice::Answered { outcome, .. } => Received::Answered(outcome),
                Notice::Unanswered { sent, .. } => Received::Unanswered { sent },
                Notice::Status(..) | Notice::Progress(..) => continue,
            });
        }
    }

    /// The events received, as (start, number).
    pub fn events(&self) -> Vec<(u8, u32)> {
        let event = |received: &Received| match received {
            Received::Event { start, number, .. } => Some((*start, *number)),
            _ => None,
        };
        self.received.iter().filter_map(event).collect()
    }

    pub fn count(&self, what: &Received) -> usize {
        self.received.iter().filter(|received| *received == what).count()
    }
}

fn post(line: &mut Vec<Flight>, flight: Flight, faults: &Faults, dice: &mut Dice) {
    let copies = if dice.roll(1_000) < faults.repeat { 2 } else { 1 };
    for _ in 0..copies {
        if dice.roll(1_000) >= faults.drop {
            let late = Millis::new(dice.roll(faults.delay.get() + 1));
            line.push(Flight { due: flight.due + late, ..flight.clone() });
        }
    }
}
