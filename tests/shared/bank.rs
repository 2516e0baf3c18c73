//! A controller beside one device, and what it received.

use croupier::controller::{Controller, Notice, OBJECT_BYTES};
use croupier::identity::{Build, DeviceKind, Identity, Uid, Version};
use croupier::protocol::codec::{Event, Object, Request, Sealed};
use croupier::protocol::generated::croupier::common::{Result as Outcome, Role, Status};
use croupier::protocol::generated::croupier::shuffler::Progress;
use croupier::protocol::keys::KeyRing;
use croupier::protocol::transfer::{NodeId, SubjectId, Transfer};
use croupier::time::{Instant, Millis};

/// What a device on the host says it is.
pub fn identity(kind: DeviceKind) -> Identity {
    let version = Version { major: 0, minor: 1, patch: 0 };
    let build = Build { version, commit: None, profile: "test", compiler: "rustc" };
    let serial = Uid([7; 12]);
    Identity { maker: "croupier", kind, board: "host", serial, build, image: None }
}

/// The controller, its events, its last status and its answers.
pub struct Bank {
    controller: Controller<4, 4, 16>,
    pub status: Option<Status>,
    pub progress: Vec<Progress>,
    events: Vec<(SubjectId, Vec<u8>)>,
    answers: Vec<(Outcome, Vec<u8>)>,
}

impl Bank {
    /// A controller whose sequence numbers start at `sequence`.
    pub fn new(sequence: u64) -> Self {
        let node = NodeId::new(1).expect("below 128");
        Self {
            controller: Controller::new(node, KeyRing::simulation(), sequence),
            status: None,
            progress: Vec::new(),
            events: Vec::new(),
            answers: Vec::new(),
        }
    }

    pub fn receive(&mut self, transfer: &Transfer<'_>, now: Instant) {
        self.controller.receive(transfer, now);
    }

    pub fn next<'r>(
        &mut self,
        now: Instant,
        room: &'r mut [u8; OBJECT_BYTES],
    ) -> Option<Transfer<'r>> {
        self.controller.next(now, room)
    }

    /// Writes down what the controller received.
    pub fn collect(&mut self, now: Instant) {
        let mut room = [0; OBJECT_BYTES];
        while let Some(notice) = self.controller.poll(now, &mut room) {
            match notice {
                Notice::Event { subject, payload, .. } => {
                    self.events.push((subject, payload.to_vec()));
                }
                Notice::Status(_, status) => self.status = Some(status),
                Notice::Progress(_, progress) => self.progress.push(progress),
                Notice::Answered { outcome, payload, .. } => {
                    self.answers.push((outcome, payload.to_vec()));
                }
                _ => {}
            }
        }
    }

    pub fn ask<R: Request + Sealed>(
        &mut self,
        node: NodeId,
        role: Role,
        request: &R,
        now: Instant,
    ) {
        self.controller.ask(node, role, request, now, Millis::from_secs(2)).expect("room");
    }

    pub fn is_answered(&self) -> bool {
        !self.answers.is_empty()
    }

    /// The answer to an `R`, which has come.
    pub fn answer<R: Request>(&mut self) -> (Outcome, R::Response) {
        let (outcome, payload) = self.answers.remove(0);
        (outcome, R::Response::decode(&payload).expect("an answer of that kind"))
    }

    pub fn events<E: Event>(&self) -> Vec<E> {
        let ours = self.events.iter().filter(|(subject, _)| *subject == E::SUBJECT);
        ours.map(|(_, bytes)| E::decode(bytes).expect("decodes")).collect()
    }
}
