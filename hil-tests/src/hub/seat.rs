//! A participant's place on the bus, and the frames it wants to send.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use croupier::protocol::framing::can::Frame;

/// A participant's place on the bus.
pub(super) type Place = usize;

/// More than this waiting from one participant is refused.
const MOST: usize = 65_536;
/// A repetition this soon after its frame went out was on its way when the acknowledge was.
/// Less than a device's patience (250 ms), so that a new frame which only looks alike, as the
/// first after a reset may, gets through at its second try.
const CROSSING: Duration = Duration::from_millis(200);

/// What kind of participant sits there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Sends each frame once.
    Plain,
    /// Sends a frame again while it lacks the acknowledge, as a CAN controller does.
    Repeating,
    /// Sends its one frame again and again, this far apart at least, and receives nothing.
    Babbling(Duration),
}

/// How an offered frame was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Taken {
    /// It waits for the bus.
    Waiting,
    /// It is the one that waits already, or has just gone.
    Repeated,
    /// There are too many waiting.
    Refused,
}

/// A frame that waits for the bus.
#[derive(Debug, Clone, Copy)]
pub(super) struct Waiting {
    pub frame: Frame,
    pub since: Duration,
    /// A second time on purpose: neither acknowledged nor doubled again.
    pub doubled: bool,
}

/// A place that is taken, or was.
pub(super) struct Seat {
    pub name: Arc<str>,
    kind: Kind,
    present: bool,
    queue: VecDeque<Waiting>,
    last: Option<(Frame, Duration)>,
}

impl Seat {
    pub(super) fn new(name: &str, kind: Kind) -> Self {
        Self { name: name.into(), kind, present: true, queue: VecDeque::new(), last: None }
    }

    /// Whether a participant has it.
    pub(super) fn is_present(&self) -> bool {
        self.present
    }

    /// Whether another participant may have it: it is free, and nothing is left to send.
    pub(super) fn is_free(&self) -> bool {
        !self.present && self.queue.is_empty()
    }

    /// Whether what is on the bus reaches a participant here.
    pub(super) fn receives(&self) -> bool {
        self.present && !matches!(self.kind, Kind::Babbling(_))
    }

    /// Its participant has gone; whether what it wanted to send has gone too.
    pub(super) fn leave(&mut self, cut: bool) -> bool {
        self.present = false;
        let cut = cut || matches!(self.kind, Kind::Babbling(_));
        if cut {
            self.queue.clear();
        }
        cut
    }

    /// Its participant wants to send `frame`.
    pub(super) fn offer(&mut self, frame: Frame, now: Duration) -> Taken {
        let crossed = self.last.is_some_and(|(last, at)| last == frame && now < at + CROSSING);
        let waits = || self.queue.iter().any(|waiting| waiting.frame == frame);
        if self.kind == Kind::Repeating && (crossed || waits()) {
            return Taken::Repeated;
        }
        if self.queue.len() >= MOST {
            return Taken::Refused;
        }
        self.queue.push_back(Waiting { frame, since: now, doubled: false });
        Taken::Waiting
    }

    /// What it would send first.
    pub(super) fn head(&self) -> Option<Waiting> {
        self.queue.front().copied()
    }

    /// What it would send first has been on the bus from `start` to `end`.
    pub(super) fn sent(&mut self, start: Duration, end: Duration) {
        let Some(mut gone) = self.queue.pop_front() else { return };
        self.last = Some((gone.frame, end));
        if let Kind::Babbling(gap) = self.kind {
            gone.since = (gone.since + gap).max(start);
            self.queue.push_back(gone);
        }
    }

    /// It will send `frame` once more.
    pub(super) fn double(&mut self, frame: Frame, now: Duration) {
        self.queue.push_front(Waiting { frame, since: now, doubled: true });
    }
}

#[cfg(test)]
mod tests {
    use super::super::frame::extended;
    use super::*;

    #[test]
    fn a_repetition_of_a_frame_without_acknowledge_is_not_a_second_frame() {
        let (first, second) = (extended(1, &[1]).unwrap(), extended(1, &[2]).unwrap());
        let mut seat = Seat::new("reader", Kind::Repeating);
        let ms = Duration::from_millis;
        assert_eq!(seat.offer(first, ms(0)), Taken::Waiting);
        assert_eq!(seat.offer(second, ms(0)), Taken::Waiting);
        assert_eq!(seat.offer(first, ms(500)), Taken::Repeated, "it waits");
        seat.sent(ms(600), ms(600));
        assert_eq!(seat.offer(first, ms(601)), Taken::Repeated, "it crossed the acknowledge");
        seat.sent(ms(700), ms(700));
        assert_eq!(seat.offer(second, ms(900)), Taken::Waiting, "a new one that looks alike");
    }

    #[test]
    fn who_never_repeats_may_say_the_same_twice() {
        let frame = extended(1, &[1]).unwrap();
        let mut seat = Seat::new("client", Kind::Plain);
        assert_eq!(seat.offer(frame, Duration::ZERO), Taken::Waiting);
        assert_eq!(seat.offer(frame, Duration::ZERO), Taken::Waiting);
        for _ in 2..MOST {
            seat.offer(frame, Duration::ZERO);
        }
        assert_eq!(seat.offer(frame, Duration::ZERO), Taken::Refused);
    }

    #[test]
    fn what_was_sent_before_leaving_still_goes_unless_the_power_was_cut() {
        let frame = extended(1, &[1]).unwrap();
        for cut in [false, true] {
            let mut seat = Seat::new("client", Kind::Plain);
            seat.offer(frame, Duration::ZERO);
            assert_eq!(seat.leave(cut), cut);
            assert_eq!((seat.is_free(), seat.receives()), (cut, false));
        }
    }
}
