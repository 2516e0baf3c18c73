//! The sealed services a node gives itself: next sequences, repeats, counts and keys.

use zeroize::Zeroize;

use crate::identity::DeviceKind;
use crate::protocol::generated::croupier::common::{
    Answer, KeyHolder, NextSequenceRequest, NextSequenceResponse, ProvisionKeyRequest,
    ProvisionKeyResponse, RefusalsResponse, ResendRequest, ResendResponse, Seal, Setting,
    SettingChanged,
};
use crate::protocol::keys::RoleKey;
use crate::protocol::seal::Refusal;
use crate::protocol::transfer::Priority;

use super::device::{Command, Refused};
use super::outbox::Reply;
use super::{Node, NodeStore};

impl<const LINKS: usize, const EVENTS: usize> Node<LINKS, EVENTS> {
    /// Answers a role with its next sequence number. The nonce goes back, so that an old answer
    /// cannot pass for this.
    pub(super) fn next_sequence(
        &self,
        command: &Command<'_>,
        reply: &mut Reply,
    ) -> Result<(), Refused> {
        let NextSequenceRequest { nonce, .. } = command.decode()?;
        let next_sequence = self.guard.next_sequence(command.role).ok_or(Refused::StoreFailed)?;
        let (answer, seal) = unwritten();
        reply.say(&NextSequenceResponse { answer, nonce, next_sequence, seal })
    }

    /// Sends events again on the link that asked, as far as they are kept.
    pub(super) fn resend(
        &mut self,
        link: usize,
        command: &Command<'_>,
        reply: &mut Reply,
    ) -> Result<(), Refused> {
        let ResendRequest { start, first, last, .. } = command.decode()?;
        let first = first.max(self.events.oldest());
        let end = last.saturating_add(1).min(self.events.next());
        let here = self.links.get_mut(link).ok_or(Refused::NotFound)?;
        if start != self.guard.start() || first >= end {
            return Err(Refused::NotFound);
        }
        here.again = first..end;
        let (answer, seal) = unwritten();
        reply.say(&ResendResponse { answer, first, last: end - 1, seal })
    }

    /// Answers how often each kind of seal was refused.
    pub(super) fn count_refusals(&self, reply: &mut Reply) -> Result<(), Refused> {
        let of = |kind| self.guard.refusals().of(kind);
        let (answer, seal) = unwritten();
        reply.say(&RefusalsResponse {
            answer,
            malformed: of(Refusal::Truncated),
            unknown_role: of(Refusal::UnknownRole).saturating_add(of(Refusal::NoKey)),
            forged: of(Refusal::BadMac),
            replayed: of(Refusal::Replayed)
                .saturating_add(of(Refusal::TooFarAhead))
                .saturating_add(of(Refusal::NotKept)),
            not_authorised: of(Refusal::NotAuthorised),
            unanswerable: self.unanswerable,
            seal,
        })
    }

    /// Takes a new key, and shows that it arrived without showing it.
    pub(super) fn provision(
        &mut self,
        command: &Command<'_>,
        switch_closed: bool,
        store: &mut impl NodeStore,
        reply: &mut Reply,
    ) -> Result<(), Refused> {
        let mut request: ProvisionKeyRequest = command.decode()?;
        let key = RoleKey::new(request.key);
        request.key.zeroize();
        let check = key.check();
        // Only the generator is forwarded what another device sealed.
        if request.holder == KeyHolder::Shuffler && self.identity.kind != DeviceKind::PaiGow {
            return Err(Refused::OutOfRange);
        }
        let keys = self.guard.keys_mut();
        keys.provision(command.role, switch_closed, request.holder, key, store)?;
        let (setting, by, of) = (Setting::Key, command.role, request.holder);
        let changed = SettingChanged { setting, by, of, ..SettingChanged::default() };
        self.publish(&changed, Priority::High, command.now);
        let (answer, seal) = unwritten();
        reply.say(&ProvisionKeyResponse { answer, check, seal })
    }
}

/// The parts of a response that the node writes last.
fn unwritten() -> (Answer, Seal) {
    Default::default()
}
