//! All devices with their nodes, stirred and asked by chance. The fuzz target uses this file too.

use std::num::NonZeroU8;

use croupier::context::{CAN, ContextDevice, DeviceContext, SERIAL, node_id};
use croupier::identity::{Build, DeviceKind, Identity, Uid, Version};
use croupier::node::{ANSWER_BYTES, Device, SERVICES, Service, service};
use croupier::paigow::{self, PaiGow};
use croupier::panel::KeyEvent;
use croupier::protocol::codec::Request;
use croupier::protocol::generated::croupier::common::{
    ClockSetRequest, Game, NextSequenceRequest, ProfileSetRequest, Role,
};
use croupier::protocol::keys::{KeyPolicy, RoleKey};
use croupier::protocol::seal::{Address, SEAL_BYTES, seal};
use croupier::protocol::transfer::{Header, NodeId, Port, Priority, Transfer};
use croupier::reader::nest::NestEvent;
use croupier::reader::{self, Reader, inputs::Done};
use croupier::safety::ResetCause;
use croupier::services::StoreHandle;
use croupier::shuffler::{Back, Beam, Contact, Event, Look, Model, Shuffler, Want};
use croupier::store::NorModel;
use croupier::time::{Instant, Millis};

type Flash = NorModel<2048, 4>;
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
    /// Somebody with a key asks something; the results of all answers.
    fn ask(&mut self, dice: &mut dyn Chance) -> Vec<u8>;
}

/// A device of this kind that has just started, with or without its time and its game.
pub fn any(kind: DeviceKind, dice: &mut dyn Chance) -> Box<dyn Served> {
    let version = Version { major: 0, minor: 1, patch: 0 };
    let build = Build { version, commit: None, profile: "test", compiler: "rustc" };
    let serial = Uid([7; 12]);
    let identity = Identity { maker: "croupier", kind, board: "host", serial, build, image: None };
    let store = StoreHandle::open(Flash::new(3));
    let cause = (&ResetCause::PowerOn, 0);
    let context = DeviceContext::open(identity, cause, store, KeyPolicy::Simulation);
    match kind {
        DeviceKind::Reader => Life::begin(kind, context.around(Reader::new), dice),
        DeviceKind::PaiGow => Life::begin(kind, context.around(PaiGow::new), dice),
        DeviceKind::Shuffler => {
            let all = [Model::SingleDeck, Model::MultiDeck, Model::Continuous];
            let model = all[dice.roll(3)];
            let make = |services, store: &mut Handle| Shuffler::new(services, model, store);
            Life::begin(kind, context.around(make), dice)
        }
    }
}

struct Life<D> {
    kind: DeviceKind,
    context: DeviceContext<D, Handle>,
    now: Instant,
    transfer_id: u64,
}

impl<D: Device<Handle> + ContextDevice + Stir + 'static> Life<D> {
    fn begin(
        kind: DeviceKind,
        context: DeviceContext<D, Handle>,
        dice: &mut dyn Chance,
    ) -> Box<dyn Served> {
        let mut life = Self { kind, context, now: Instant::START, transfer_id: 0 };
        if !dice.one_in(4) {
            let utc_ms = if dice.one_in(2) { NOON } else { number(dice) };
            life.tell(Role::Service, &ClockSetRequest { utc_ms, ..Default::default() });
        }
        if !dice.one_in(4) {
            let (game, decks) = match kind {
                DeviceKind::PaiGow => (Game::SixCardFortunePaiGow, 1),
                DeviceKind::Shuffler if dice.one_in(2) => (Game::FlopPoker, 1),
                _ => (Game::FreeBet, 6),
            };
            let game = ProfileSetRequest { game, decks, seats: 6, ..Default::default() };
            life.tell(Role::Floorperson, &game);
        }
        Box::new(life)
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
    ) -> Vec<u8> {
        let (here, source) = (node_id(self.kind), NodeId::new(1).expect("below 128"));
        let port = Port::Request(asked.id, here);
        let DeviceContext { node, device, store } = &mut self.context;
        let sequence = node.guard().next_sequence(role).expect("an open guard");
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
    fn drain(&mut self) -> Vec<u8> {
        let mut results = Vec::new();
        let DeviceContext { node, device, store } = &mut self.context;
        for link in [SERIAL, CAN] {
            let mut room = [0; ANSWER_BYTES];
            while let Some(sent) = node.next(link, self.now, device, store, &mut room) {
                if matches!(sent.header.port, Port::Response(..)) {
                    results.push(sent.payload[8]);
                }
            }
        }
        results
    }
}

