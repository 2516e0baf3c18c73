//! The bus itself: one frame at a time, the lowest id first, each for its time.
//!
//! Pure: frames and time in, happenings out, so that its rules are tested without
//! threads or sockets. It keeps its own clock: a host thread that runs late delivers
//! late, but the order of frames and the capacity of the bus stay as computed.

use std::sync::Arc;
use std::time::Duration;

use croupier::protocol::framing::can::Frame;

use super::delivery::Deliveries;
use super::faults::{Faults, Mishap, Way};
use super::frame::{BITS_PER_SECOND, ERROR_BITS, bits, flipped};
use super::recording::{Fate, Sent};
use super::seat::{Kind, Place, Seat, Taken, Waiting};

/// How long a bit takes on the real bus.
pub(super) const BIT: Duration = Duration::from_nanos(1_000_000_000 / BITS_PER_SECOND);

/// The least load a babbling node can ask for; nothing at all is no babbling.
const WHISPER: f64 = 0.000_1;

/// What happened on the bus.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Happening {
    /// This participant's frame is on the bus: every other node could have taken it.
    Acknowledged(Place, Frame),
    /// A frame reached this participant.
    Delivered(Place, Frame),
    /// The bus was used.
    Recorded(Sent),
}

struct Current {
    place: Place,
    start: Duration,
    end: Duration,
}

/// The bus.
pub(super) struct Bus {
    pub faults: Faults,
    seats: Vec<Seat>,
    bit: Duration,
    free_at: Duration,
    current: Option<Current>,
    deliveries: Deliveries,
}

impl Bus {
    /// A bus on which a bit takes this long; nothing, to carry frames as fast as they come.
    pub(super) fn new(bit: Duration, seed: u64) -> Self {
        Self {
            faults: Faults::new(seed),
            seats: Vec::new(),
            bit,
            free_at: Duration::ZERO,
            current: None,
            deliveries: Deliveries::default(),
        }
    }

    /// Whether frames are held up rather than lost when a reader is slow: only where time is none.
    pub(super) fn waits_for_readers(&self) -> bool {
        self.bit.is_zero()
    }

    /// Takes a place on the bus.
    pub(super) fn join(&mut self, name: &str, kind: Kind) -> Place {
        let place = self.seats.iter().position(Seat::is_free).unwrap_or(self.seats.len());
        let seat = Seat::new(name, kind);
        match self.seats.get_mut(place) {
            Some(free) => *free = seat,
            None => self.seats.push(seat),
        }
        place
    }

    /// Leaves the bus. What it has sent still goes out, unless its power was cut.
    pub(super) fn leave(&mut self, place: Place, cut: bool) {
        if self.seats[place].leave(cut) {
            self.current.take_if(|current| current.place == place);
        }
        self.deliveries.forget(place);
    }

    /// The name of who sits at `place`.
    pub(super) fn name(&self, place: Place) -> &Arc<str> {
        &self.seats[place].name
    }

    /// Where the participant `name` sits.
    pub(super) fn place(&self, name: &str) -> Option<Place> {
        self.seats.iter().position(|seat| seat.is_present() && &*seat.name == name)
    }

    /// Sends `frame` again and again, taking `load` of the bus (from 0 to 1) if it gets it.
    pub(super) fn babble(&mut self, name: &str, frame: Frame, load: f64, now: Duration) {
        let gap = (BIT * bits(&frame)).div_f64(load.clamp(WHISPER, 1.0));
        let place = self.join(name, Kind::Babbling(gap));
        self.seats[place].double(frame, now);
    }

    /// `place` wants to send `frame`.
    pub(super) fn offer(&mut self, place: Place, frame: Frame, now: Duration) -> Taken {
        self.seats[place].offer(frame, now)
    }

    /// Lets the next thing happen that is due by `now`; whether there was one.
    pub(super) fn step(&mut self, now: Duration, report: &mut impl FnMut(Happening)) -> bool {
        let moves = self.next_move();
        let arrives = self.deliveries.next();
        if moves.into_iter().chain(arrives).min().is_none_or(|due| due > now) {
            return false;
        }
        if arrives.is_some_and(|due| moves.is_none_or(|moves| due <= moves)) {
            let arrived = self.deliveries.pop(now);
            arrived.into_iter().for_each(|(to, frame)| report(Happening::Delivered(to, frame)));
        } else if let Some(current) = self.current.take() {
            self.finish(&current, report);
        } else {
            self.begin();
        }
        true
    }

