//! What is on the wire: frames to and from the bench's hub, one at a time, at the bus's speed.

use super::errors::Fault;
use super::fifo::{Fifo, Received};
use super::frame::{Frame, Line};
use super::mailboxes::{ALST, TERR, TXOK};
use super::{Can, modes};
use crate::context::{Context, Ns, Stream};

/// Frames from the bench that wait for the wire.
const ROOM: usize = 24;
/// How long a frame waits for the hub's answer before it is sent again.
const PATIENCE: Ns = 250_000_000;
/// An error flag, its delimiter and the space behind it, in bits.
const ERROR_BITS: u32 = 6 + 8 + 3;
/// What an error passive transmitter waits in addition.
const SUSPENSION: u32 = 8;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Activity {
    Quiet,
    /// The first of the queue.
    Incoming,
    /// Of this mailbox.
    Outgoing(usize),
    /// An error flag and what follows it.
    Error,
}

/// The wire, the queue from the bench, and who waits for an answer.
#[derive(Debug, Clone)]
pub(super) struct Wire {
    pub alone: bool,
    activity: Activity,
    /// When the activity began and when it ends; `Ns::MAX` when quiet.
    began: Ns,
    ends: Ns,
    queue: [Frame; ROOM],
    queued: usize,
    /// The mailbox whose frame the hub has, and until when it is awaited.
    waiting: Option<usize>,
    patience: Ns,
    /// Answers still owed for texts of the waiting mailbox, and for texts that are over.
    owed: u32,
    stale: u32,
    /// Answers that were taken for stale ones while the mailbox waits.
    doubtful: u32,
    /// When bus-off ends by itself.
    recovers: Ns,
}

impl Wire {
    pub(super) const fn new() -> Self {
        Self {
            alone: false,
            activity: Activity::Quiet,
            began: 0,
            ends: Ns::MAX,
            queue: [Frame::EMPTY; ROOM],
            queued: 0,
            waiting: None,
            patience: Ns::MAX,
            owed: 0,
            stale: 0,
            doubtful: 0,
            recovers: Ns::MAX,
        }
    }

    pub(super) fn room(&self) -> usize {
        ROOM - self.queued
    }

    /// When something here ends.
    pub(super) fn next(&self) -> Ns {
        self.ends.min(self.patience).min(self.recovers)
    }

    /// Until when the wire is busy.
    pub(super) fn busy(&self, now: Ns) -> Ns {
        if self.activity == Activity::Quiet { now } else { self.ends.max(now) }
    }

    /// TXM and RXM of MSR.
    pub(super) fn activity(&self, on_bus: bool) -> u32 {
        match self.activity {
            Activity::Outgoing(_) => 1 << 8,
            Activity::Incoming if on_bus => 1 << 9,
            _ => 0,
        }
    }

    pub(super) fn postpone(&mut self, by: Ns) {
        for time in [&mut self.ends, &mut self.patience, &mut self.recovers] {
            *time = time.saturating_add(by);
        }
    }

    /// The controller is no longer on the bus: no frame waits for an answer any more.
    pub(super) fn leave(&mut self) {
        self.give_up();
        self.recovers = Ns::MAX;
        if let Activity::Outgoing(_) = self.activity {
            self.end();
        }
    }

    /// Answers that are still owed will be for nothing.
    fn give_up(&mut self) {
        self.waiting = None;
        self.patience = Ns::MAX;
        self.stale = self.stale.saturating_add(core::mem::take(&mut self.owed));
    }

    fn end(&mut self) {
        self.activity = Activity::Quiet;
        self.ends = Ns::MAX;
    }

    fn start(&mut self, activity: Activity, now: Ns, takes: Ns) {
        self.activity = activity;
        self.began = now;
        self.ends = now.saturating_add(takes);
    }

    fn push(&mut self, frame: Frame) {
        if let Some(place) = self.queue.get_mut(self.queued) {
            *place = frame;
            self.queued += 1;
        }
    }

    fn first(&self) -> Option<&Frame> {
        self.queue.get(..self.queued)?.first()
    }

    fn pop(&mut self) -> Option<Frame> {
        let first = *self.first()?;
        self.queue.rotate_left(1);
        self.queued -= 1;
        Some(first)
    }
}

impl Can {
    /// Takes text from the bench's hub as far as there is room; gives how many bytes it took.
    pub fn receive(&mut self, bytes: &[u8], cx: &mut Context<'_>) -> usize {
        // Nothing here breaks a rule of the manual: the bench is not the image.
        _ = self.advance(cx);
        let mut taken = 0;
        for &byte in bytes {
            // An answer needs no room; a frame that has begun was sure of its own.
            let full = self.wire.room() == 0 && self.decoder.begins_frame(byte);
            if full || self.held {
                break;
            }
            taken += 1;
            match self.decoder.accept(byte) {
                Some(Line::Frame(frame)) => self.wire.push(frame),
                Some(Line::Taken) => self.answered(true, cx.now),
                Some(Line::Refused) => self.answered(false, cx.now),
                None => {}
            }
            self.begin(cx.now);
        }
        self.show(cx);
        taken
    }

