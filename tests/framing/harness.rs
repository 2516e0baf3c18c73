//! What the framing tests share: seeded chance, transfers to send, and listeners.

pub use crate::dice::Dice;

use croupier::protocol::framing::can::{Frame, Frames};
use croupier::protocol::transfer::{
    Header, Interest, NodeId, Port, Priority, ServiceId, SubjectId, Transfer,
};
use croupier::time::Instant;

/// The longest payload that the tests send.
pub const LONGEST: usize = 300;
/// The node that listens.
pub const NODE: NodeId = NodeId::new(42).expect("42 is a node");

/// A moment of the listener.
pub fn at(milliseconds: u64) -> Instant {
    Instant::from_millis(milliseconds)
}

impl Dice {
    pub fn below(&mut self, bound: usize) -> usize {
        self.roll(bound as u64) as usize
    }

    pub fn one_in(&mut self, chances: usize) -> bool {
        self.below(chances) == 0
    }

    pub fn bytes(&mut self, length: usize) -> Vec<u8> {
        (0..length).map(|_| self.next() as u8).collect()
    }
}

/// A transfer that owns its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owned {
    pub header: Header,
    pub payload: Vec<u8>,
}

impl Owned {
    pub fn lend(&self) -> Transfer<'_> {
        Transfer { header: self.header, payload: &self.payload }
    }

    pub fn frames(&self) -> Vec<Frame> {
        Frames::of(&self.lend()).unwrap().collect()
    }

    /// As a receiver on CAN must see it, where numbers have five bits.
    pub fn on_can(mut self) -> Self {
        self.header.transfer_id %= 32;
        self
    }
}

impl From<Transfer<'_>> for Owned {
    fn from(transfer: Transfer<'_>) -> Self {
        Self { header: transfer.header, payload: transfer.payload.to_vec() }
    }
}

pub fn node(number: u8) -> NodeId {
    NodeId::new(number).unwrap()
}

pub fn subject(number: u16) -> Port {
    Port::Message(SubjectId::new(number).unwrap())
}

pub fn request(number: u16) -> Port {
    Port::Request(ServiceId::new(number).unwrap(), NODE)
}

/// A message from `source` with this number of bytes, all different from their neighbours.
pub fn message(source: u8, number: u16, transfer_id: u64, length: usize) -> Owned {
    let payload = (0..length).map(|at| (at as u8).wrapping_mul(7) ^ source).collect();
    let port = subject(number);
    let header =
        Header { priority: Priority::Nominal, port, source: Some(node(source)), transfer_id };
    Owned { header, payload }
}

/// Any transfer that [`NODE`] may receive.
pub fn any_transfer(dice: &mut Dice, length: usize) -> Owned {
    let source = loop {
        let source = node(dice.below(128) as u8);
        if source != NODE {
            break source;
        }
    };
    let service = ServiceId::new(dice.below(512) as u16).unwrap();
    let (port, source) = match dice.below(4) {
        0 => (Port::Request(service, NODE), Some(source)),
        1 => (Port::Response(service, NODE), Some(source)),
        2 if length <= 7 => (subject(dice.below(8192) as u16), None),
        _ => (subject(dice.below(8192) as u16), Some(source)),
    };
    let priority = Priority::from_code(dice.below(8) as u8).unwrap();
    let payload = dice.bytes(length);
    Owned { header: Header { priority, port, source, transfer_id: dice.next() }, payload }
}

/// Listens on every port, for payloads up to this length.
pub struct Everything(pub usize);

impl Interest for Everything {
    fn extent(&self, _: Port) -> Option<usize> {
        Some(self.0)
    }
}

/// Listens on one port only.
pub struct Only(pub Port);

impl Interest for Only {
    fn extent(&self, port: Port) -> Option<usize> {
        (port == self.0).then_some(LONGEST)
    }
}
