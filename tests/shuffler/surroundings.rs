//! What the shuffler's loop needs from outside, lent by the rig for one pass.
//!
//! Time stands still in a pass, so no port ever waits.

use std::collections::VecDeque;

use croupier::context::ContextPort;
use croupier::ports::Clock;
use croupier::shuffler::ports::{Ask, Front, Key, Keys, Mechanism, Source};
use croupier::shuffler::{Action, DeviceEvent, Event, Fault, Shown, Shuffler, ShufflerStore};
use croupier::time::Instant;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;

use crate::world::World;

/// The mechanism, what a test has its sensors notice besides, and how often they were read.
pub struct Sensors<'a> {
    pub world: &'a mut World,
    pub noticed: &'a mut VecDeque<Event>,
    pub looks: &'a mut u32,
    pub acted_at: &'a mut u32,
}

impl Mechanism for Sensors<'_> {
    fn poll(&mut self, now: Instant) -> Option<(Event, Instant)> {
        *self.looks += 1;
        while self.world.next_at().is_some_and(|at| at <= now) {
            self.noticed.extend(self.world.happen());
        }
        Some((self.noticed.pop_front()?, now))
    }

    fn act(&mut self, action: Action, _: Instant) {
        *self.acted_at = *self.looks;
        self.world.act(action);
    }

    async fn wait(&mut self, _: Instant) {}
}

/// Tower and display, as people see them.
pub struct Tower<'a>(pub &'a mut Option<Shown>);

impl Front for Tower<'_> {
    fn show(&mut self, shown: &Shown) {
        *self.0 = Some(shown.clone());
    }
}

/// Which keys are down.
#[derive(Default)]
pub struct Fingers(pub [bool; Key::ALL.len()]);

impl Keys for Fingers {
    fn is_down(&mut self, key: Key) -> bool {
        self.0[key as usize]
    }
}

/// The source of orders. It answers at once, unless a test has it draw slowly.
#[derive(Default)]
pub struct Draws {
    /// While set, a draw has no answer yet.
    pub slow: bool,
    /// Why it does not work.
    pub fault: Option<Fault>,
    pub asks: Vec<Ask>,
    answer: Option<Result<(), Fault>>,
    order: Vec<u16>,
}

impl Draws {
    pub fn has_answered(&self) -> bool {
        self.answer.is_some()
    }

    /// Whether no order is left in it.
    pub fn is_wiped(&self) -> bool {
        self.order.is_empty()
    }

    /// Its power failed.
    pub fn forget(&mut self) {
        (self.answer, self.order) = (None, Vec::new());
    }

    /// The draw is done.
    pub fn give(&mut self, drawn: Result<Vec<u16>, Fault>) {
        self.answer = Some(drawn.map(|order| self.order = order));
    }
}

/// The source, the dice it throws, and every order it drew.
pub struct Dice<'a> {
    pub draws: &'a mut Draws,
    pub random: &'a mut StdRng,
    pub orders: &'a mut Vec<Vec<u16>>,
}

impl Source for Dice<'_> {
    fn ask(&mut self, ask: Ask) {
        self.draws.asks.push(ask);
        match (ask, self.draws.fault) {
            (Ask::Order(_), _) if self.draws.slow => {}
            (_, Some(fault)) => self.draws.answer = Some(Err(fault)),
            (Ask::Order(count), None) => {
                let mut order: Vec<u16> = (0..count).collect();
                order.shuffle(self.random);
                self.orders.push(order.clone());
                self.draws.give(Ok(order));
            }
            _ => self.draws.answer = Some(Ok(())),
        }
    }

    fn answer(&mut self) -> Option<Result<(), Fault>> {
        self.draws.answer.take()
    }

    fn take_order<R>(&mut self, use_it: impl FnOnce(&[u16]) -> R) -> R {
        use_it(&std::mem::take(&mut self.draws.order))
    }
}

/// This moment.
pub struct Moment(pub Instant);

impl Clock for Moment {
    fn now(&self) -> Instant {
        self.0
    }

    async fn wait_until(&mut self, _: Instant) {}
}

/// The device with its flash; what it tells is written down.
pub struct Context<'a, S> {
    pub shuffler: &'a mut Shuffler,
    pub store: &'a mut S,
    pub events: &'a mut Vec<DeviceEvent>,
}

impl<S: ShufflerStore> ContextPort<Shuffler> for Context<'_, S> {
    type Store = S;

    async fn with<R>(&mut self, work: impl FnOnce(&mut Shuffler, &mut S) -> R) -> R {
        let done = work(self.shuffler, self.store);
        self.events.extend(std::iter::from_fn(|| self.shuffler.take_event()));
        done
    }
}
