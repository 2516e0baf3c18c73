//! Joins frames into transfers, in a fixed number of places.
//!
//! Who may have a place is decided so that a babbling or hostile node cannot starve the
//! others. Numbers and priorities on CAN are claims that anyone can make, so neither
//! gives a lasting right to anything:
//!
//! - A transfer of one frame needs no place and is never refused. It uses a free one to
//!   be recognised when it repeats, and does not disturb a transfer in the making.
//! - A transfer of several frames takes its session's own place, else one that is free,
//!   finished or timed out, longest silent first.
//! - If all are busy, the sender that holds most places (counting the one it asks for)
//!   gives up the one longest silent. So a babbling node only ever pushes itself out, and
//!   every sender keeps its fair share.
//! - Under many false numbers each sender holds one place, and the longest silent goes.
//!   To push out a living transfer, the forger must get as many frames onto the bus
//!   between two of its frames as there are places. To wait for time-outs instead, or to
//!   spare the higher priority, would let a few frames every two seconds, claiming the
//!   highest, lock everyone out.

use embedded_can::Id;
use zeroize::Zeroize;

use super::sender::ROOM;
use super::slot::{Session, Slot};
use super::{Address, Frame, Tail};
use crate::protocol::counters::{Counters, Loss};
use crate::protocol::transfer::{Header, Interest, NodeId, Port, Transfer};
use crate::time::Instant;

/// Frames in, transfers out. Takes up to `SLOTS` transfers of several frames at a time,
/// of up to `BYTES` bytes each; that, and a few words a slot, is all its memory.
#[derive(Debug, Clone)]
pub struct Receiver<const SLOTS: usize, const BYTES: usize> {
    node: Option<NodeId>,
    slots: [Slot<BYTES>; SLOTS],
    turn: u32,
    counters: Counters,
}

/// A frame that this node listens for.
struct Piece<'a> {
    address: Address,
    tail: Tail,
    bytes: &'a [u8],
    extent: usize,
}

impl<const SLOTS: usize, const BYTES: usize> Receiver<SLOTS, BYTES> {
    /// Receives for `node`: messages, and services addressed to it.
    pub const fn for_node(node: NodeId) -> Self {
        Self::new(Some(node))
    }

    /// Receives for an onlooker: messages, and services between any nodes.
    pub const fn for_onlooker() -> Self {
        Self::new(None)
    }

    const fn new(node: Option<NodeId>) -> Self {
        Self { node, slots: [const { Slot::EMPTY }; SLOTS], turn: 0, counters: Counters::ZERO }
    }

    /// What was delivered and what was dropped.
    pub const fn counters(&self) -> &Counters {
        &self.counters
    }

    /// Overwrites the bytes of transfers that were delivered, such as new keys.
    pub fn wipe(&mut self) {
        self.slots.iter_mut().for_each(Slot::zeroize);
    }

