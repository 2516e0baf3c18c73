//! A question on its way: written, sealed, sent, answered, or given up.

use crate::protocol::generated::croupier::common::{Result as Outcome, Role};
use crate::protocol::transfer::{NodeId, ServiceId};
use crate::time::Instant;

/// Names a question, so that its answer is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Ticket(pub(super) u32);

/// The most bytes of a question or an answer, seal and all.
pub const OBJECT_BYTES: usize = 256;

/// What names a request on the wire: nothing else is an answer to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sent {
    pub service: ServiceId,
    pub transfer_id: u64,
    /// The number in its seal, which the answer repeats.
    pub sequence: u64,
    /// The device's highest seal when it went: an answer's is higher.
    pub after: u64,
}

impl Sent {
    /// Whether a response with this transfer-ID may be meant; CAN carries five bits of it.
    pub(super) fn fits(&self, service: ServiceId, transfer_id: u64) -> bool {
        self.service == service && (self.transfer_id ^ transfer_id) & 0x1F == 0
    }
}

/// How far a question is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// Its role's next sequence is not known yet, or the link is busy.
    Written,
    Sent(Sent),
    Answered(Outcome),
}

/// One question of the user.
#[derive(Debug)]
pub(super) struct Asking {
    pub ticket: Ticket,
    pub node: NodeId,
    pub role: Role,
    pub service: ServiceId,
    pub deadline: Instant,
    pub stage: Stage,
    pub length: usize,
    pub bytes: [u8; OBJECT_BYTES],
}

impl Asking {
    /// Keeps the answer in place of the question.
    pub(super) fn answer(&mut self, outcome: Outcome, payload: &[u8]) -> Option<()> {
        self.bytes.get_mut(..payload.len())?.copy_from_slice(payload);
        self.length = payload.len();
        self.stage = Stage::Answered(outcome);
        Some(())
    }
}
