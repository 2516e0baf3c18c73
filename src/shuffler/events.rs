//! What the shuffler publishes.
//!
//! Its device keeps these until its node takes them.

use super::batch::{self, certificate::Certified};
use super::cycle::count::Receipt;
use crate::cards::BackColour;
use crate::context::ContextDevice;
use crate::node::Node;
use crate::profile::Profile;
use crate::protocol::generated::croupier::common::{
    Cleared, Irregularity, NextStep, Role, Trouble,
};
use crate::protocol::generated::croupier::shuffler::{
    BatchChange, BatchChanged, Certificate, CertificateReason as Reason, CertificateState, Count,
    Inventory, StubResult,
};
use crate::protocol::transfer::Priority;
use crate::services::CommonServices;
use crate::time::Instant;

use super::Shuffler;

/// One event to publish.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeviceEvent {
    /// What a cycle counted.
    Count(Count),
    /// The certificate was issued, put away, revoked or used up.
    Certificate(Certificate),
    /// What became of a batch, and by whose authority.
    Batch(BatchChanged),
    /// Where the cards of a continuous machine are.
    Inventory(Inventory),
    /// A stub was counted by hand, and what that asks for.
    Stub(StubResult),
    /// What went wrong, what the rule asks next, and who may clear it.
    Irregularity(Irregularity),
    /// A trouble that was cleared, and by whom.
    Cleared(Cleared),
}

impl DeviceEvent {
    /// An irregularity that the floor is told of while play goes on.
    pub fn notice(trouble: Trouble, detail: u16) -> Self {
        Self::advice(trouble, NextStep::TellFloorAndContinue, detail)
    }

    /// What must be done before something can be had that was asked for.
    pub(super) fn advice(trouble: Trouble, next_step: NextStep, detail: u16) -> Self {
        Self::Irregularity(Irregularity {
            trouble,
            next_step,
            cleared_by: Role::Device,
            detail,
            ..Irregularity::default()
        })
    }

    /// The count of a finished cycle.
    pub(super) fn count(receipt: &Receipt) -> Self {
        Self::Count(Count {
            purpose: receipt.purpose,
            verdict: receipt.tally.verdict(receipt.expected),
            found: receipt.tally.ejected,
            expected: receipt.expected.unwrap_or(0),
            ..Count::default()
        })
    }

    /// The certificate as it is now, and why.
    pub(super) fn certificate(
        certificate: &batch::certificate::Certificate,
        reason: Reason,
        profile: Option<&Profile>,
    ) -> Self {
        let certified = certificate.certified();
        Self::Certificate(Certificate {
            state: certificate.state(),
            reason,
            batch: batch::to_wire(certified.map(|certified| certified.colour)),
            cards: certified.map_or(0, |certified| certified.cards),
            unspread: profile.is_some_and(|profile| certificate.may_be_dealt_unspread(profile)),
            ..Certificate::default()
        })
    }

    /// The cards were released for play, shuffled or only counted: no certificate stands.
    pub(super) fn released(certified: Certified, reason: Reason) -> Self {
        Self::Certificate(Certificate {
            state: CertificateState::None,
            reason,
            batch: batch::to_wire(Some(certified.colour)),
            cards: certified.cards,
            ..Certificate::default()
        })
    }

    /// The same with the clause that an irregularity rests on in the game in force.
    pub(super) fn with_clause(self, services: &CommonServices) -> Self {
        match self {
            Self::Irregularity(told) => Self::Irregularity(services.with_clause(told)),
            other => other,
        }
    }

    /// What became of a batch of so many decks.
    pub(super) fn batch(change: BatchChange, colour: BackColour, decks: u8, by: Role) -> Self {
        let batch = batch::to_wire(Some(colour));
        Self::Batch(BatchChanged { batch, change, decks, by, ..BatchChanged::default() })
    }

    /// Publishes it through `node`.
    pub fn publish<const LINKS: usize, const EVENTS: usize>(
        &self,
        node: &mut Node<LINKS, EVENTS>,
        now: Instant,
    ) {
        match self {
            Self::Count(count) => node.publish(count, Priority::High, now),
            Self::Certificate(certificate) => node.publish(certificate, Priority::High, now),
            Self::Batch(change) => node.publish(change, Priority::High, now),
            Self::Inventory(inventory) => node.publish(inventory, Priority::Nominal, now),
            Self::Stub(result) => node.publish(result, Priority::Fast, now),
            Self::Irregularity(trouble) => node.publish(trouble, Priority::Fast, now),
            Self::Cleared(cleared) => node.publish(cleared, Priority::Fast, now),
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
        now: Instant,
    ) {
        while let Some(event) = self.take_event() {
            event.publish(node, now);
        }
    }
}
