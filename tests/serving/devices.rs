//! All devices with their nodes, stirred, asked and cut off from power by chance. The fuzz target uses
//! this file too.

// The fuzz target comes by another way to this file: the paths hold for both.
#[path = "flash.rs"]
mod flash;
#[path = "surroundings.rs"]
mod surroundings;

use croupier::context::{CAN, ContextDevice, DeviceContext, SERIAL, node_id};
use croupier::identity::{Build, DeviceKind, Identity, Uid, Version};
use croupier::node::{ANSWER_BYTES, Device, SERVICES, Service, service};
use croupier::paigow::PaiGow;
use croupier::protocol::codec::{Object, Request};
use croupier::protocol::generated::croupier::common::{
    CheckAction, CheckStep, CheckVerdict, ClockSetRequest, Game, InspectionRequest,
    InspectionResponse, NextSequenceRequest, ProfileSetRequest, Result as Outcome, Role,
};
use croupier::protocol::keys::{KeyPolicy, RoleKey};
use croupier::protocol::seal::{Address, SEAL_BYTES, seal};
use croupier::protocol::transfer::{Header, NodeId, Port, Priority, Transfer};
use croupier::reader::Reader;
use croupier::safety::ResetCause;
use croupier::services::{CommonServices, Measured, StoreHandle};
use croupier::shuffler::{Model, Shuffler};
use croupier::time::{Instant, Millis};
use flash::Flash;
use surroundings::Stir;

type Handle = StoreHandle<Flash>;

const ROLES: [Role; 4] = [Role::Dealer, Role::Floorperson, Role::Service, Role::Controller];
const NOON: u64 = 1_790_000_000_000;

/// Where everything that is left to chance comes from.
pub trait Chance {
    fn byte(&mut self) -> u8;

    fn roll(&mut self, sides: usize) -> usize {
        usize::from(u16::from_le_bytes([self.byte(), self.byte()])) % sides
    }

    fn one_in(&mut self, sides: usize) -> bool {
        self.roll(sides) == 0
    }
}

/// A device that can be stirred by what is around it, and asked.
pub trait Served {
    /// Something happens to it, as on a table or as on none.
    fn stir(&mut self, dice: &mut dyn Chance);
    /// Somebody with a key asks something; the service and the result of each answer.
    fn ask(&mut self, dice: &mut dyn Chance) -> Vec<(u16, u8)>;
}

/// What is left of a fuzzer's input; zeros behind its end.
struct Input<'a>(&'a [u8]);

impl Chance for Input<'_> {
    fn byte(&mut self) -> u8 {
        self.0.split_off_first().copied().unwrap_or(0)
    }
}

/// Plays a device as these bytes say, until they end: the whole of the fuzz target.
pub fn play(input: &[u8]) {
    let mut input = Input(input);
    let kinds = [DeviceKind::Reader, DeviceKind::Shuffler, DeviceKind::PaiGow];
    let kind = kinds[usize::from(input.byte()) % 3];
    let mut device = any(kind, &mut input);
    while !input.0.is_empty() {
        device.stir(&mut input);
        device.ask(&mut input);
    }
}

/// A device of this kind that has just started, with or without its time and its game, and in or out of
/// service.
pub fn any(kind: DeviceKind, dice: &mut dyn Chance) -> Box<dyn Served> {
    match kind {
        DeviceKind::Reader => Life::begin(kind, Box::new(Reader::new), dice),
        DeviceKind::PaiGow => Life::begin(kind, Box::new(PaiGow::new), dice),
        DeviceKind::Shuffler => {
            let all = [Model::SingleDeck, Model::MultiDeck, Model::Continuous];
            let model = all[dice.roll(3)];
            let make = move |services, store: &mut Handle| Shuffler::new(services, model, store);
            Life::begin(kind, Box::new(make), dice)
        }
    }
}

/// Makes a device around its services, with what its store remembers.
type Make<D> = Box<dyn Fn(CommonServices, &mut Handle) -> D>;

