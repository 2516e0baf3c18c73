//! Requests without a seal, of which a link serves only some: the others are dropped before they take
//! the context.

use crate::node::receiving::{UNSEALED, is_sealed};
use crate::protocol::transfer::{Port, Transfer};
use crate::time::Instant;

/// When a link serves the next request without a seal.
pub(super) struct Strangers(Instant);

impl Strangers {
    pub(super) const fn new() -> Self {
        Self(Instant::START)
    }

    /// Whether `transfer` comes too soon. The node would drop it too, but behind the lock.
    pub(super) fn is_too_soon(&self, transfer: &Transfer<'_>, now: Instant) -> bool {
        is_unsealed(transfer) && now < self.0
    }

    /// `transfer` was served by `now`.
    pub(super) fn served(&mut self, transfer: &Transfer<'_>, now: Instant) {
        if is_unsealed(transfer) {
            self.0 = now + UNSEALED;
        }
    }
}

fn is_unsealed(transfer: &Transfer<'_>) -> bool {
    matches!(transfer.header.port, Port::Request(id, _) if !is_sealed(id))
}
