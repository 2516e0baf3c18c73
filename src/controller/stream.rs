//! One device's events, put in order: each once, none unnoticed.
//!
//! Frames get lost, arrive twice and overtake each other. An event's stamp says which it is,
//! so it waits here until all before it have come; what does not come is asked for again, and
//! what is gone for good is said to be.

use crate::protocol::generated::croupier::common::Stamp;
use crate::protocol::seal::{EVENT_CONTENT, SEAL_BYTES};
use crate::protocol::transfer::SubjectId;

/// The most bytes of a sealed event.
pub(super) const EVENT_BYTES: usize = EVENT_CONTENT + SEAL_BYTES;

/// An event that waits for those before it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Held {
    pub subject: SubjectId,
    pub stamp: Stamp,
    pub length: usize,
    pub bytes: [u8; EVENT_BYTES],
}

impl Held {
    pub(super) fn new(subject: SubjectId, stamp: Stamp, payload: &[u8]) -> Option<Self> {
        let mut bytes = [0; EVENT_BYTES];
        bytes.get_mut(..payload.len())?.copy_from_slice(payload);
        Some(Self { subject, stamp, length: payload.len(), bytes })
    }
}

/// What comes next in order.
#[derive(Debug, Clone, Copy)]
pub(super) enum Step {
    Event(Held),
    /// These are gone: the device keeps them no more.
    Lost {
        start: u8,
        first: u32,
        last: u32,
    },
    Restarted,
}

/// Whether a sealed word belongs to the start we listen to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Epoch {
    Current,
    /// Of a newer start. It comes again when the old one is done with.
    Coming,
    /// Of an older start: a replay.
    Past,
}

/// The order of one device's events, with room for `HELD` of them out of turn.
#[derive(Debug)]
pub(super) struct Stream<const HELD: usize> {
    start: Option<u8>,
    /// Seals of this start have at least this number.
    base: u64,
    /// The next event to deliver.
    next: u32,
    /// All events below this have happened.
    end: u32,
    held: [Option<Held>; HELD],
    /// The start after this one, once it is known, and its least seal number.
    coming: Option<(u8, u64)>,
}

impl<const HELD: usize> Stream<HELD> {
    pub(super) const fn new() -> Self {
        const { assert!(HELD > 0, "an event needs a place") };
        Self { start: None, base: 0, next: 0, end: 0, held: [None; HELD], coming: None }
    }

    /// The number of the next event to deliver.
    pub(super) fn next(&self) -> u32 {
        self.next
    }

    /// To which start an authentic word belongs; `highest` is the highest seal before it.
    ///
    /// A device's seals only ever count up, so a start not seen yet is new if its seal
    /// is newer than all, and a replay if it is not.
    pub(super) fn epoch(&mut self, start: u8, sequence: u64, highest: u64) -> Epoch {
        if self.coming.is_some_and(|(new, base)| new == start && sequence >= base) {
            return Epoch::Coming;
        }
        if self.start == Some(start) && sequence >= self.base {
            return Epoch::Current;
        }
        if sequence <= highest {
            return Epoch::Past;
        }
        let base = highest.saturating_add(1);
        if self.start.is_none() {
            (self.start, self.base) = (Some(start), base);
            return Epoch::Current;
        }
        self.coming = Some((start, base));
        Epoch::Coming
    }

    /// Takes an event of the current start. Repeats are dropped.
    pub(super) fn take(&mut self, held: Held) {
        let number = held.stamp.number;
        self.exist_below(number.saturating_add(1));
        let in_reach = number >= self.next && ((number - self.next) as usize) < HELD;
        if let Some(slot) = self.held.get_mut(number as usize % HELD).filter(|_| in_reach) {
            *slot = Some(held);
        }
    }

    /// The device says that all events below `end` have happened.
    pub(super) fn exist_below(&mut self, end: u32) {
        self.end = self.end.max(end);
    }

    /// The device says that it keeps nothing of this start below `first`, of what we asked for.
    pub(super) fn give_up_below(&mut self, first: u32) -> Option<Step> {
        // What has arrived meanwhile is not lost.
        let to = first.min(self.end);
        self.lose(self.first_held().map_or(to, |held| held.min(to)))
    }

    /// From the first event missing to the last, as far as there is room for them: one question
    /// for all the gaps costs a few repeats and saves many rounds.
    pub(super) fn missing(&self) -> Option<(u8, u32, u32)> {
        let start = self.start.filter(|_| self.coming.is_none())?;
        let reach = self.end.min(self.next.saturating_add(HELD as u32));
        let mut absent = (self.next..reach).filter(|number| self.find(*number).is_none());
        let first = absent.next()?;
        Some((start, first, absent.next_back().unwrap_or(first)))
    }

    /// The next step in order, if it can be taken.
    pub(super) fn step(&mut self) -> Option<Step> {
        if self.find(self.next).is_some() {
            let slot = self.held.get_mut(self.next as usize % HELD)?;
            self.next += 1;
            return slot.take().map(Step::Event);
        }
        let (start, base) = self.coming?;
        // The old start is over, so nothing will fill its gaps any more.
        if let Some(lost) = self.lose(self.first_held().unwrap_or(self.end)) {
            return Some(lost);
        }
        *self = Self { start: Some(start), base, ..Self::new() };
        Some(Step::Restarted)
    }

    fn lose(&mut self, to: u32) -> Option<Step> {
        let first = self.next;
        let last = to.checked_sub(1).filter(|last| *last >= first)?;
        self.next = to;
        Some(Step::Lost { start: self.start?, first, last })
    }

    fn first_held(&self) -> Option<u32> {
        self.held.iter().flatten().map(|held| held.stamp.number).min()
    }

    fn find(&self, number: u32) -> Option<&Held> {
        let held = self.held.get(number as usize % HELD)?.as_ref();
        held.filter(|held| held.stamp.number == number)
    }
}