    /// Takes one frame; gives the transfer that it completes.
    ///
    /// `now` may have any origin. The listener's answer for a transfer is asked with
    /// each of its frames and the one for the first counts.
    pub fn accept<'a>(
        &'a mut self,
        frame: &'a Frame,
        now: Instant,
        interest: &impl Interest,
    ) -> Option<Transfer<'a>> {
        let taken = self.screen(frame, interest).and_then(|piece| {
            self.turn = self.turn.wrapping_add(1);
            self.join(&piece, now).map(|joined| (piece, joined))
        });
        let (piece, joined) = match taken {
            Ok(taken) => taken,
            Err(why) => {
                self.counters.lose(why);
                return None;
            }
        };
        let payload = match joined {
            Joined::Whole => &piece.bytes[..piece.bytes.len().min(piece.extent)],
            Joined::Last { slot, length } => self.slots.get(slot)?.payload(length),
            Joined::Part => return None,
        };
        self.counters.deliver();
        let Address { priority, port, source } = piece.address;
        let transfer_id = piece.tail.transfer_id.into();
        Some(Transfer { header: Header { priority, port, source, transfer_id }, payload })
    }

    /// Looks at one frame alone.
    fn screen<'a>(&self, frame: &'a Frame, interest: &impl Interest) -> Result<Piece<'a>, Loss> {
        let Id::Extended(id) = frame.id() else { return Err(Loss::Foreign) };
        let address = Address::decode(id).ok_or(Loss::Foreign)?;
        let (tail, bytes) = Tail::split(frame.data()).ok_or(Loss::Malformed)?;
        let Tail { start, end, toggle, .. } = tail;
        if start && !toggle {
            // This is how the protocol's predecessor begins a transfer.
            return Err(Loss::Foreign);
        }
        let single = start && end;
        let anonymous = address.source.is_none();
        let filled = if end { !bytes.is_empty() } else { bytes.len() == ROOM };
        if !single && (anonymous || !filled) {
            return Err(Loss::Malformed);
        }
        if let Some(own) = self.node {
            if address.source == Some(own) {
                return Err(Loss::Impostor);
            }
            if matches!(address.port, Port::Request(_, to) | Port::Response(_, to) if to != own) {
                return Err(Loss::Unwanted);
            }
        }
        let extent = interest.extent(address.port).ok_or(Loss::Unwanted)?;
        Ok(Piece { address, tail, bytes, extent })
    }

    /// Looks at a frame in the light of those before.
    fn join(&mut self, piece: &Piece<'_>, now: Instant) -> Result<Joined, Loss> {
        let Piece { tail, extent, .. } = *piece;
        let Some(source) = piece.address.source else { return Ok(Joined::Whole) };
        let session = Session { source, port: piece.address.port };
        let own = self.slots.iter().position(|slot| slot.session() == Some(session));
        if tail.start {
            let own_slot = own.and_then(|own| self.slots.get(own));
            if own_slot.is_some_and(|slot| slot.repeats(tail.transfer_id, now)) {
                return Err(Loss::Duplicate);
            }
            let place = own.or_else(|| self.spare(now));
            if tail.end {
                if let Some(slot) = place.and_then(|place| self.clear(place, session, now)) {
                    slot.note_delivered(tail.transfer_id);
                }
                return Ok(Joined::Whole);
            }
            let place = place.or_else(|| self.victim(source)).ok_or(Loss::Overflow)?;
            let slot = self.clear(place, session, now).ok_or(Loss::Overflow)?;
            slot.begin(tail.transfer_id, extent);
            return slot.add(tail, piece.bytes, now).map(|_| Joined::Part);
        }
        let place = own.ok_or(Loss::Stray)?;
        let slot = self.slots.get_mut(place).ok_or(Loss::Stray)?;
        let complete = slot.add(tail, piece.bytes, now)?;
        slot.touch(now, self.turn);
        Ok(complete.map_or(Joined::Part, |length| Joined::Last { slot: place, length }))
    }

    /// Gives a place to `session`, counting what is lost by that.
    fn clear(&mut self, place: usize, session: Session, now: Instant) -> Option<&mut Slot<BYTES>> {
        let slot = self.slots.get_mut(place)?;
        if slot.is_making() {
            self.counters.lose(match slot.session() == Some(session) {
                _ if slot.is_stale(now) => Loss::TimedOut,
                true => Loss::Unfinished,
                false => Loss::Evicted,
            });
        }
        slot.assign(session);
        slot.touch(now, self.turn);
        Some(slot)
    }

    /// A place that is not in use.
    fn spare(&self, now: Instant) -> Option<usize> {
        let idle = |slot: &Slot<BYTES>| !slot.is_making() || slot.is_stale(now);
        let places = self.slots.iter().enumerate().filter(|(_, slot)| idle(slot));
        places
            .max_by_key(|(_, slot)| (slot.session().is_none(), slot.silence(self.turn)))
            .map(|(place, _)| place)
    }

    /// The place to take when all are busy and `newcomer` asks for one.
    fn victim(&self, newcomer: NodeId) -> Option<usize> {
        let holder = |slot: &Slot<BYTES>| slot.session().map(|session| session.source);
        let places = self.slots.iter().enumerate();
        places
            .max_by_key(|(_, slot)| {
                let held = self.slots.iter().filter(|other| holder(other) == holder(slot)).count();
                let asked = usize::from(holder(slot) == Some(newcomer));
                (held + asked, slot.silence(self.turn))
            })
            .map(|(place, _)| place)
    }
}

/// What became of a frame that was taken.
enum Joined {
    /// It is a transfer by itself.
    Whole,
    /// More frames must follow.
    Part,
    /// It completes the `length` bytes in `slot`.
    Last { slot: usize, length: usize },
}