fn power_on<D>(kind: DeviceKind, flash: &Flash, make: &Make<D>) -> DeviceContext<D, Handle> {
    let version = Version { major: 0, minor: 1, patch: 0 };
    let build = Build { version, commit: None, profile: "test", compiler: "rustc" };
    let serial = Uid([7; 12]);
    let identity = Identity { maker: "croupier", kind, board: "host", serial, build, image: None };
    let store = StoreHandle::open(flash.clone());
    let cause = (&ResetCause::PowerOn, 0);
    DeviceContext::open(identity, cause, store, KeyPolicy::Simulation).around(make)
}

struct Life<D> {
    kind: DeviceKind,
    flash: Flash,
    make: Make<D>,
    context: DeviceContext<D, Handle>,
    now: Instant,
    transfer_id: u64,
    /// The highest number in a seal of the device.
    heard: u64,
    /// The last answer.
    answer: Vec<u8>,
    /// What was asked last.
    last: Option<(&'static Service, Role, Vec<u8>)>,
}

impl<D: Device<Handle> + ContextDevice + Stir + 'static> Life<D> {
    fn begin(kind: DeviceKind, make: Make<D>, dice: &mut dyn Chance) -> Box<dyn Served> {
        let flash = Flash::new(dice.byte().into());
        let context = power_on(kind, &flash, &make);
        let (now, transfer_id, heard) = (Instant::START, 0, 0);
        let (answer, last) = (Vec::new(), None);
        let mut life = Self { kind, flash, make, context, now, transfer_id, heard, answer, last };
        if !dice.one_in(4) {
            let utc_ms = if dice.one_in(4) { number(dice) } else { NOON };
            life.tell(Role::Service, &ClockSetRequest { utc_ms, ..Default::default() });
        }
        if !dice.one_in(4) {
            let (game, decks) = match kind {
                DeviceKind::PaiGow => (Game::SixCardFortunePaiGow, 1),
                DeviceKind::Shuffler if dice.one_in(2) => (Game::FlopPoker, 1),
                DeviceKind::Reader if dice.one_in(2) => (Game::DownUnderBlackjack, 6),
                _ => (Game::FreeBet, 6),
            };
            let game = ProfileSetRequest { game, decks, seats: 6, ..Default::default() };
            life.tell(Role::Floorperson, &game);
        }
        if !dice.one_in(4) {
            life.bring_into_service();
        }
        Box::new(life)
    }

    /// Does what brings a device into service: of the reader a brand and a passed check.
    fn bring_into_service(&mut self) {
        let DeviceContext { device, store, .. } = &mut self.context;
        device.settle(self.now, store);
        if self.kind != DeviceKind::Reader {
            return;
        }
        let begin = InspectionRequest {
            action: CheckAction::Begin,
            inspector: 7,
            seal_number: 4711,
            ..InspectionRequest::default()
        };
        self.tell(Role::Floorperson, &begin);
        while let Some((CheckVerdict::Open, task)) = self.look() {
            self.now += Millis::new(100);
            let DeviceContext { device, store, .. } = &mut self.context;
            device.take_step(task, self.now, store);
            if !matches!(task.0, CheckStep::SelfTest | CheckStep::PressKey | CheckStep::InsertCard)
            {
                let action = CheckAction::Confirm;
                self.tell(Role::Floorperson, &InspectionRequest { action, ..Default::default() });
            }
        }
    }

    /// How far the check is and what it waits for.
    fn look(&mut self) -> Option<(CheckVerdict, (CheckStep, u8))> {
        self.tell(Role::Floorperson, &InspectionRequest::default());
        let at = InspectionResponse::decode(&self.answer).ok()?;
        (at.answer.result == Outcome::Accepted && at.steps > 0)
            .then_some((at.verdict, (at.task, at.item)))
    }

