//! The table controller at the other end of one link, over its real framing.

use croupier::controller::{Controller, Notice, OBJECT_BYTES};
use croupier::identity::DeviceKind;
use croupier::protocol::codec::{Event, Message, Object, Request, Sealed};
use croupier::protocol::framing::can::{Frames, Receiver};
use croupier::protocol::framing::serial::{self, Decoder};
use croupier::protocol::generated::croupier::common::{Result as Outcome, Role, Status};
use croupier::protocol::generated::uavcan::node::Heartbeat;
use croupier::protocol::keys::KeyRing;
use croupier::protocol::transfer::{Interest, NodeId, Port, SubjectId, Transfer};
use croupier::time::{Instant, Millis};

use super::world::World;

/// Which link a bank is on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Link {
    Serial,
    Can,
}

struct Everything;

impl Interest for Everything {
    fn extent(&self, _: Port) -> Option<usize> {
        Some(OBJECT_BYTES)
    }
}

fn is_heartbeat(transfer: &Transfer<'_>) -> bool {
    transfer.header.port == Port::Message(Heartbeat::SUBJECT)
}

/// A controller on a link, and what it received.
pub struct Bank {
    link: Link,
    controller: Controller<4, 4, 16>,
    frames: Receiver<32, OBJECT_BYTES>,
    bytes: Decoder<OBJECT_BYTES>,
    pub identified: Option<DeviceKind>,
    pub statuses: Vec<Status>,
    pub events: Vec<(SubjectId, Vec<u8>)>,
    pub answers: Vec<(Outcome, Vec<u8>)>,
    pub unanswered: usize,
    /// When each heartbeat came.
    pub heartbeats: Vec<Instant>,
}

impl Bank {
    pub fn new(link: Link) -> Self {
        let node = NodeId::new(1 + link as u8).unwrap();
        Self {
            link,
            controller: Controller::new(node, KeyRing::simulation(), (5 + link as u64) << 32),
            frames: Receiver::for_onlooker(),
            bytes: Decoder::for_onlooker(),
            identified: None,
            statuses: Vec::new(),
            events: Vec::new(),
            answers: Vec::new(),
            unanswered: 0,
            heartbeats: Vec::new(),
        }
    }

    /// Takes what the device sent and sends what is to be asked.
    pub fn carry(&mut self, world: &World) {
        let (state, now) = (&*world.0, world.0.now.get());
        match self.link {
            Link::Can => {
                for frame in state.from_can.borrow_mut().drain(..) {
                    if let Some(transfer) = self.frames.accept(&frame, now, &Everything) {
                        self.heartbeats.extend(is_heartbeat(&transfer).then_some(now));
                        self.controller.receive(&transfer, now);
                    }
                }
            }
            Link::Serial => {
                for byte in state.from_serial.borrow_mut().drain(..) {
                    if let Some(transfer) = self.bytes.accept(byte, &Everything) {
                        self.heartbeats.extend(is_heartbeat(&transfer).then_some(now));
                        self.controller.receive(&transfer, now);
                    }
                }
            }
        }
        let mut room = [0; OBJECT_BYTES];
        while let Some(transfer) = self.controller.next(now, &mut room) {
            match self.link {
                Link::Can => state.to_can.borrow_mut().extend(Frames::of(&transfer).unwrap()),
                Link::Serial => {
                    let mut text = [0; serial::most_bytes(OBJECT_BYTES)];
                    let bytes = serial::encode(&transfer, &mut text).unwrap();
                    state.to_serial.borrow_mut().extend(bytes);
                }
            }
        }
        self.listen(now);
    }

    fn listen(&mut self, now: Instant) {
        let mut room = [0; OBJECT_BYTES];
        while let Some(notice) = self.controller.poll(now, &mut room) {
            match notice {
                Notice::Identified(_, plate) => self.identified = plate.kind,
                Notice::Status(_, status) => self.statuses.push(status),
                Notice::Event { subject, payload, .. } => {
                    self.events.push((subject, payload.to_vec()));
                }
                Notice::Answered { outcome, payload, .. } => {
                    self.answers.push((outcome, payload.to_vec()));
                }
                Notice::Unanswered { .. } => self.unanswered += 1,
                _ => {}
            }
        }
    }

    pub fn ask<R: Request + Sealed>(&mut self, to: NodeId, role: Role, asked: &R, now: Instant) {
        self.controller.ask(to, role, asked, now, Millis::from_secs(2)).expect("room");
    }

    pub fn events<E: Event>(&self) -> Vec<E> {
        let ours = self.events.iter().filter(|(subject, _)| *subject == E::SUBJECT);
        ours.map(|(_, bytes)| E::decode(bytes).expect("decodes")).collect()
    }

    /// The answer to the last question, taken.
    pub fn answer<R: Object>(&mut self) -> Option<(Outcome, R)> {
        let (outcome, payload) = self.answers.pop()?;
        Some((outcome, R::decode(&payload).expect("an answer of that kind")))
    }
}
