//! What a controller reports to its user.

use crate::identity::{DeviceKind, Uid};
use crate::protocol::codec::Event;
use crate::protocol::generated::croupier::common::{Result as Outcome, Stamp, Status};
use crate::protocol::generated::croupier::shuffler::Progress;
use crate::protocol::generated::uavcan::node::GetInfoResponse;
use crate::protocol::transfer::{NodeId, SubjectId};

use super::asking::Ticket;

/// What a device says it is. It has no seal: the keys prove more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plate {
    /// Which device, if it is one of ours.
    pub kind: Option<DeviceKind>,
    /// Its serial number.
    pub serial: Uid,
    /// Major and minor version of its program.
    pub version: (u8, u8),
    /// The first 64 bits of its commit; 0 if it does not say.
    pub revision: u64,
    /// The first 64 bits of its image's SHA-256, once it has measured it.
    pub image: Option<u64>,
}

impl Plate {
    pub(super) fn new(info: &GetInfoResponse) -> Self {
        let name = core::str::from_utf8(&info.name).unwrap_or_default();
        Self {
            kind: DeviceKind::from_wire_name(name),
            serial: Uid(info.unique_id.first_chunk().copied().unwrap_or_default()),
            version: (info.software_version.major, info.software_version.minor),
            revision: info.software_vcs_revision_id,
            image: info.software_image_crc.first().copied(),
        }
    }
}

/// Something the user must know. Each is reported once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notice<'a> {
    /// A node is on the bus that was not there before.
    Found(NodeId),
    /// It said what it is.
    Identified(NodeId, Plate),
    /// No heartbeat for three seconds.
    Silent(NodeId),
    /// It sends again.
    Back(NodeId),
    /// It restarted; what it had not published before is gone.
    Restarted(NodeId),
    /// How it is now.
    Status(NodeId, Status),
    /// How far its work is now.
    Progress(NodeId, Progress),
    /// The next event in order.
    Event {
        /// The device that published it.
        node: NodeId,
        /// What kind of event.
        subject: SubjectId,
        /// Which one, and when.
        stamp: Stamp,
        /// The whole event, for [`Notice::event`].
        payload: &'a [u8],
    },
    /// Events that are gone for good: the device no longer keeps them.
    Lost {
        /// Whose.
        node: NodeId,
        /// Of which start.
        start: u8,
        /// The first.
        first: u32,
        /// The last.
        last: u32,
    },
    /// A question was answered.
    Answered {
        /// Which question.
        ticket: Ticket,
        /// What became of it.
        outcome: Outcome,
        /// The whole response, for its type's `decode`.
        payload: &'a [u8],
    },
    /// A question was not answered in time.
    Unanswered {
        /// Which question.
        ticket: Ticket,
        /// Whether it went out: if so, it may have been obeyed and only the answer been lost.
        sent: bool,
    },
}

impl Notice<'_> {
    /// The event as an `E`, if it is one.
    pub fn event<E: Event>(&self) -> Option<E> {
        match self {
            Self::Event { subject, payload, .. } if *subject == E::SUBJECT => {
                E::decode(payload).ok()
            }
            _ => None,
        }
    }
}
