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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::codec::Request;
    use crate::protocol::generated::croupier::common::RefusalsRequest;
    use crate::protocol::generated::uavcan::node::GetInfoRequest;
    use crate::protocol::transfer::{Header, NodeId, Priority, ServiceId};

    fn request(id: ServiceId) -> Transfer<'static> {
        let port = Port::Request(id, NodeId::new(10).expect("below 128"));
        let header = Header { priority: Priority::Nominal, port, source: None, transfer_id: 0 };
        Transfer { header, payload: &[] }
    }

    /// CM-12: only a request without a seal holds up the next one.
    #[test]
    fn cm_12_a_sealed_request_holds_up_no_other() {
        let (mut strangers, now) = (Strangers::new(), Instant::START);
        let [plain, sealed] = [GetInfoRequest::SERVICE, RefusalsRequest::SERVICE].map(request);
        strangers.served(&sealed, now);
        assert!(!strangers.is_too_soon(&plain, now));
        strangers.served(&plain, now);
        assert!(strangers.is_too_soon(&plain, now) && !strangers.is_too_soon(&sealed, now));
    }
}