impl<D: Device<Handle> + ContextDevice + Stir + 'static> Served for Life<D> {
    fn stir(&mut self, dice: &mut dyn Chance) {
        let wait = match dice.roll(200) {
            0 => number(dice) >> 20, // half a million years at most
            1..20 => 60_000,
            _ => dice.roll(400) as u64,
        };
        self.now += Millis::new(wait);
        let DeviceContext { node, device, store } = &mut self.context;
        device.services().service_switch = dice.one_in(64);
        device.stir(dice, self.now, store);
        if dice.one_in(4) {
            node.tick(self.now, store);
        }
        self.context.publish(self.now);
    }

    fn ask(&mut self, dice: &mut dyn Chance) -> Vec<u8> {
        let asked = &SERVICES[dice.roll(SERVICES.len())];
        let Some(asked) = service(self.kind, asked.id) else { return Vec::new() };
        let roles = ROLES.map(|role| (role, asked.asked_by.contains(role)));
        let able = dice.roll(8) != 0;
        let role = loop {
            let (role, may) = roles[dice.roll(4)];
            if may || !able || asked.id == NextSequenceRequest::SERVICE {
                break role;
            }
        };
        let mut payload = vec![0; asked.request];
        let content = asked.request - SEAL_BYTES;
        fill(&mut payload[..content], dice);
        let priority = Priority::from_code(dice.roll(8) as u8).expect("below eight");
        let link = [SERIAL, CAN][dice.roll(2)];
        self.send((link, priority), asked, role, &mut payload)
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

/// A number that is likely to hurt.
fn number(dice: &mut dyn Chance) -> u64 {
    let ends = [0, 1, NOON, u64::MAX, i64::MAX as u64, 1 << 63, 1 << 31, 0x7FFF, 0xFFFF_FFFF];
    match dice.roll(3) {
        0 => ends[dice.roll(ends.len())],
        1 => ends[dice.roll(ends.len())].wrapping_add(dice.roll(5) as u64).wrapping_sub(2),
        _ => u64::from_le_bytes(core::array::from_fn(|_| dice.byte())),
    }
}

/// What the world around a device does to it.
trait Stir {
    fn stir(&mut self, dice: &mut dyn Chance, now: Instant, store: &mut Handle);
}

fn key_event(dice: &mut dyn Chance) -> KeyEvent {
    if dice.one_in(2) { KeyEvent::Pressed } else { KeyEvent::Released }
}

impl Stir for Reader {
    fn stir(&mut self, dice: &mut dyn Chance, now: Instant, store: &mut Handle) {
        use reader::ports::Key;
        let nest = [NestEvent::Home, NestEvent::Moved, NestEvent::Found, NestEvent::Left];
        match dice.roll(12) {
            0..3 => self.key(Key::ALL[dice.roll(4)], key_event(dice), now, store),
            3..6 => self.nest(nest[dice.roll(4)], now, store),
            6 => self.done(Done::Examined(Ok(true)), now, store),
            7 => self.done(Done::SelfTested(dice.roll(9) != 0), now, store),
            8 => self.done(Done::Looked(Ok(dice.one_in(2))), now, store),
            9 => self.done(Done::Made(dice.one_in(2)), now, store),
            10 if dice.one_in(40) => self.fail(reader::Fault::Lamp(1), now, store),
            _ => self.tick(now, store),
        }
    }
}

impl Stir for PaiGow {
    fn stir(&mut self, dice: &mut dyn Chance, now: Instant, store: &mut Handle) {
        use paigow::ports::Key;
        let keys = [Key::Draw, Key::Shuffled, Key::BetsClosed, Key::RoundEnd, Key::LampTest];
        match (dice.roll(8), self.want()) {
            (0..3, _) => self.key(keys[dice.roll(5)], key_event(dice), now, store),
            (3..6, Some(paigow::Want::Draw(most))) => {
                let number = NonZeroU8::new(dice.roll(most.get().into()) as u8 + 1);
                self.drawn(Ok(number.expect("from one on")), now, store);
            }
            (_, Some(paigow::Want::Check)) => self.checked(Ok(()), now, store),
            (6, _) if dice.one_in(40) => self.fail(paigow::Fault::Selection, now, store),
            _ => {
                let lit = self.lit(now);
                self.shown(lit, Ok(()), now, store);
            }
        }
    }
}

impl Stir for Shuffler {
    fn stir(&mut self, dice: &mut dyn Chance, now: Instant, store: &mut Handle) {
        if let Some(Want::Order(count)) = self.want() {
            let order: Vec<u16> = (0..count).collect();
            self.take_order(Ok(&order), now, store);
            while self.plan_on(now, store) {}
        }
        match dice.roll(12) {
            0..4 => self.sense(Event::Beam(Beam::ALL[dice.roll(3)], dice.one_in(2)), now, store),
            4 => self.sense(Event::Contact(Contact::ALL[dice.roll(4)], dice.one_in(2)), now, store),
            5 => self.sense(Event::Seen(Look { back: Back::Unknown, light: 45 }), now, store),
            6 => self.sense(Event::Turned(dice.byte()), now, store),
            7 | 8 => self.sense(Event::Homed, now, store),
            9 => self.checked(Ok(()), store),
            _ => self.pass_time(now, store),
        }
        while self.next_action().is_some() {}
    }
}
