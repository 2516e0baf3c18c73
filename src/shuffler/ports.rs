//! What the shuffler needs from outside. Boards and simulated worlds implement these.
#![allow(async_fn_in_trait)] // Used generically only, so no caller needs `Send`.

use super::{Action, Event, Fault, Shown};
use crate::entropy::{MOST_CARDS, Memory, NoiseSource, OrderBuffer, RandomCore, RngFault};
use crate::time::Instant;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// Everything that moves cards or watches them.
pub trait Mechanism {
    /// The oldest thing noticed and not yet taken, and when it happened. After a start it
    /// begins with every contact as it stands.
    fn poll(&mut self, now: Instant) -> Option<(Event, Instant)>;
    /// Does as told. Returns at once; events tell the rest.
    fn act(&mut self, action: Action, now: Instant);
    /// Waits until `poll` has something or the time is `until`. Cancel-safe.
    async fn wait(&mut self, until: Instant);
}

/// What people see, and what keeps them out.
pub trait Front {
    /// Sets lamps, text, lock and flag. Called in every round of the loop, mostly unchanged.
    fn show(&mut self, shown: &Shown);
}

/// The dealer's keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Key {
    /// Begins a full cycle; in continuous operation, the next round.
    Start = 0,
    /// Lets the certified stack go; in continuous operation, gives the last round back.
    Release = 1,
    /// Stops; the cards count as not shuffled.
    Stop = 2,
    /// "The shoe, or the round, is over."
    Dealt = 3,
    /// Held: the lamp test.
    LampTest = 4,
}

impl Key {
    /// Every key, in the order of their numbers.
    pub const ALL: [Self; 5] =
        [Self::Start, Self::Release, Self::Stop, Self::Dealt, Self::LampTest];
}

/// The keys' contacts.
pub trait Keys {
    /// Whether they are closed now.
    fn is_down(&mut self, key: Key) -> bool;
}

/// What is asked of the source of orders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ask {
    /// The start, once after power on.
    Start,
    /// An order of this many cards.
    Order(u16),
    /// Work between shuffles, at this second.
    Cycle(u32),
    /// A new try of a source that is out of use; service asked for it.
    Retry,
}

/// A source of orders that works while the machine goes on: it is asked now, and answers
/// later. A draw takes longer than a beam may go unread.
pub trait Source {
    /// Asks for one thing. The next may be asked for only after the answer to this one.
    fn ask(&mut self, ask: Ask);
    /// The answer, once, as soon as there is one.
    fn answer(&mut self) -> Option<Result<(), Fault>>;
    /// Shows the order that was drawn to `use_it`, and wipes it.
    fn take_order<R>(&mut self, use_it: impl FnOnce(&[u16]) -> R) -> R;
}

/// An order between the random core and the plan. Wiped when it has been planned.
pub struct Drawn {
    cards: [u16; MOST_CARDS],
    count: usize,
}

impl Drawn {
    /// No order.
    pub const fn new() -> Self {
        Self { cards: [0; MOST_CARDS], count: 0 }
    }

    /// Does at once what is asked for, and keeps the order that was drawn.
    pub fn serve(&mut self, ask: Ask, orders: &mut impl Orders) -> Result<(), Fault> {
        match ask {
            Ask::Start => orders.start(),
            Ask::Order(count) => orders.draw(count, |order| self.put(order)),
            Ask::Cycle(now_seconds) => orders.cycle(now_seconds),
            Ask::Retry => orders.retry(),
        }
    }

    fn put(&mut self, order: &[u16]) {
        if let Some(place) = self.cards.get_mut(..order.len()) {
            place.copy_from_slice(order);
            self.count = order.len();
        }
    }

    /// Shows the order to `use_it`, and wipes it.
    pub fn take<R>(&mut self, use_it: impl FnOnce(&[u16]) -> R) -> R {
        let used = use_it(self.cards.get(..self.count).unwrap_or_default());
        self.cards.zeroize();
        self.count = 0;
        used
    }
}

impl Drop for Drawn {
    fn drop(&mut self) {
        self.cards.zeroize();
    }
}

impl ZeroizeOnDrop for Drawn {}

impl Default for Drawn {
    fn default() -> Self {
        Self::new()
    }
}

/// Where orders come from: the random core, and nothing else in a product.
pub trait Orders {
    /// Starts the source. Call once after power on.
    fn start(&mut self) -> Result<(), Fault>;
    /// An order of `count` cards, all equally likely, seen by `use_it` and wiped after.
    fn draw<R>(&mut self, count: u16, use_it: impl FnOnce(&[u16]) -> R) -> Result<R, Fault>;
    /// Work between shuffles.
    fn cycle(&mut self, now_seconds: u32) -> Result<(), Fault>;
    /// Tries again a source that is out of use; service asked for it.
    fn retry(&mut self) -> Result<(), Fault>;
}

/// The random core with the buffer its orders are drawn in.
pub struct Drawing<N, M> {
    core: RandomCore<N, M>,
    buffer: OrderBuffer,
}

impl<N, M> Drawing<N, M> {
    /// Draws from `core`.
    pub const fn new(core: RandomCore<N, M>) -> Self {
        Self { core, buffer: OrderBuffer::new() }
    }
}

/// A request is void while the source recovers; after this many it is a fault.
const TRIES: usize = 3;

impl<N: NoiseSource, M: Memory> Orders for Drawing<N, M> {
    fn start(&mut self) -> Result<(), Fault> {
        Ok(self.core.start()?)
    }

    fn draw<R>(&mut self, count: u16, use_it: impl FnOnce(&[u16]) -> R) -> Result<R, Fault> {
        for _ in 0..TRIES {
            match self.core.order(count.into(), &mut self.buffer) {
                Err(RngFault::Void(_)) => {} // nothing of it was released
                Err(fault) => return Err(fault.into()),
                Ok(order) => return Ok(use_it(order.cards())),
            }
        }
        Err(Fault::Random(0))
    }

    fn cycle(&mut self, now_seconds: u32) -> Result<(), Fault> {
        match self.core.cycle(now_seconds) {
            Err(RngFault::Void(_)) => Ok(()),
            answer => Ok(answer?),
        }
    }

    fn retry(&mut self) -> Result<(), Fault> {
        Ok(self.core.service_reset()?)
    }
}