    /// Power goes and comes back; the flash has kept what it had.
    fn cut_power(&mut self, dice: &mut dyn Chance) {
        self.flash.restore_power();
        self.context = power_on(self.kind, &self.flash, &self.make);
        (self.now, self.heard) = (Instant::START, 0);
        if !dice.one_in(4) {
            let DeviceContext { device, store, .. } = &mut self.context;
            device.settle(self.now, store);
        }
    }

    fn tell<R: Request>(&mut self, role: Role, request: &R) {
        let mut room = [0; ANSWER_BYTES];
        let length = request.encode(&mut room).expect("room");
        let id = service(self.kind, R::SERVICE).expect("each device has it");
        self.send((SERIAL, Priority::Nominal), id, role, &mut room[..length]);
    }

    /// Seals a payload with the next number and has it served; the results that came back.
    fn send(
        &mut self,
        (link, priority): (usize, Priority),
        asked: &Service,
        role: Role,
        payload: &mut [u8],
    ) -> Vec<(u16, u8)> {
        let (here, source) = (node_id(self.kind), NodeId::new(1).expect("below 128"));
        let port = Port::Request(asked.id, here);
        let DeviceContext { node, device, store } = &mut self.context;
        // A device whose flash failed when it started takes no command.
        let Some(next) = node.guard().next_sequence(role) else { return Vec::new() };
        let asks_next = asked.id == NextSequenceRequest::SERVICE;
        let sequence = if asks_next { self.heard } else { next };
        let address = Address { source, port };
        seal(&RoleKey::simulation(role), role, sequence, address, payload).expect("room");
        self.transfer_id += 1;
        let transfer_id = self.transfer_id;
        let header = Header { priority, port, source: Some(source), transfer_id };
        node.receive(link, &Transfer { header, payload }, self.now, device, store);
        self.context.publish(self.now);
        self.drain()
    }

    /// Takes all that both links have to send.
    fn drain(&mut self) -> Vec<(u16, u8)> {
        let mut results = Vec::new();
        let DeviceContext { node, device, store } = &mut self.context;
        for link in [SERIAL, CAN] {
            let mut room = [0; ANSWER_BYTES];
            while let Some(sent) = node.next(link, self.now, device, store, &mut room) {
                if let Port::Response(id, _) = sent.header.port {
                    results.push((id.get(), sent.payload[8]));
                    self.answer = sent.payload.to_vec();
                }
                if let Some((rest, _)) = sent.payload.split_last_chunk::<17>()
                    && let Some((_, number)) = rest.split_last_chunk()
                {
                    self.heard = self.heard.max(u64::from_le_bytes(*number));
                }
            }
        }
        results
    }
}

impl<D: Device<Handle> + ContextDevice + Stir + 'static> Served for Life<D> {
    fn stir(&mut self, dice: &mut dyn Chance) {
        let wait = match dice.roll(2_000) {
            0 => number(dice) >> 20, // half a million years at most
            1..100 => 60_000,
            _ => dice.roll(400) as u64,
        };
        self.now += Millis::new(wait);
        match dice.roll(1_000) {
            0..2 => self.cut_power(dice),
            // It goes at this write, and the device lives on without its flash.
            2 => self.flash.cut_power_after(dice.roll(40) as u64),
            _ => {}
        }
        let DeviceContext { node, device, store } = &mut self.context;
        device.services().service_switch = dice.one_in(64);
        let attestation = &mut device.services().attestation;
        if let Some(nonce) = attestation.wanted().filter(|_| dice.one_in(2)) {
            attestation.measured(nonce, Measured { length: 700, digest: [dice.byte(); 32] });
        }
        device.stir(dice, self.now, store);
        if dice.one_in(4) {
            node.tick(self.now, store);
        }
        self.context.publish(self.now);
    }

    fn ask(&mut self, dice: &mut dyn Chance) -> Vec<(u16, u8)> {
        let link = (
            [SERIAL, CAN][dice.roll(2)],
            Priority::from_code(dice.roll(8) as u8).expect("below eight"),
        );
        if let Some((asked, role, mut payload)) = self.last.clone().filter(|_| dice.one_in(8)) {
            return self.send(link, asked, role, &mut payload);
        }
        let asked = &SERVICES[dice.roll(SERVICES.len())];
        let Some(asked) = service(self.kind, asked.id) else { return Vec::new() };
        let able = dice.roll(8) != 0;
        let may = |role: &Role| !able || asked.asked_by.contains(*role);
        let roles: Vec<Role> = ROLES.into_iter().filter(may).collect();
        let role = roles[dice.roll(roles.len())];
        let mut payload = vec![0; asked.request];
        let content = asked.request - SEAL_BYTES;
        fill(&mut payload[..content], dice);
        if dice.one_in(2) {
            make_sense(asked.id.get(), &mut payload, self.kind, dice);
        }
        self.last = Some((asked, role, payload.clone()));
        self.send(link, asked, role, &mut payload)
    }
}

