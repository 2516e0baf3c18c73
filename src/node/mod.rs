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

mod alarm;
mod allowance;
mod device;
mod events;
mod guard;
mod node_services;
mod outbox;
mod questions;
pub(crate) mod receiving;
mod sending;
mod service_table;
mod standard;
#[cfg(test)]
mod tests;

pub use allowance::{MOST_CHANGES, TICKS_A_CHANGE};
pub use device::{Command, Device, Forwarded, ProgressSummary, Refused, StatusSummary};
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
use crate::time::Instant;
use alarm::Alarm;
use allowance::Allowance;
use sending::Link;

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
    refused: Alarm,
    dropped: Alarm,
    allowance: Allowance,
    unanswerable: u32,
    /// Those of them that no event has reported yet.
    unreported: u32,
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
            refused: Alarm::new(),
            dropped: Alarm::new(),
            allowance: Allowance::new(),
            unanswerable: 0,
            unreported: 0,
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

    /// Work for a quiet moment, ten times a second: reserve numbers, report what was refused or dropped.
    pub fn tick(&mut self, now: Instant, store: &mut impl NodeStore) {
        self.guard.reserve_ahead(store);
        self.allowance.tick();
        if self.refused.is_due(now) {
            let count = self.guard.take_unreported();
            if self.refused.sounds(count, now) {
                self.alarm(Trouble::SealsRefused, count, now);
            }
        }
        if self.dropped.is_due(now) {
            let count = core::mem::take(&mut self.unreported);
            if self.dropped.sounds(count, now) {
                self.alarm(Trouble::RequestsDropped, count, now);
            }
        }
    }

    fn alarm(&mut self, trouble: Trouble, count: u32, now: Instant) {
        let alarm = Irregularity {
            stamp: Stamp::default(),
            trouble,
            next_step: NextStep::TellFloorAndContinue,
            cleared_by: Role::Device,
            detail: u16::try_from(count).unwrap_or(u16::MAX),
            clause: Clause::None,
            seal: Seal::default(),
        };
        self.publish(&alarm, Priority::Fast, now);
    }

    /// Counts requests, or frames of them, that were dropped before anybody read them.
    pub fn count_dropped(&mut self, count: u32) {
        self.unanswerable = self.unanswerable.saturating_add(count);
        self.unreported = self.unreported.saturating_add(count);
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

    /// Requests dropped since boot because their answer would have had no place to wait, or they came
    /// too soon behind another without a seal, or faster than they could be taken.
    pub fn unanswerable(&self) -> u32 {
        self.unanswerable
    }
}
