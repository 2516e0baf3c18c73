//! The loop around the shuffler: it goes on while an order is drawn, and plans in steps.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use crate::harness::{Ram, World, cards, chosen, node, services};
use croupier::context::{DeviceContext, node_id};
use croupier::identity::DeviceKind;
use croupier::node::Guard;
use croupier::ports::Clock;
use croupier::protocol::generated::croupier::common::{Game, Role};
use croupier::protocol::generated::croupier::shuffler::{Batch, Purpose, Task};
use croupier::shuffler::ports::{Ask, Front, Key, Keys, Mechanism, Source};
use croupier::shuffler::{
    Action, Contact, Event, Fault, Model, Shown, Shuffler, State, Table, Want,
};
use croupier::time::{Instant, Millis};
use embassy_futures::block_on;

/// The mechanism, and how often it was looked at.
struct Machine {
    world: World,
    events: VecDeque<(Event, Instant)>,
    looks: Rc<RefCell<u32>>,
}

impl Mechanism for Machine {
    fn poll(&mut self, now: Instant) -> Option<(Event, Instant)> {
        *self.looks.borrow_mut() += 1;
        while self.world.next_at().is_some_and(|at| at <= now) {
            let events = self.world.happen();
            self.events.extend(events.into_iter().map(|event| (event, self.world.now)));
        }
        self.world.now = self.world.now.max(now);
        self.events.pop_front()
    }

    fn act(&mut self, action: Action, _: Instant) {
        self.world.act(action);
    }

    async fn wait(&mut self, _: Instant) {}
}

struct Dark;

impl Front for Dark {
    fn show(&mut self, _: &Shown) {}
}

struct NoKeys;

impl Keys for NoKeys {
    fn is_down(&mut self, _: Key) -> bool {
        false
    }
}

#[derive(Clone, Default)]
struct Time(Rc<RefCell<u64>>);

impl Time {
    fn now(&self) -> Instant {
        Instant::from_millis(*self.0.borrow())
    }
}

impl Clock for Time {
    fn now(&self) -> Instant {
        Instant::from_millis(*self.0.borrow())
    }

    async fn wait_until(&mut self, at: Instant) {
        *self.0.borrow_mut() = at.as_millis();
    }
}

/// A source that answers when the test lets it.
#[derive(Clone, Default)]
struct Slow(Rc<RefCell<Asked>>);

#[derive(Default)]
struct Asked {
    asks: Vec<Ask>,
    answer: Option<Result<(), Fault>>,
    order: Vec<u16>,
}

impl Source for Slow {
    fn ask(&mut self, ask: Ask) {
        self.0.borrow_mut().asks.push(ask);
    }

    fn answer(&mut self) -> Option<Result<(), Fault>> {
        self.0.borrow_mut().answer.take()
    }

    fn take_order<R>(&mut self, use_it: impl FnOnce(&[u16]) -> R) -> R {
        use_it(&std::mem::take(&mut self.0.borrow_mut().order))
    }
}

impl Slow {
    /// Answers everything but a draw at once; the draw that waits.
    fn attend(&self) -> Option<u16> {
        let mut asked = self.0.borrow_mut();
        match asked.asks.last().copied() {
            Some(Ask::Order(count)) => Some(count),
            Some(_) => {
                asked.asks.pop();
                asked.answer = Some(Ok(()));
                None
            }
            None => None,
        }
    }

    fn draw(&self, count: u16) {
        let mut asked = self.0.borrow_mut();
        asked.asks.clear();
        asked.order = (0..count).map(|card| card * 7 % count).collect();
        asked.answer = Some(Ok(()));
    }
}

struct Rig {
    table: Table<Machine, Dark, Slow>,
    context: DeviceContext<Shuffler, Ram>,
    source: Slow,
    time: Time,
    looks: Rc<RefCell<u32>>,
}

impl Rig {
    /// A single-deck machine with a deck in its tray, on its way to an order.
    fn started() -> Self {
        let mut store = Ram::default();
        let services = services(chosen(Game::FlopPoker, 1));
        let mut shuffler = Shuffler::new(services, Model::SingleDeck, &mut store);
        let mut world = World::new(Model::SingleDeck);
        world.tray.extend(cards(52, croupier::cards::BackColour::Red));
        for contact in [Contact::LidOpen, Contact::DoorOpen, Contact::DeliveryLoaded] {
            shuffler.sense(Event::Contact(contact, false), Instant::START, &mut store);
        }
        shuffler.sense(Event::Contact(Contact::FeedLoaded, true), Instant::START, &mut store);
        let (source, time, looks) = (Slow::default(), Time::default(), Rc::default());
        let machine = Machine { world, events: VecDeque::new(), looks: Rc::clone(&looks) };
        let table = Table::new(machine, Dark, source.clone());
        let node = node(Guard::shut(node_id(DeviceKind::Shuffler)));
        let context = DeviceContext { node, device: shuffler, store };
        let mut rig = Self { table, context, source, time, looks };
        rig.table.start(Instant::START);
        rig.start();
        rig
    }