/// Codes that are in lists, numbers at their ends, and noise.
fn fill(content: &mut [u8], dice: &mut dyn Chance) {
    let noise = dice.one_in(8);
    let mut at = 0;
    while at < content.len() {
        let width = [1, 1, 1, 1, 2, 4, 8, 8][dice.roll(8)].min(content.len() - at);
        let word = if noise || width > 1 { number(dice) } else { dice.roll(10) as u64 };
        content[at..at + width].copy_from_slice(&word.to_le_bytes()[..width]);
        at += width;
    }
}

/// Games as the wire writes them: game, decks, dealing, seats.
const GAMES: [[u8; 4]; 4] = [
    [Game::FreeBet.code(), 6, 2, 6],
    [Game::DownUnderBlackjack.code(), 6, 2, 6],
    [Game::FlopPoker.code(), 1, 1, 6],
    [Game::SixCardFortunePaiGow.code(), 1, 1, 6],
];

/// Troubles that a device may have.
const TROUBLES: [u8; 16] = [2, 5, 13, 34, 35, 37, 41, 64, 66, 67, 74, 75, 77, 82, 130, 131];

/// Puts numbers into the request that a table would send.
fn make_sense(id: u16, payload: &mut [u8], kind: DeviceKind, dice: &mut dyn Chance) {
    match id {
        256 => payload[..4].copy_from_slice(&GAMES[dice.roll(4)]),
        264 => {
            let likely = match kind {
                DeviceKind::Reader => [34, 37],
                DeviceKind::Shuffler => [64, 75],
                DeviceKind::PaiGow => [130, 5],
            };
            let of = if dice.one_in(2) { &TROUBLES[..] } else { &likely[..] };
            payload[0] = of[dice.roll(of.len())];
        }
        288 | 289 | 291 | 352 | 353 => {
            payload[..2].copy_from_slice(&[dice.roll(4) as u8, 0]);
            if id == 288 || id == 352 {
                payload[2] = dice.roll(7) as u8;
            }
        }
        320 => {
            payload[..3].copy_from_slice(&[
                dice.roll(9) as u8,
                dice.roll(6) as u8,
                dice.roll(3) as u8,
            ]);
        }
        258 if kind == DeviceKind::Reader => payload[0] = CheckAction::Look.code(),
        _ => {}
    }
}

/// A number that is likely to hurt.
fn number(dice: &mut dyn Chance) -> u64 {
    let ends = [0, 1, NOON, u64::MAX, i64::MAX as u64, 1 << 63, 1 << 31, 0x7FFF, 0xFFFF_FFFF];
    match dice.roll(3) {
        0 => ends[dice.roll(ends.len())],
        1 => ends[dice.roll(ends.len())].wrapping_add(dice.roll(5) as u64).wrapping_sub(2),
        _ => u64::from_le_bytes(core::array::from_fn(|_| dice.byte())),
    }
}
