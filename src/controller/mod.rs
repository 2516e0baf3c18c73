//! The table controller's side of the wire, above the framings.
//!
//! A [`Controller`] finds devices by their heartbeats, learns what they are and which numbers they
//! take, seals commands, matches answers, puts events in order and asks again for what got lost.
//! Its user gets each event exactly once and everything it should worry about: restarts,
//! silence, events that are gone. Like a [`Node`](crate::node::Node) it is handed transfers and
//! the time, holds all its memory in its type, and never waits.
//!
//! ```text
//! ask -----> [questions] --next--> link --receive--> verify --+--> [answers] --poll--> user
//!                ^ next sequences, repeats, information       +--> [events in order]
//! ```
//!
//! What a device said before this controller first asked it proves nothing: it could be a
//! recording. So a device's words count from its first answer to a fresh number on.

mod asking;
mod forwarding;
mod notice;
mod peer;
mod receiving;
mod sending;
mod stream;

pub use asking::{OBJECT_BYTES, Ticket};
pub use notice::{Notice, Plate};

use crate::protocol::codec::{Message, Object, Request, Sealed};
use crate::protocol::generated::croupier::common::Role;
use crate::protocol::generated::uavcan::node::{GetInfoRequest, GetInfoResponse, Heartbeat};
use crate::protocol::keys::{KeyRing, RoleKey};
use crate::protocol::seal::Refusals;
use crate::protocol::transfer::{Interest, NodeId, Port};
use crate::protocol::transfer_ids::TransferIds;
use crate::time::{Instant, Millis};
use asking::{Asking, Stage};
use peer::Peer;
use stream::{EVENT_BYTES, Step};

/// The subjects croupier devices use.
const OUR_SUBJECTS: core::ops::RangeInclusive<u16> = 6144..=7167;
/// The services croupier devices give.
const OUR_SERVICES: core::ops::RangeInclusive<u16> = 256..=383;

/// Why a question was not even written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum CannotAsk {
    /// No such node has been found.
    UnknownNode,
    /// The controller has no key for the role.
    NoKey,
    /// As many questions as there is room for are waiting.
    TooMany,
    /// The question is longer than [`OBJECT_BYTES`].
    TooLong,
    /// The shuffler has released or revoked nothing since it was found.
    NoCertificate,
}

/// A controller of up to `NODES` devices, with `ASKS` questions open at a time and room for
/// `HELD` events of each device out of turn.
#[derive(Debug)]
pub struct Controller<const NODES: usize, const ASKS: usize, const HELD: usize> {
    node: NodeId,
    /// Role keys; that of [`Role::Device`] is for devices without a key of their own.
    keys: KeyRing,
    peers: [Option<Peer<HELD>>; NODES],
    asks: [Option<Asking>; ASKS],
    ids: TransferIds<32>,
    tickets: u32,
    nonce: u64,
    heartbeat_due: Instant,
    refusals: Refusals,
    strangers: u16,
}

impl<const NODES: usize, const ASKS: usize, const HELD: usize> Controller<NODES, ASKS, HELD> {
    /// A controller with number `node` that holds `keys`, that of [`Role::Controller`] among them.
    ///
    /// `nonce` must not be one an earlier controller began with, nor close above it: a random
    /// number, or the time in microseconds. It keeps recordings from passing for answers.
    pub fn new(node: NodeId, keys: KeyRing, nonce: u64) -> Self {
        Self {
            node,
            keys,
            peers: [const { None }; NODES],
            asks: [const { None }; ASKS],
            ids: TransferIds::starting_at(nonce),
            tickets: 0,
            nonce,
            heartbeat_due: Instant::START,
            refusals: Refusals::default(),
            strangers: 0,
        }
    }

    /// Says which key the device at `node` seals with, where not all share one.
    pub fn trust(&mut self, node: NodeId, key: RoleKey) -> Result<(), CannotAsk> {
        let peer = self.find_or_add(node).ok_or(CannotAsk::TooMany)?;
        peer.key = Some(key);
        Ok(())
    }

    /// Forgets a device: it left the table, or its memory was erased in repair.
    pub fn forget(&mut self, node: NodeId) {
        for peer in &mut self.peers {
            peer.take_if(|peer| peer.node == node);
        }
        for ask in &mut self.asks {
            ask.take_if(|ask| ask.node == node);
        }
    }

