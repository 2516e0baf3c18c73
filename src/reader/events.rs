//! What the reader publishes; each event waits here until its node takes it.

use crate::context::ContextDevice;
use crate::node::Node;
use crate::protocol::generated::croupier::common::{
    Cleared, Inspected, Irregularity, NextStep, Role, Trouble,
};
use crate::protocol::generated::croupier::reader::{
    Armed, HouseChanged, Insertion, Taught, Verdict,
};
use crate::protocol::transfer::Priority;
use crate::services::CommonServices;
use crate::time::Instant;

use super::Reader;

/// One event to publish.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeviceEvent {
    /// The up-card is known, or the round is over.
    Armed(Armed),
    /// A card came or went.
    Insertion(Insertion),
    /// What the lamp says.
    Verdict(Verdict),
    /// What the house decides now.
    House(HouseChanged),
    /// How far a lesson is.
    Taught(Taught),
    /// How a step of the check ended, or the whole.
    Inspected(Inspected),
    /// Something went wrong.
    Irregularity(Irregularity),
    /// That is over.
    Cleared(Cleared),
}

impl DeviceEvent {
    /// Something that asks for `next_step`, though the reader goes on; `cleared_by` `DEVICE`:
    /// it needs no clearing.
    pub fn notice(trouble: Trouble, next_step: NextStep, cleared_by: Role, detail: u16) -> Self {
        let irregularity =
            Irregularity { trouble, next_step, cleared_by, detail, ..Irregularity::default() };
        Self::Irregularity(irregularity)
    }

    /// The same with the clause that an irregularity rests on in the game in force.
    pub(super) fn with_clause(self, services: &CommonServices) -> Self {
        match self {
            Self::Irregularity(told) => Self::Irregularity(services.with_clause(told)),
            other => other,
        }
    }

    /// Publishes it through `node`.
    pub fn publish<const LINKS: usize, const EVENTS: usize>(
        &self,
        node: &mut Node<LINKS, EVENTS>,
        now: Instant,
    ) {
        match self {
            Self::Armed(armed) => node.publish(armed, Priority::High, now),
            Self::Insertion(insertion) => node.publish(insertion, Priority::High, now),
            Self::Verdict(verdict) => node.publish(verdict, Priority::High, now),
            Self::House(house) => node.publish(house, Priority::Nominal, now),
            Self::Taught(taught) => node.publish(taught, Priority::Nominal, now),
            Self::Inspected(inspected) => node.publish(inspected, Priority::Nominal, now),
            Self::Irregularity(trouble) => node.publish(trouble, Priority::Fast, now),
            Self::Cleared(cleared) => node.publish(cleared, Priority::Fast, now),
        };
    }
}

impl Reader {
    /// The next event to publish, the oldest first.
    pub fn take_event(&mut self) -> Option<DeviceEvent> {
        self.events.pop_front()
    }

    /// The node takes events many times a second; should it not, the oldest gives way.
    pub(super) fn publish(&mut self, event: DeviceEvent) {
        if self.events.is_full() {
            self.events.pop_front();
        }
        let _ = self.events.push_back(event.with_clause(&self.services)); // there is room now
    }
}

impl ContextDevice for Reader {
    fn services(&mut self) -> &mut CommonServices {
        &mut self.services
    }

    fn is_at_rest(&self) -> bool {
        Reader::is_at_rest(self)
    }

    fn publish_events<const LINKS: usize, const EVENTS: usize>(
        &mut self,
        node: &mut Node<LINKS, EVENTS>,
        now: Instant,
    ) {
        while let Some(event) = self.take_event() {
            event.publish(node, now);
        }
    }
}
