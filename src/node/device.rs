//! What a node asks of the device it speaks for.

use crate::protocol::codec::{Event, Object, Request};
use crate::protocol::generated::croupier::common::{Activity, Condition, Game, NextStep};
use crate::protocol::generated::croupier::common::{Result as Outcome, Role};
use crate::protocol::generated::croupier::shuffler::Phase;
use crate::protocol::keys::{KeyRefused, RoleKey};
use crate::protocol::seal::{Address, Refusal, SEAL_BYTES, verify_with};
use crate::protocol::transfer::{NodeId, Port, ServiceId};
use crate::time::Instant;

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

/// How far a device is with a long piece of work, for `Progress`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ProgressSummary {
    /// What goes on.
    pub phase: Phase,
    /// The pass over the cards, from 1; 0 outside a shuffle.
    pub pass: u8,
    /// Cards done in this phase and pass.
    pub done: u16,
    /// Cards to do in it; 0 if that is not known.
    pub total: u16,
}

/// Why a device changed nothing: what the wire's `Result` calls it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Refused {
    /// It makes no sense now.
    OutOfTurn = Outcome::OutOfTurn as u8,
    /// The role may not ask for this.
    NotAuthorised = Outcome::NotAuthorised as u8,
    /// The game in force has no such thing.
    WrongProfile = Outcome::WrongProfile as u8,
    /// Out of service until a check is passed.
    Malfunction = Outcome::Malfunction as u8,
    /// The gaming-day check comes first.
    NotInspected = Outcome::NotInspected as u8,
    /// A field holds a value that this device cannot take.
    OutOfRange = Outcome::OutOfRange as u8,
    /// Still at it: to be asked again.
    Busy = Outcome::Busy as u8,
    /// Not while a round is in play.
    InRound = Outcome::InRound as u8,
    /// No such record, number or batch is kept.
    NotFound = Outcome::NotFound as u8,
    /// The switch inside the housing must be closed first.
    ServiceSwitchOff = Outcome::ServiceSwitchOff as u8,
    /// A key that may not be used, or that another role has already.
    RefusedKey = Outcome::RefusedKey as u8,
    /// It could not be kept through a power loss, so it was not done.
    StoreFailed = Outcome::StoreFailed as u8,
    /// The batch must be changed first.
    DeckLifeOver = Outcome::DeckLifeOver as u8,
    /// The day clock must be set first.
    ClockUnset = Outcome::ClockUnset as u8,
    /// The batch must be opened first.
    BatchNotOpened = Outcome::BatchNotOpened as u8,
    /// A certified batch waits inside.
    BatchStored = Outcome::BatchStored as u8,
    /// The shuffler's certificate for the deck in play is asked for, and this is none.
    NotCertified = Outcome::NotCertified as u8,
    /// The role has used up what its commands may change in so short a time.
    TooOften = Outcome::TooOften as u8,
}

impl Refused {
    /// The same on the wire.
    pub(super) const fn outcome(self) -> Outcome {
        match self {
            Self::OutOfTurn => Outcome::OutOfTurn,
            Self::NotAuthorised => Outcome::NotAuthorised,
            Self::WrongProfile => Outcome::WrongProfile,
            Self::Malfunction => Outcome::Malfunction,
            Self::NotInspected => Outcome::NotInspected,
            Self::OutOfRange => Outcome::OutOfRange,
            Self::Busy => Outcome::Busy,
            Self::InRound => Outcome::InRound,
            Self::NotFound => Outcome::NotFound,
            Self::ServiceSwitchOff => Outcome::ServiceSwitchOff,
            Self::RefusedKey => Outcome::RefusedKey,
            Self::StoreFailed => Outcome::StoreFailed,
            Self::DeckLifeOver => Outcome::DeckLifeOver,
            Self::ClockUnset => Outcome::ClockUnset,
            Self::BatchNotOpened => Outcome::BatchNotOpened,
            Self::BatchStored => Outcome::BatchStored,
            Self::NotCertified => Outcome::NotCertified,
            Self::TooOften => Outcome::TooOften,
        }
    }
}

