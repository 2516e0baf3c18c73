//! What the reader needs from outside. Boards and simulated worlds implement these.
#![allow(async_fn_in_trait)] // Used generically only, so no caller needs `Send`.

use super::lamps::Lit;
use super::nest::Beams;
use super::recognise::{Brand, Capture, Judgement, Question, Window};
use super::{Fault, Label};
use crate::cards::Rank;

/// The row of lamps.
pub trait Lamps {
    /// Drives the lamps so, lets them settle, and says which really are lit.
    fn show(&mut self, lit: Lit) -> Lit;
}

/// The dealer's keys, by their number in the check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Key {
    /// "My up-card is an ace."
    Ace = 0,
    /// "My up-card is a ten-value card."
    TenValue = 1,
    /// "The hole card is face up, the round is over."
    RoundOver = 2,
    /// Held: the lamp test.
    LampTest = 3,
}

impl Key {
    /// Every key, in the order of their numbers.
    pub const ALL: [Self; 4] = [Self::Ace, Self::TenValue, Self::RoundOver, Self::LampTest];
    /// Those that play.
    pub const TABLE: [Self; 3] = [Self::Ace, Self::TenValue, Self::RoundOver];
}

/// The keys' contacts.
pub trait Keys {
    /// Whether they are closed now.
    fn is_down(&mut self, key: Key) -> bool;
}

/// The beams of the nest.
pub trait NestBeams {
    /// Which are interrupted now.
    fn sample(&mut self) -> Beams;
}

/// Why there are no frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum ScanFault {
    /// The scan head does not answer, or not in time.
    Silent,
    /// It answers, but what it sends cannot be frames.
    Implausible,
}

/// The scan head under the window.
pub trait ScanHead {
    /// Takes a whole capture, in the same time whatever it sees. Off between captures.
    async fn capture(&mut self, into: &mut Capture) -> Result<(), ScanFault>;
}

/// What one look at a card gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sight {
    /// The permitted answer.
    pub reading: Judgement,
    /// The state of the window, in which nothing of the card is.
    pub window: Window,
}

/// Looks at cards and says no more than is asked; see [`Camera`](super::eye::Camera).
///
/// Nothing of a frame is left anywhere when one of these returns.
pub trait Eye {
    /// Has `load` put the brand that was kept in its place, reads with it from now on, and says
    /// which it is, if any.
    fn take_up(
        &mut self,
        load: impl FnOnce(&mut Option<Brand>) -> Result<(), Fault>,
    ) -> Result<Option<Label>, Fault>;
    /// Answers `question` about the card at home; `tens`: the game's deck has tens.
    async fn read(&mut self, question: Question, tens: bool) -> Result<Sight, Fault>;
    /// Whether a test card is read as it should be: as its rank, or as nothing.
    async fn examine(&mut self, expected: Option<Rank>) -> Result<bool, Fault>;
    /// The state of the window, with nothing in the nest.
    async fn window(&mut self) -> Result<Window, Fault>;
    /// Learns the card at home; `first` begins a new lesson. False: it could not be learnt.
    async fn learn(&mut self, rank: Rank, first: bool) -> Result<bool, Fault>;
    /// Makes a brand of what was learnt, a step at a time; `None`: go on. False: two ranks look
    /// too much alike.
    fn make(&mut self, id: u16) -> Option<bool>;
    /// Whether the brand just made reads the card at home rightly in every respect.
    async fn prove(&mut self, rank: Rank) -> Result<bool, Fault>;
    /// Has `keep` keep the brand just made in place of the one before, whole or not at all, and
    /// reads with it from now on.
    fn keep(&mut self, keep: impl FnOnce(&Brand) -> Result<(), Fault>) -> Result<Label, Fault>;
}