    /// Asks a device something with the authority of `role`, to be answered within `patience`.
    /// The seal is for the controller to fill in.
    ///
    /// A question is sent once. Sent again it could be obeyed twice; whether to is for people to
    /// decide, with the events that followed before them.
    pub fn ask<R: Request + Sealed>(
        &mut self,
        node: NodeId,
        role: Role,
        request: &R,
        now: Instant,
        patience: Millis,
    ) -> Result<Ticket, CannotAsk> {
        self.peers.iter().flatten().find(|peer| peer.node == node).ok_or(CannotAsk::UnknownNode)?;
        self.keys.get(role).ok_or(CannotAsk::NoKey)?;
        let slot = self.asks.iter_mut().find(|slot| slot.is_none()).ok_or(CannotAsk::TooMany)?;
        let mut bytes = [0; OBJECT_BYTES];
        let length = request.encode(&mut bytes).ok_or(CannotAsk::TooLong)?;
        self.tickets = self.tickets.wrapping_add(1);
        let ticket = Ticket(self.tickets);
        *slot = Some(Asking {
            ticket,
            node,
            role,
            service: R::SERVICE,
            deadline: now + patience,
            stage: Stage::Written,
            length,
            bytes,
        });
        Ok(ticket)
    }

    /// The next thing the user must know; call it until there is nothing.
    pub fn poll<'r>(
        &mut self,
        now: Instant,
        room: &'r mut [u8; OBJECT_BYTES],
    ) -> Option<Notice<'r>> {
        for peer in self.peers.iter_mut().flatten() {
            peer.watch(now);
            if let Some(notice) = peer.pending() {
                return Some(notice);
            }
            if let Some(step) = peer.stream.step() {
                return Some(notice_of(peer, step, room));
            }
        }
        self.answered(now, room)
    }

    /// A question that is answered, or will not be.
    fn answered<'r>(
        &mut self,
        now: Instant,
        room: &'r mut [u8; OBJECT_BYTES],
    ) -> Option<Notice<'r>> {
        let done =
            |ask: &mut Asking| matches!(ask.stage, Stage::Answered(_)) || now >= ask.deadline;
        let ask = self.asks.iter_mut().find_map(|slot| slot.take_if(done))?;
        let ticket = ask.ticket;
        if let Stage::Answered(outcome) = ask.stage {
            *room = ask.bytes;
            let payload = room.get(..ask.length).unwrap_or_default();
            return Some(Notice::Answered { ticket, outcome, payload });
        }
        let sent = ask.stage != Stage::Written;
        if let Some(peer) = self.find(ask.node).filter(|_| sent) {
            // Perhaps it was refused for its number.
            peer.forget_next_sequences();
        }
        Some(Notice::Unanswered { ticket, sent })
    }

    /// What was received and not believed.
    pub fn refusals(&self) -> &Refusals {
        &self.refusals
    }

    /// Heartbeats of nodes for which there was no place.
    pub fn strangers(&self) -> u16 {
        self.strangers
    }

    fn find(&mut self, node: NodeId) -> Option<&mut Peer<HELD>> {
        self.peers.iter_mut().flatten().find(|peer| peer.node == node)
    }

    fn find_or_add(&mut self, node: NodeId) -> Option<&mut Peer<HELD>> {
        let known = |slot: &Option<Peer<HELD>>| slot.as_ref().is_some_and(|peer| peer.node == node);
        let place = self
            .peers
            .iter()
            .position(known)
            .or_else(|| self.peers.iter().position(Option::is_none))?;
        Some(self.peers.get_mut(place)?.get_or_insert_with(|| Peer::new(node)))
    }
}

/// One step of a device's events, as a notice for the user.
fn notice_of<'r, const HELD: usize>(
    peer: &mut Peer<HELD>,
    step: Step,
    room: &'r mut [u8; OBJECT_BYTES],
) -> Notice<'r> {
    let node = peer.node;
    match step {
        Step::Event(held) => {
            forwarding::note(peer, &held);
            let room = room.first_chunk_mut().expect("an event is shorter than an object");
            *room = held.bytes;
            let payload = room.get(..held.length).unwrap_or_default();
            Notice::Event { node, subject: held.subject, stamp: held.stamp, payload }
        }
        Step::Lost { start, first, last } => Notice::Lost { node, start, first, last },
        Step::Restarted => {
            // After a restart a device begins at the limit it had reserved.
            peer.forget_next_sequences();
            Notice::Restarted(node)
        }
    }
}

impl<const NODES: usize, const ASKS: usize, const HELD: usize> Interest
    for Controller<NODES, ASKS, HELD>
{
    fn extent(&self, port: Port) -> Option<usize> {
        match port {
            Port::Message(Heartbeat::SUBJECT) => Some(Heartbeat::EXTENT),
            // One byte more than is right, so that something longer is noticed.
            Port::Message(subject) => {
                OUR_SUBJECTS.contains(&subject.get()).then_some(EVENT_BYTES + 1)
            }
            Port::Response(GetInfoRequest::SERVICE, _) => Some(GetInfoResponse::EXTENT),
            Port::Response(service, _) => {
                OUR_SERVICES.contains(&service.get()).then_some(OBJECT_BYTES + 1)
            }
            Port::Request(..) => None,
        }
    }
}
