//! A shuffler's certificate on its way to the generator: kept as it was sealed, and sent when asked.
//!
//! The generator believes the shuffler's seal and not the controller, so every byte must arrive. A
//! decoded certificate holds them all: its type has one encoding.

use crate::protocol::codec::{Message, Object};
use crate::protocol::generated::croupier::common::{Role, Seal};
use crate::protocol::generated::croupier::paigow::ShuffledRequest;
use crate::protocol::generated::croupier::shuffler::{
    Certificate, CertificateReason, CertificateState,
};
use crate::protocol::transfer::NodeId;
use crate::time::{Instant, Millis};

use super::peer::Peer;
use super::stream::Held;
use super::{CannotAsk, Controller, Ticket};

/// Notes a release or a revocation. The deck of the next round may be certified before this one is
/// forwarded, so an issue does not replace it.
pub(super) fn note<const HELD: usize>(peer: &mut Peer<HELD>, held: &Held) {
    let bytes = held.bytes.get(..held.length).unwrap_or_default();
    if held.subject == Certificate::SUBJECT
        && let Ok(certificate) = Certificate::decode(bytes)
        && (certificate.reason == CertificateReason::Released
            || certificate.state == CertificateState::Revoked)
    {
        peer.certificate = Some(certificate);
    }
}

impl<const NODES: usize, const ASKS: usize, const HELD: usize> Controller<NODES, ASKS, HELD> {
    /// Forwards to `generator` what `shuffler` last released or revoked, for `round` (PG-10).
    ///
    /// Call it when its [`Certificate`] event comes with the reason RELEASED, and again when one comes
    /// with the state REVOKED.
    pub fn forward_certificate(
        &mut self,
        shuffler: NodeId,
        generator: NodeId,
        round: u16,
        now: Instant,
        patience: Millis,
    ) -> Result<Ticket, CannotAsk> {
        let peer = self.find(shuffler).ok_or(CannotAsk::UnknownNode)?;
        let certificate = peer.certificate.ok_or(CannotAsk::NoCertificate)?;
        let (node, seal) = (shuffler.get(), Seal::default());
        let request = ShuffledRequest { round, node, certificate, seal };
        self.ask(generator, Role::Controller, &request, now, patience)
    }
}
