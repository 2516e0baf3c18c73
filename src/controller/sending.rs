//! What a controller sends next: its heartbeat, its own questions, then its user's.

use crate::protocol::codec::{Message, Object, Request};
use crate::protocol::generated::croupier::common::{
    NextSequenceRequest, ResendRequest, Role, Seal,
};
use crate::protocol::generated::uavcan::node::{GetInfoRequest, Health, Heartbeat, Mode};
use crate::protocol::seal::{Address, seal};
use crate::protocol::transfer::{Header, NodeId, Port, Priority, ServiceId, Transfer};
use crate::time::Instant;

use super::Controller;
use super::asking::{Asking, OBJECT_BYTES, Sent, Stage};
use super::peer::Chore;

impl<const NODES: usize, const ASKS: usize, const HELD: usize> Controller<NODES, ASKS, HELD> {
    /// The next transfer, written to `room`; it is taken for sent.
    ///
    /// Call it whenever the link can take one, and again in a few milliseconds if there is none.
    pub fn next<'r>(
        &mut self,
        now: Instant,
        room: &'r mut [u8; OBJECT_BYTES],
    ) -> Option<Transfer<'r>> {
        let (header, length) = self
            .heartbeat_to(now, room)
            .or_else(|| self.chore(now, room))
            .or_else(|| self.question(now, room))?;
        Some(Transfer { header, payload: room.get(..length)? })
    }

    fn heartbeat_to(&mut self, now: Instant, room: &mut [u8]) -> Option<(Header, usize)> {
        if now < self.heartbeat_due {
            return None;
        }
        self.heartbeat_due = now.next_second();
        let uptime = u32::try_from(now.as_secs()).unwrap_or(u32::MAX);
        let (health, mode) = (Health::Nominal, Mode::Operational);
        let beat = Heartbeat { uptime, health, mode, vendor_specific_status_code: 0 };
        let length = beat.encode(room)?;
        Some((self.header(Port::Message(Heartbeat::SUBJECT), Priority::Nominal), length))
    }

    /// The first question of our own that any device gives reason for.
    fn chore(&mut self, now: Instant, room: &mut [u8]) -> Option<(Header, usize)> {
        let Self { peers, asks, nonce, .. } = self;
        let mut wanted = None;
        for (place, peer) in peers.iter_mut().enumerate() {
            let Some(peer) = peer else { continue };
            peer.watch(now);
            let waits = |stage: &Stage| *stage == Stage::Written;
            let mut waiting =
                asks.iter().flatten().filter(|ask| ask.node == peer.node && waits(&ask.stage));
            let role =
                waiting.find(|ask| peer.next_sequence(ask.role).is_none()).map(|ask| ask.role);
            if let Some(chore) = peer.want(now, role, nonce.wrapping_add(1)) {
                wanted = Some((place, chore));
                break;
            }
        }
        let (place, chore) = wanted?;
        self.do_chore(place, chore, now, room)
    }

    fn do_chore(
        &mut self,
        place: usize,
        chore: Chore,
        now: Instant,
        room: &mut [u8],
    ) -> Option<(Header, usize)> {
        let peer = self.peers.get_mut(place)?.as_mut()?;
        let (node, after) = (peer.node, peer.highest.unwrap_or(0));
        let (service, sequence, role, length) = match chore {
            Chore::Info => (GetInfoRequest::SERVICE, 0, None, 0),
            Chore::NextSequence(role, nonce) => {
                self.nonce = nonce;
                let length = NextSequenceRequest { nonce, seal: Seal::default() }.encode(room)?;
                (NextSequenceRequest::SERVICE, peer.name(role)?, Some(role), length)
            }
            Chore::Resend { start, first, last } => {
                let sequence = peer.next_sequence(Role::Controller)?;
                peer.spend(Role::Controller);
                let request = ResendRequest { start, first, last, seal: Seal::default() };
                let length = request.encode(room)?;
                (ResendRequest::SERVICE, sequence, Some(Role::Controller), length)
            }
        };
        if let Some(role) = role {
            self.seal(role, sequence, service, node, room.get_mut(..length)?)?;
        }
        let priority = if role.is_some() { Priority::Nominal } else { Priority::Low };
        let header = self.header(Port::Request(service, node), priority);
        let sent = Sent { service, transfer_id: header.transfer_id, sequence, after };
        self.peers.get_mut(place)?.as_mut()?.asked(chore, sent, now);
        Some((header, length))
    }

    /// The oldest question of the user whose role's next sequence is known.
    fn question(&mut self, now: Instant, room: &mut [u8; OBJECT_BYTES]) -> Option<(Header, usize)> {
        let Self { peers, asks, .. } = self;
        let ready = |(place, ask): (usize, &Option<Asking>)| {
            let ask = ask.as_ref().filter(|ask| ask.stage == Stage::Written)?;
            let peer = peers.iter().flatten().find(|peer| peer.node == ask.node)?;
            let own = peer.next_sequence(ask.role)?;
            let asks_next = ask.service == NextSequenceRequest::SERVICE;
            let sequence = if asks_next { peer.to_name(ask.role)? } else { own };
            Some((ask.ticket.0, place, sequence, peer.highest?))
        };
        let (_, place, sequence, after) = asks.iter().enumerate().filter_map(ready).min()?;
        let ask = self.asks.get_mut(place)?.as_mut().filter(|ask| now < ask.deadline)?;
        let (role, service, node, length) = (ask.role, ask.service, ask.node, ask.length);
        *room = ask.bytes;
        let peer = self.find(node)?;
        if service == NextSequenceRequest::SERVICE {
            peer.name(role)?;
        } else {
            peer.spend(role);
        }
        self.seal(role, sequence, service, node, room.get_mut(..length)?)?;
        let header = self.header(Port::Request(service, node), Priority::Nominal);
        let sent = Sent { service, transfer_id: header.transfer_id, sequence, after };
        self.asks.get_mut(place)?.as_mut()?.stage = Stage::Sent(sent);
        Some((header, length))
    }

    fn seal(
        &self,
        role: Role,
        sequence: u64,
        service: ServiceId,
        to: NodeId,
        payload: &mut [u8],
    ) -> Option<()> {
        let address = Address { source: self.node, port: Port::Request(service, to) };
        seal(self.keys.get(role)?, role, sequence, address, payload).ok()
    }

    fn header(&mut self, port: Port, priority: Priority) -> Header {
        let transfer_id = self.ids.next(port);
        Header { priority, port, source: Some(self.node), transfer_id }
    }
}
