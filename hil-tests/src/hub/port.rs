//! A participant in this process: the controller, or a test, on the bus.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use croupier::protocol::framing::can::Frame;

use super::frame::show;
use super::seat::{Place, Taken};
use super::switchboard::Shared;
use crate::error::{BenchError, Result};
use crate::wait::{Waited, Watched};

/// More unread frames than this are lost, as in a controller that is not served.
const MOST: usize = 100_000;

/// What has come for a port.
#[derive(Default)]
pub(super) struct Inbox {
    frames: VecDeque<Frame>,
    acknowledged: u64,
    missed: u64,
}

impl Inbox {
    pub(super) fn deliver(&mut self, frame: Frame) {
        if self.frames.len() < MOST {
            self.frames.push_back(frame);
        } else {
            self.missed += 1;
        }
    }

    pub(super) fn acknowledge(&mut self) {
        self.acknowledged += 1;
    }
}

/// A place on the bus; dropping it leaves the bus, after what was sent.
pub struct Port {
    shared: Arc<Shared>,
    place: Place,
    inbox: Arc<Watched<Inbox>>,
    sent: u64,
}

impl Port {
    pub(super) fn new(shared: Arc<Shared>, place: Place, inbox: Arc<Watched<Inbox>>) -> Self {
        Self { shared, place, inbox, sent: 0 }
    }

    /// Sends `frame` as soon as the bus is free for it.
    pub fn send(&mut self, frame: Frame) -> Result<()> {
        let taken = self.shared.change(|core, now| core.bus.offer(self.place, frame, now));
        if taken == Taken::Refused {
            let answer = "too many frames wait for the bus".into();
            return Err(BenchError::Refused { tool: "hub", asked: show(&frame), answer });
        }
        self.sent += 1;
        Ok(())
    }

    /// The next frame of another participant.
    pub fn receive(&self, within: Duration) -> Waited<Frame> {
        self.inbox.wait(within, |inbox| inbox.frames.pop_front())
    }

    /// Waits until everything sent so far has been on the bus.
    pub fn await_sent(&self, within: Duration) -> Waited<()> {
        self.inbox.wait(within, |inbox| (inbox.acknowledged == self.sent).then_some(()))
    }

    /// How many frames were lost because they were not read in time.
    pub fn missed(&self) -> u64 {
        self.inbox.look(|inbox| inbox.missed)
    }
}

impl Drop for Port {
    fn drop(&mut self) {
        self.shared.change(|core, _| core.depart(self.place));
    }
}
