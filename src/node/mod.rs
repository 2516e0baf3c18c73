//! The device's side of the wire, above the framings.
//!
//! A [`Node`] joins three things: transfers that arrive, the time, and the events of the
//! [`Device`] it speaks for. What comes of them is more transfers, one link at a time, most
//! urgent first. It never waits and never fails: a bus without a controller, or without
//! other nodes, only means that events stay in their ring.
//!
//! ```text
//! link --receive--> guard --command--> device --publish--> events --next--> links
//!                     \-- dropped and counted              \-- again, on Resend
//! ```

mod device;
mod events;
mod guard;
mod node_services;
mod outbox;
mod questions;
mod receiving;
mod sending;
mod service_table;
mod standard;

pub use device::{Command, Device, ProgressSummary, Refused, StatusSummary};
pub use events::{Events, StoredEvent};
pub use guard::Guard;
pub use outbox::{ANSWER_BYTES, Reply};
pub use service_table::{Requests, Roles, SERVICES, Service, service};

use crate::identity::Identity;
use crate::protocol::codec::Event;
use crate::protocol::generated::croupier::common::{
    Clause, Irregularity, NextStep, ResetCause, Role, Seal, Stamp, Started, Trouble,
};
use crate::protocol::keys::KeyStore;
use crate::protocol::sequence::SequenceStore;
use crate::protocol::transfer::Priority;
use crate::time::{Instant, Millis};
use sending::Link;

/// The least time between two reports of refused seals: a sender that tries them may not
/// push real events out of the ring.
const ALARM: Millis = Millis::from_secs(10);

/// The store a node needs: numbers and keys, through power loss.
pub trait NodeStore: SequenceStore + KeyStore {}
impl<S: SequenceStore + KeyStore> NodeStore for S {}

/// One device on `LINKS` links, with the last `EVENTS` events at hand.
#[derive(Debug)]
pub struct Node<const LINKS: usize, const EVENTS: usize> {
    identity: Identity,
    guard: Guard,
    events: Events<EVENTS>,
    links: [Link; LINKS],
    alarmed_at: Option<Instant>,
    unanswerable: u16,
}

impl<const LINKS: usize, const EVENTS: usize> Node<LINKS, EVENTS> {
    /// A node that has just started, for `cause` and after `crashes` crashes since power came on.
    pub fn new(identity: Identity, guard: Guard, cause: ResetCause, crashes: u8) -> Self {
        let starts = guard.starts();
        let mut node = Self {
            identity,
            links: core::array::from_fn(|_| Link::new(guard.next_sent())),
            guard,
            events: Events::new(),
            alarmed_at: None,
            unanswerable: 0,
        };
        let (stamp, seal) = (Stamp::default(), Seal::default());
        node.publish(
            &Started { stamp, cause, crashes, starts, seal },
            Priority::High,
            Instant::START,
        );
        node
    }

    /// Publishes an event and returns its number. Stamp and seal are for the node to fill in.
    pub fn publish<E: Event>(
        &mut self,
        event: &E,
        priority: Priority,
        now: Instant,
    ) -> Option<u32> {
        self.events.keep(event, priority, self.guard.start(), now)
    }

    /// Work for a quiet moment, a few times a second: reserve numbers, report refused seals.
    pub fn tick(&mut self, now: Instant, store: &mut impl NodeStore) {
        self.guard.reserve_ahead(store);
        if self.alarmed_at.is_some_and(|at| now.since(at) < ALARM) {
            return;
        }
        let refused = self.guard.take_unreported();
        if refused > 0 {
            let alarm = Irregularity {
                stamp: Stamp::default(),
                trouble: Trouble::SealsRefused,
                next_step: NextStep::TellFloorAndContinue,
                cleared_by: Role::Device,
                detail: refused,
                clause: Clause::None,
                seal: Seal::default(),
            };
            self.publish(&alarm, Priority::Fast, now);
            self.alarmed_at = Some(now);
        }
    }

    /// Who it is.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// Records the image's hash once the device has computed it.
    pub fn identity_mut(&mut self) -> &mut Identity {
        &mut self.identity
    }

    /// The door, to see its counts.
    pub fn guard(&self) -> &Guard {
        &self.guard
    }

    /// The events at hand.
    pub fn events(&self) -> &Events<EVENTS> {
        &self.events
    }

    /// Requests dropped since boot because their answer would have had no place to wait, or came
    /// too soon behind another without a seal.
    pub fn unanswerable(&self) -> u16 {
        self.unanswerable
    }
}