    fn start(&mut self) {
        let (task, purpose, by) = (Task::Start, Purpose::FullBatch, Role::Dealer);
        let now = self.time.now();
        let DeviceContext { device: shuffler, store, .. } = &mut self.context;
        let _ = shuffler.command(task, purpose, Batch::None, by, now, store);
    }

    /// Goes round once a millisecond, answering all but draws, until `done` or for 60 s.
    fn run_until(&mut self, done: impl Fn(&Self) -> bool) {
        for _ in 0..60_000 {
            if done(self) {
                return;
            }
            self.source.attend();
            self.pass();
        }
        panic!("never came to it: {:?}", self.state());
    }

    fn pass(&mut self) -> Instant {
        *self.time.0.borrow_mut() += 1;
        block_on(self.table.pass(&mut NoKeys, &self.time, &mut self.context))
    }

    fn state(&self) -> State {
        self.context.device.state()
    }

    fn waits_for_draw(&self) -> bool {
        self.source.attend().is_some()
    }
}

#[test]
fn the_mechanism_is_looked_at_while_an_order_is_drawn() {
    let mut rig = Rig::started();
    rig.run_until(Rig::waits_for_draw);
    let looks = *rig.looks.borrow();
    for _ in 0..20 {
        rig.pass();
    }
    assert_eq!(rig.state(), State::Drawing);
    assert_eq!(*rig.looks.borrow() - looks, 20);
    assert_eq!(rig.source.0.borrow().asks, [Ask::Order(52)], "asked once, and nothing beside it");
}

#[test]
fn a_plan_is_made_a_few_steps_in_each_pass_and_the_mechanism_is_looked_at_between() {
    let mut rig = Rig::started();
    rig.run_until(Rig::waits_for_draw);
    rig.source.draw(52);
    let (looks, before) = (*rig.looks.borrow(), rig.time.now());
    let mut passes = 0;
    while rig.state() == State::Drawing {
        rig.source.attend();
        let until = rig.pass();
        passes += 1;
        let planning = rig.state() == State::Drawing;
        assert!(
            !planning || until <= rig.time.now() + Millis::new(1),
            "the next step comes at once"
        );
        assert!(rig.context.device.want().is_none(), "it does not ask for another order");
    }
    assert_eq!(rig.state(), State::Cycling);
    assert!((200..400).contains(&passes), "{passes}");
    assert!(*rig.looks.borrow() - looks >= passes);
    assert!(rig.time.now().since(before) < Millis::new(400));
}

/// SH-42: an order that is no longer wanted is gone.
#[test]
fn an_order_for_a_cycle_that_was_stopped_is_not_used() {
    let mut rig = Rig::started();
    rig.run_until(Rig::waits_for_draw);
    let DeviceContext { device: shuffler, store, .. } = &mut rig.context;
    shuffler.sense(Event::Contact(Contact::LidOpen, true), rig.time.now(), store);
    assert!(matches!(rig.state(), State::Stopped(_)));
    rig.source.draw(52);
    rig.pass();
    assert!(matches!(rig.state(), State::Stopped(_)));
    assert!(rig.context.device.is_forgotten());
    assert!(rig.source.0.borrow().order.is_empty(), "it was taken and wiped");
}

#[test]
fn a_lid_opened_while_it_plans_stops_it_and_wipes_the_plan() {
    let mut rig = Rig::started();
    rig.run_until(Rig::waits_for_draw);
    rig.source.draw(52);
    rig.pass();
    rig.pass();
    assert!(!rig.context.device.is_forgotten(), "half a plan is a plan");
    let DeviceContext { device: shuffler, store, .. } = &mut rig.context;
    shuffler.sense(Event::Contact(Contact::LidOpen, true), rig.time.now(), store);
    assert!(rig.context.device.is_forgotten());
    rig.pass();
    assert!(matches!(rig.state(), State::Stopped(_)));
}

#[test]
fn a_source_that_fails_stops_the_machine() {
    let mut rig = Rig::started();
    rig.run_until(Rig::waits_for_draw);
    rig.source.0.borrow_mut().asks.clear();
    rig.source.0.borrow_mut().answer = Some(Err(Fault::Random(3)));
    rig.pass();
    assert_eq!(rig.state(), State::Stopped(Fault::Random(3)));
}

/// Then the loop answers no the task watchdog any more, and the device crashes.
#[test]
fn a_source_that_never_answers_is_noticed() {
    let mut rig = Rig::started();
    rig.run_until(Rig::waits_for_draw);
    let since = rig.time.now();
    while rig.table.is_sound(rig.time.now()) {
        rig.pass();
    }
    assert!((990..=1_000).contains(&rig.time.now().since(since).get()));
    assert_eq!(rig.context.device.want(), Some(Want::Order(52)));
}