    /// Ends what is due on the wire.
    pub(super) fn end_on_wire(&mut self, cx: &mut Context<'_>) {
        let wire = &mut self.wire;
        if wire.recovers <= cx.now {
            wire.recovers = Ns::MAX;
            self.errors.recover();
        } else if wire.patience <= cx.now {
            // Answers to earlier texts that have not come by now never will: those texts were
            // lost, and what was taken for such an answer was for one of this frame's.
            (wire.patience, wire.stale) = (Ns::MAX, 0);
            wire.owed = wire.owed.saturating_sub(wire.doubtful);
            if let Some(index) = wire.waiting.take() {
                self.fail(index, Fault::Acknowledge, cx.now);
            }
        } else {
            let activity = wire.activity;
            wire.end();
            match activity {
                Activity::Incoming => self.deliver(cx.now),
                Activity::Outgoing(index) => self.hand_over(index, cx),
                Activity::Quiet | Activity::Error => {}
            }
        }
    }

    /// A frame has come in.
    fn deliver(&mut self, now: Ns) {
        let Some(frame) = self.wire.pop() else { return };
        if self.wire.alone {
            return;
        }
        if self.modes.woken() {
            self.wish(now);
        }
        if !self.modes.on_bus() || self.errors.is_bus_off() {
            return;
        }
        self.errors.received();
        let Some(found) = self.filters.pass(&frame) else { return };
        let time = if self.modes.stamps() { self.timing.stamp(self.wire.began) } else { 0 };
        let received = Received { frame, time, filter: found.index };
        let Some(fifo) = self.fifos.get_mut(found.fifo) else { return };
        match fifo.push(received, self.modes.is_locked()) {
            true => self.received = self.received.wrapping_add(1),
            false => self.lost = self.lost.wrapping_add(1),
        }
    }

    /// A frame of ours is out: the hub has it now, and another node may acknowledge it.
    fn hand_over(&mut self, index: usize, cx: &mut Context<'_>) {
        if self.boxes.is_aborted(index) {
            self.boxes.finish(index, 0);
        } else if self.wire.alone {
            self.fail(index, Fault::Acknowledge, cx.now);
        } else {
            cx.outside.send(Stream::Bus, self.boxes.frame(index).text().as_bytes());
            self.wire.owed = self.wire.owed.saturating_add(1);
            self.wire.doubtful = 0;
            self.wire.waiting = Some(index);
            self.wire.patience = cx.now.saturating_add(PATIENCE);
        }
    }

    /// The hub has answered.
    fn answered(&mut self, taken: bool, now: Ns) {
        let wire = &mut self.wire;
        if wire.stale > 0 {
            wire.stale -= 1;
            wire.doubtful = wire.doubtful.saturating_add(1);
            return;
        }
        let Some(index) = wire.waiting.take() else { return };
        wire.owed = wire.owed.saturating_sub(1);
        wire.patience = Ns::MAX;
        if taken {
            wire.give_up();
            self.boxes.finish(index, TXOK);
            self.errors.sent();
            self.sent = self.sent.wrapping_add(1);
        } else {
            self.fail(index, Fault::BitRecessive, now);
        }
    }

    /// A frame of ours has failed; it is tried again unless NART or an abort says no.
    fn fail(&mut self, index: usize, fault: Fault, now: Ns) {
        if self.errors.failed(fault) & self.ier != 0 {
            self.modes.mark(modes::ERRI);
        }
        if self.modes.tries_once() {
            self.boxes.finish(index, TERR);
        } else if self.boxes.is_aborted(index) {
            self.boxes.finish(index, 0);
        } else {
            self.boxes.fail(index, TERR);
        }
        if self.errors.is_bus_off() && self.modes.recovers() {
            self.wire.recovers = now.saturating_add(self.recovery());
        }
        let pause = if self.errors.is_passive() { SUSPENSION } else { 0 };
        if self.wire.activity == Activity::Quiet {
            self.wire.start(Activity::Error, now, self.timing.bits(ERROR_BITS + pause));
        }
    }

    /// Begins the next frame if the wire is quiet. Of one to come in and one to go out, the lower
    /// identifier wins.
    pub(super) fn begin(&mut self, now: Ns) {
        if self.wire.activity != Activity::Quiet {
            return;
        }
        let sends =
            self.modes.may_send() && self.wire.waiting.is_none() && !self.errors.is_bus_off();
        let ours = if sends { self.boxes.first(self.modes.in_order()) } else { None };
        let kept_back = self.patient && self.fifos.iter().any(Fifo::is_full);
        let theirs = if kept_back { None } else { self.wire.first() };
        let theirs = theirs.map(|frame| (frame.arbitration(), frame.bits()));
        match (ours, theirs) {
            (None, None) => {}
            (Some(index), Some((id, bits))) if self.boxes.frame(index).arbitration() > id => {
                if self.modes.tries_once() {
                    self.boxes.finish(index, ALST);
                }
                self.wire.start(Activity::Incoming, now, self.timing.bits(bits));
            }
            (None, Some((_, bits))) => {
                self.wire.start(Activity::Incoming, now, self.timing.bits(bits));
            }
            (Some(index), _) => {
                let bits = self.boxes.frame(index).bits();
                self.wire.start(Activity::Outgoing(index), now, self.timing.bits(bits));
                if self.modes.stamps() {
                    self.boxes.stamp(index, self.timing.stamp(now));
                }
            }
        }
    }

    /// A write to TSR: outcomes cleared, frames aborted that are not on the wire.
    pub(super) fn store_tsr(&mut self, value: u32) {
        let abort = self.boxes.store_status(value);
        for index in (0..3).filter(|index| abort >> index & 1 != 0) {
            if self.wire.activity == Activity::Outgoing(index) {
                continue;
            }
            if self.wire.waiting == Some(index) {
                self.wire.give_up();
            }
            self.boxes.finish(index, 0);
        }
    }
}