    /// When something will happen by itself.
    pub(super) fn deadline(&self) -> Option<Duration> {
        self.next_move().into_iter().chain(self.deliveries.next()).min()
    }

    /// When the frame on the bus ends, or the next may begin.
    fn next_move(&self) -> Option<Duration> {
        match &self.current {
            Some(current) => Some(current.end),
            None => self.heads().map(|(_, from, _)| from.max(self.free_at)).min(),
        }
    }

    /// The participants with something to send, and from when on they may.
    fn heads(&self) -> impl Iterator<Item = (Place, Duration, Frame)> {
        self.seats.iter().enumerate().filter_map(|(place, seat)| {
            let head = seat.head()?;
            let from = head.since.max(self.faults.speaks_from(&seat.name));
            (from < Duration::MAX).then_some((place, from, head.frame))
        })
    }

    fn begin(&mut self) {
        let Some(start) = self.next_move() else { return };
        let ready = self.heads().filter(|(_, from, _)| *from <= start);
        // The same id from two nodes is a collision on a real bus; here the first come goes first.
        let winner = ready.min_by_key(|(_, from, frame)| (frame.id(), *from));
        self.current = winner.map(|(place, _, frame)| {
            let end = start + self.bit * bits(&frame);
            Current { place, start, end }
        });
    }

    fn finish(&mut self, current: &Current, report: &mut impl FnMut(Happening)) {
        let Current { place, start, end } = *current;
        self.free_at = end;
        let sender = Arc::clone(&self.seats[place].name);
        let Some(Waiting { frame, doubled, .. }) = self.seats[place].head() else { return };
        if self.faults.speaks_from(&sender) > end {
            return; // cut off: it stays in its sender, who will try again
        }
        let (fate, remarks) = (Fate::Passed, String::new());
        let mut sent = Sent { at: end, sender, frame, bits: bits(&frame), fate, remarks };
        if self.destroyed(place) {
            self.free_at = end + self.bit * ERROR_BITS;
            let (fate, bits) = (Fate::Destroyed, sent.bits + ERROR_BITS);
            return report(Happening::Recorded(Sent { fate, bits, ..sent }));
        }
        self.seats[place].sent(start, end);
        let mishap = self.mishap_of(&sent.sender);
        if mishap.doubled && !doubled {
            self.seats[place].double(frame, end);
        }
        if mishap.dropped {
            sent.fate = Fate::Lost;
        } else {
            let carried = mishap.corrupted.map_or(frame, |bit| flipped(&frame, bit));
            sent.fate = if carried == frame { Fate::Passed } else { Fate::Corrupted };
            self.deliver(place, carried, mishap, &mut sent);
        }
        report(Happening::Recorded(sent));
        // Last: a sender that knows its frame is out finds it in the recording.
        if !doubled {
            report(Happening::Acknowledged(place, frame));
        }
    }

    /// On a real bus any node that sees an error destroys the frame for all.
    fn destroyed(&mut self, sender: Place) -> bool {
        if !self.faults.any() {
            return false;
        }
        let others =
            self.seats.iter().enumerate().filter(|(to, seat)| *to != sender && seat.receives());
        let ways = others.map(|(_, seat)| Way::to(&seat.name));
        let ways = ways.chain([Way::from(&self.seats[sender].name), Way::Everywhere]);
        // Every die is rolled, so that one way's luck does not depend on another's.
        ways.filter(|way| self.faults.destroys(way)).count() > 0
    }

    fn mishap_of(&mut self, sender: &str) -> Mishap {
        if !self.faults.any() {
            return Mishap::default();
        }
        let own = self.faults.befalls(&Way::from(sender));
        own.and(self.faults.befalls(&Way::Everywhere))
    }

    fn deliver(&mut self, sender: Place, frame: Frame, on_the_bus: Mishap, sent: &mut Sent) {
        for (to, seat) in self.seats.iter().enumerate() {
            if to == sender || !seat.receives() || !self.faults.receives(&seat.name, sent.at) {
                continue;
            }
            let mut here = Mishap::default();
            if self.faults.any() {
                here = self.faults.befalls(&Way::to(&seat.name));
                here.remark(&seat.name, &mut sent.remarks);
            }
            let carried = here.corrupted.map_or(frame, |bit| flipped(&frame, bit));
            let due = sent.at + on_the_bus.delay + here.delay;
            let copies = if here.dropped { 0 } else { 1 + usize::from(here.doubled) };
            for _ in 0..copies {
                if on_the_bus.reordered || here.reordered {
                    self.deliveries.hold(to, carried, due);
                } else {
                    self.deliveries.push(to, carried, due);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
