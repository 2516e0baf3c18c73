//! A whole generator: every loop its image runs, from sealed command and key to lamp and link.

use std::cell::RefCell;
use std::rc::Rc;

use croupier::context::node_id;
use croupier::identity::DeviceKind;
use croupier::paigow::ports::{Key, Keys};
use croupier::paigow::{self, Front, PaiGow};
use croupier::protocol::codec::{Request, Sealed};
use croupier::protocol::generated::croupier::common::{
    Game, ProfileSetRequest, Result as Outcome, Role,
};
use croupier::protocol::generated::croupier::paigow::{ArmRequest, Number, Signal};
use croupier::time::Millis;

use super::bank::{Bank, Link};
use super::parts::{Fingers, SharedDisplay, Source};
use super::world::{Flash, Loop, Running, open};

const KIND: DeviceKind = DeviceKind::PaiGow;

/// Keys that a test presses while the loop has them.
#[derive(Clone, Default)]
struct SharedFingers(Rc<RefCell<Fingers>>);

impl Keys for SharedFingers {
    fn is_down(&mut self, key: Key) -> bool {
        self.0.borrow_mut().is_down(key)
    }
}

struct Table {
    running: Running<PaiGow>,
    fingers: SharedFingers,
    display: SharedDisplay,
    serial: Bank,
    can: Bank,
}

impl Table {
    fn new() -> Self {
        let context = open(KIND, Flash::new(3)).around(PaiGow::new);
        let mut running = Running::new(KIND, &[0x5A; 700], context);
        let (fingers, display) = (SharedFingers::default(), SharedDisplay::default());
        let (keys, world) = (fingers.clone(), running.world.clone());
        let front = Front::new(display.clone(), Source::default());
        let handle = running.another_handle();
        running.spawn(async move {
            let check_in = world.check_in(Loop::Game);
            paigow::run(front, keys, handle, world, check_in).await
        });
        let (serial, can) = (Bank::new(Link::Serial), Bank::new(Link::Can));
        let mut table = Self { running, fingers, display, serial, can };
        table.run_for(2_500);
        table
    }

    fn run_for(&mut self, milliseconds: u64) {
        for _ in 0..milliseconds {
            self.running.millisecond();
            self.serial.carry(&self.running.world);
            self.can.carry(&self.running.world);
        }
    }

    fn ask<R: Request + Sealed>(&mut self, role: Role, asked: &R) -> Outcome {
        let now = self.running.world.0.now.get();
        self.can.ask(node_id(KIND), role, asked, now);
        self.run_for(500);
        self.can.answer::<R::Response>().expect("answered").0
    }

    fn tap(&mut self, key: Key) {
        for down in [true, false] {
            self.fingers.0.borrow_mut().0[key as usize] = down;
            self.run_for(30);
        }
    }
}

/// PG-09, PG-10, PG-15: game and round over the bus, the draw by the key, the number on both links.
#[test]
fn a_round_is_played_by_the_loops_of_the_image() {
    let mut table = Table::new();
    let game = Game::SixCardFortunePaiGow;
    let profile = ProfileSetRequest { game, decks: 1, seats: 6, ..ProfileSetRequest::default() };
    assert_eq!(table.ask(Role::Floorperson, &profile), Outcome::Accepted);
    table.tap(Key::Draw);
    assert!(table.display.is_dark(), "not armed");
    for signal in [Signal::ShuffleComplete, Signal::BetsClosed] {
        let arm = ArmRequest { round: 7, signal, ..ArmRequest::default() };
        assert_eq!(table.ask(Role::Controller, &arm), Outcome::Accepted);
    }
    table.tap(Key::Draw);
    let seen = table.display.number().expect("a number is lit");
    table.run_for(20);
    for bank in [&table.serial, &table.can] {
        let events: Vec<_> = bank.events::<Number>().iter().map(|n| (n.round, n.number)).collect();
        assert_eq!(events, [(7, seen)]);
    }
    for of in [Loop::Serial, Loop::Can, Loop::Services, Loop::Game] {
        assert!(table.running.world.longest_silence(of) <= Millis::new(110));
    }
}
