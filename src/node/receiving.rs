//! What becomes of a request: dropped and counted, or done and answered.

use crate::protocol::codec::{Object, Request};
use crate::protocol::generated::croupier::common::{
    Answer, NextSequenceRequest, ProvisionKeyRequest, RefusalsRequest, ResendRequest,
    Result as Outcome,
};
use crate::protocol::generated::uavcan::node::{ExecuteCommandRequest, GetInfoRequest};
use crate::protocol::seal::Refusal;
use crate::protocol::transfer::{Header, Port, Priority, ServiceId, Transfer};
use crate::time::{Instant, Millis};

use super::device::{Command, Device, Refused};
use super::outbox::{Reply, Waiting};
use super::{Node, NodeStore, Service, service, standard};

/// Between two unsealed answers on a link: a stranger who asks without end gets a twentieth of a bus.
pub(crate) const UNSEALED: Millis = Millis::new(50);

impl<const LINKS: usize, const EVENTS: usize> Node<LINKS, EVENTS> {
    /// Takes a transfer that arrived on `link`. Anything but a request to us is ignored.
    pub fn receive<S: NodeStore>(
        &mut self,
        link: usize,
        transfer: &Transfer<'_>,
        now: Instant,
        device: &mut impl Device<S>,
        store: &mut S,
    ) {
        let Header { port: Port::Request(id, to), source: Some(from), .. } = transfer.header else {
            return;
        };
        let Some(here) = self.links.get(link).filter(|_| to == self.guard.node()) else { return };
        let sealed = is_sealed(id);
        if !here.outbox.has_room(sealed) || (!sealed && now < here.unsealed_due) {
            self.count_dropped(1);
            return;
        }
        let port = Port::Response(id, from);
        let answered = match id {
            GetInfoRequest::SERVICE => plain(&standard::info(&self.identity)),
            ExecuteCommandRequest::SERVICE => plain(&standard::execute(transfer.payload)),
            _ => {
                let service = service(self.identity.kind, id);
                service.and_then(|service| self.serve(link, service, transfer, now, device, store))
            }
        };
        if let (Some(reply), Some(here)) = (answered, self.links.get_mut(link)) {
            let mut header = Header { port, source: Some(to), ..transfer.header };
            if !sealed {
                header.priority = Priority::Optional;
                here.unsealed_due = now + UNSEALED;
            }
            here.outbox.push(Waiting { header, reply, sealed });
        }
    }

    /// Serves a sealed request and gives the answer to be sealed, or refuses it without a word.
    fn serve<S: NodeStore>(
        &mut self,
        link: usize,
        service: &Service,
        transfer: &Transfer<'_>,
        now: Instant,
        device: &mut impl Device<S>,
        store: &mut S,
    ) -> Option<Reply> {
        let Transfer { header, payload } = transfer;
        if payload.len() != service.request {
            self.guard.turn_away(Refusal::Truncated);
            return None;
        }
        let switch = device.service_switch_closed();
        let verified = match service.id {
            NextSequenceRequest::SERVICE => self.guard.admit_question(header, payload),
            ProvisionKeyRequest::SERVICE if switch => self.guard.admit_key(header, payload, store),
            _ => self.guard.admit(header, payload, store),
        }
        .ok()?;
        let command = Command::new(verified.role, service.id, payload, now);
        let (mut reply, before) = (Reply::EMPTY, store.changes());
        let obeyed = if !service.asked_by.contains(command.role) {
            self.guard.turn_away(Refusal::NotAuthorised);
            Err(Refused::NotAuthorised)
        } else if !service.only_asks && !self.allowance.is_left(command.role) {
            Err(Refused::TooOften)
        } else {
            match service.id {
                NextSequenceRequest::SERVICE => self.next_sequence(&command, &mut reply),
                ResendRequest::SERVICE => self.resend(link, &command, &mut reply),
                RefusalsRequest::SERVICE => self.count_refusals(&mut reply),
                ProvisionKeyRequest::SERVICE => self.provision(&command, switch, store, &mut reply),
                _ => {
                    let command = command.with_peer(self.guard.peer_key());
                    device.obey(&command, &mut reply, store)
                }
            }
        };
        self.allowance.spend(command.role, store.changes().saturating_sub(before));
        let field = if obeyed == Err(Refused::OutOfRange) { reply.blamed } else { 0 };
        if obeyed.is_err() || reply.length < service.response {
            reply = Reply { length: service.response, ..Reply::EMPTY };
        }
        let result = obeyed.map_or_else(Refused::outcome, |()| Outcome::Accepted);
        Answer { request: verified.sequence, result, field }.encode(&mut reply.bytes)?;
        Some(reply)
    }
}

/// Whether requests of this service, and their answers, have a seal.
pub(crate) fn is_sealed(id: ServiceId) -> bool {
    !matches!(id, GetInfoRequest::SERVICE | ExecuteCommandRequest::SERVICE)
}

/// An answer without a seal, to any node that asks.
fn plain(response: &impl crate::protocol::codec::Response) -> Option<Reply> {
    let mut reply = Reply::EMPTY;
    reply.say(response).ok().map(|()| reply)
}
