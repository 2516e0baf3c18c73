//! What the shuffler has to tell, until its node takes it.

use crate::context::ContextDevice;
use crate::node::Node;
use crate::protocol::generated::croupier::common::{
    Cleared, Irregularity, NextStep, Role, Trouble,
};
use crate::protocol::generated::croupier::shuffler::{Certificate, Count, Inventory, Progress};
use crate::protocol::transfer::Priority;
use crate::services::CommonServices;

use super::Shuffler;

/// One thing to tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeviceEvent {
    /// How far it is.
    Progress(Progress),
    /// What a cycle counted.
    Count(Count),
    /// The cards are certified, or are so no more.
    Certificate(Certificate),
    /// Where the cards of a continuous machine are.
    Inventory(Inventory),
    /// Something went wrong.
    Irregularity(Irregularity),
    /// That is over.
    Cleared(Cleared),
}

impl DeviceEvent {
    /// Something the floor should know of, though play goes on.
    pub fn notice(trouble: Trouble, detail: u16) -> Self {
        Self::Irregularity(Irregularity {
            trouble,
            next_step: NextStep::TellFloorAndContinue,
            cleared_by: Role::Device,
            detail,
            ..Irregularity::default()
        })
    }

    /// Tells it through `node`.
    pub fn publish<const LINKS: usize, const EVENTS: usize>(
        &self,
        node: &mut Node<LINKS, EVENTS>,
        now_ms: u64,
    ) {
        match self {
            Self::Progress(progress) => node.publish(progress, Priority::Low, now_ms),
            Self::Count(count) => node.publish(count, Priority::High, now_ms),
            Self::Certificate(certificate) => node.publish(certificate, Priority::High, now_ms),
            Self::Inventory(inventory) => node.publish(inventory, Priority::Nominal, now_ms),
            Self::Irregularity(trouble) => node.publish(trouble, Priority::Fast, now_ms),
            Self::Cleared(cleared) => node.publish(cleared, Priority::Fast, now_ms),
        };
    }
}

impl ContextDevice for Shuffler {
    fn services(&mut self) -> &mut CommonServices {
        &mut self.services
    }

    fn is_at_rest(&self) -> bool {
        Shuffler::is_at_rest(self)
    }

    fn publish_events<const LINKS: usize, const EVENTS: usize>(
        &mut self,
        node: &mut Node<LINKS, EVENTS>,
        now_ms: u64,
    ) {
        while let Some(event) = self.take_event() {
            event.publish(node, now_ms);
        }
    }
}