impl From<KeyRefused> for Refused {
    fn from(why: KeyRefused) -> Self {
        match why {
            KeyRefused::NotService => Self::NotAuthorised,
            KeyRefused::SwitchOpen => Self::ServiceSwitchOff,
            KeyRefused::Store(_) => Self::StoreFailed,
            KeyRefused::Simulation | KeyRefused::Blank | KeyRefused::InUse => Self::RefusedKey,
        }
    }
}

/// A command that is authentic, fresh, of the right length, and from a role that may give it.
#[derive(Clone, Copy)]
pub struct Command<'a> {
    /// Whose authority it is.
    pub role: Role,
    /// Which service.
    pub service: ServiceId,
    /// When it came.
    pub now: Instant,
    payload: &'a [u8],
    /// The key of a device whose events may be forwarded, if this one holds it.
    peer: Option<&'a RoleKey>,
}

/// An event of another device that a request brought, its seal checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Forwarded<E> {
    /// The event.
    pub event: E,
    /// The number in its seal. Whether it is fresh is for the device to judge.
    pub sequence: u64,
    /// The check of the key that sealed it.
    pub key: [u8; 8],
}

impl<'a> Command<'a> {
    /// A command whose authority was checked, as the node does, or needs no check, as in a world
    /// without a wire.
    pub const fn new(role: Role, service: ServiceId, payload: &'a [u8], now: Instant) -> Self {
        Self { role, service, now, payload, peer: None }
    }

    /// The same, with the key by which a forwarded event is checked.
    pub(super) const fn with_peer(self, peer: Option<&'a RoleKey>) -> Self {
        Self { peer, ..self }
    }

    /// The event of device `source` that the request carries just before its own seal, each byte as it was on
    /// the bus, if the other device itself sealed it.
    pub fn forwarded<E: Event>(&self, source: NodeId) -> Result<Forwarded<E>, Refusal> {
        const { assert!(<E as Object>::SHORTEST == <E as Object>::LONGEST, "an event of one length") };
        let end = self.payload.len().checked_sub(SEAL_BYTES).ok_or(Refusal::Truncated)?;
        let begin = end.checked_sub(E::LONGEST).ok_or(Refusal::Truncated)?;
        let bytes = self.payload.get(begin..end).ok_or(Refusal::Truncated)?;
        let peer = self.peer.ok_or(Refusal::NoKey)?;
        let by_device =
            |role| if role == Role::Device { Ok(peer) } else { Err(Refusal::UnknownRole) };
        let address = Address { source, port: Port::Message(E::SUBJECT) };
        let sequence = verify_with(by_device, address, bytes)?.sequence;
        Ok(Forwarded { event: E::decode(bytes)?, sequence, key: peer.check() })
    }

    /// What is asked; `OutOfRange` if a field holds a value that is none.
    pub fn decode<R: Request>(&self) -> Result<R, Refused> {
        if self.service != R::SERVICE {
            return Err(Refused::OutOfRange);
        }
        R::decode(self.payload).map_err(|_| Refused::OutOfRange)
    }
}

/// The device behind a node, with a store `S` for what it must keep. It works the same with
/// no node at all.
pub trait Device<S> {
    /// How it is, for `Status`.
    fn status_summary(&self) -> StatusSummary;

    /// How far it is, for `Progress`; `None` if its work is never long.
    fn progress_summary(&self) -> Option<ProgressSummary> {
        None
    }

    /// Whether the service switch inside the housing is closed.
    fn service_switch_closed(&self) -> bool;

    /// Obeys a command and writes the response to `reply`, or returns why not.
    ///
    /// A refused command has changed nothing, and what stands on `reply` is not sent. What was
    /// accepted is in `store` before this returns, if it must outlive a power cut.
    fn obey(
        &mut self,
        command: &Command<'_>,
        reply: &mut Reply,
        store: &mut S,
    ) -> Result<(), Refused>;
}
