//! What a node asks of the device it speaks for.

use crate::protocol::codec::Request;
use crate::protocol::generated::croupier::common::{Activity, Condition, Game, NextStep};
use crate::protocol::generated::croupier::common::{Result as Outcome, Role};
use crate::protocol::transfer::ServiceId;

use super::outbox::Reply;

/// What `Status` shows besides the node's own part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct StatusSummary {
    /// The profile in force.
    pub game: Game,
    /// Decks per batch; 0 where none is set.
    pub decks: u8,
    /// Whether it may be used.
    pub condition: Condition,
    /// What it is doing.
    pub activity: Activity,
    /// What the gravest open irregularity asks for.
    pub next_step: NextStep,
    /// Who may clear that one.
    pub cleared_by: Role,
}

/// A command that is authentic, fresh, of the right length, and from a role that may give it.
#[derive(Clone, Copy)]
pub struct Command<'a> {
    /// Whose authority it is.
    pub role: Role,
    /// Which service.
    pub service: ServiceId,
    /// Milliseconds since this start.
    pub now_ms: u64,
    pub(super) payload: &'a [u8],
}

impl Command<'_> {
    /// What is asked; `None` if a field holds a value that is none: answer `OutOfRange`.
    pub fn decode<R: Request>(&self) -> Option<R> {
        if self.service == R::SERVICE { R::decode(self.payload).ok() } else { None }
    }
}

/// The device behind a node, with a store `S` for what it must keep. It works the same with
/// no node at all.
pub trait Device<S> {
    /// How it is, for `Status`.
    fn status_summary(&self) -> StatusSummary;

    /// Whether the service switch inside the housing is closed.
    fn service_switch_closed(&self) -> bool;

    /// Obeys a command and says so on `reply`, or returns why not.
    ///
    /// Unless it returns `Accepted`, nothing may have changed, and `reply` is not sent. What was
    /// accepted is in `store` before this returns, if it must outlive a power cut.
    fn obey(&mut self, command: &Command<'_>, reply: &mut Reply, store: &mut S) -> Outcome;
}
