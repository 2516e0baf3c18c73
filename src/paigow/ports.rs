//! What the generator needs from outside. Boards and simulated worlds implement these.

use core::num::NonZeroU8;

use super::{Fault, Segments};
use crate::entropy::{Memory, NoiseSource, RandomCore, RngFault};

/// The digit on the table.
pub trait Display {
    /// Drives the segments so, lets them settle, and says which really are lit.
    fn show(&mut self, lit: Segments) -> Segments;
}

/// The dealer's keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Key {
    /// Draws the number.
    Draw = 0,
    /// "The cards are shuffled", at a table without a controller.
    Shuffled = 1,
    /// "No more bets."
    BetsClosed = 2,
    /// "The round is over."
    RoundEnd = 3,
    /// Held: the lamp test.
    LampTest = 4,
}

impl Key {
    /// Every key, in the order of their numbers.
    pub const ALL: [Self; 5] =
        [Self::Draw, Self::Shuffled, Self::BetsClosed, Self::RoundEnd, Self::LampTest];
}

/// The keys' contacts.
pub trait Keys {
    /// Whether they are closed now.
    fn is_down(&mut self, key: Key) -> bool;
}

/// Where numbers come from: the random core, and nothing else in a product.
pub trait Numbers {
    /// Starts the source. Call once after power on.
    fn start(&mut self) -> Result<(), Fault>;
    /// One number from 1 to `most`, all equally likely.
    fn draw(&mut self, most: NonZeroU8) -> Result<NonZeroU8, Fault>;
    /// Work between games (PG-08).
    fn cycle(&mut self, now_seconds: u32) -> Result<(), Fault>;
    /// Tries a source that is out of use again. Service asked for it.
    fn retry(&mut self) -> Result<(), Fault>;
}

/// A request may be void once or twice because the source had to recover; no more.
const TRIES: usize = 3;

impl<N: NoiseSource, M: Memory> Numbers for RandomCore<N, M> {
    fn start(&mut self) -> Result<(), Fault> {
        Ok(RandomCore::start(self)?)
    }

    fn draw(&mut self, most: NonZeroU8) -> Result<NonZeroU8, Fault> {
        for _ in 0..TRIES {
            match self.number(most) {
                Err(RngFault::Void(_)) => {} // nothing of it was released
                answer => return Ok(answer?),
            }
        }
        Err(Fault::Selection)
    }

    fn cycle(&mut self, now_seconds: u32) -> Result<(), Fault> {
        match RandomCore::cycle(self, now_seconds) {
            Err(RngFault::Void(_)) => Ok(()),
            answer => Ok(answer?),
        }
    }

    fn retry(&mut self) -> Result<(), Fault> {
        Ok(self.service_reset()?)
    }
}
