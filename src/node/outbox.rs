//! Answers waiting for their link.
//!
//! A command is taken only when its answer has a place here: nothing is done that cannot be
//! answered. One place is kept for sealed answers, since any stranger can ask for the others.

use crate::protocol::codec::Response;
use crate::protocol::transfer::Header;

use super::device::Refused;

/// The most bytes in an answer, seal and all.
pub const ANSWER_BYTES: usize = 256;

/// The sheet an answer is written on.
#[derive(Debug, Clone, Copy)]
pub struct Reply {
    pub(super) bytes: [u8; ANSWER_BYTES],
    pub(super) length: usize,
    /// Which field of the request is out of range, counted from 1; 0 if that is not told.
    pub(super) blamed: u8,
}

impl Reply {
    /// Nothing written yet.
    pub const EMPTY: Self = Self { bytes: [0; ANSWER_BYTES], length: 0, blamed: 0 };

    /// Answers with `response`. Its `answer` and its seal are for the node to fill in.
    pub fn say<R: Response>(&mut self, response: &R) -> Result<(), Refused> {
        self.length = response.encode(&mut self.bytes).ok_or(Refused::OutOfRange)?;
        Ok(())
    }

    /// What a refusal for a value out of range says of the field that holds it, counted from 1.
    pub fn blame(&mut self, field: u8) -> Refused {
        self.blamed = field;
        Refused::OutOfRange
    }

    /// What was written so far.
    pub fn content(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }

    pub(super) fn payload(&mut self) -> &mut [u8] {
        self.bytes.get_mut(..self.length).unwrap_or_default()
    }
}

/// One answer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Waiting {
    pub header: Header,
    pub reply: Reply,
    /// Whether it is to be sealed when it is sent.
    pub sealed: bool,
}

/// Up to `SLOTS` answers; the most urgent leaves first, and of equals the first that came.
#[derive(Debug)]
pub(super) struct Outbox<const SLOTS: usize> {
    slots: [Option<Waiting>; SLOTS],
}

impl<const SLOTS: usize> Outbox<SLOTS> {
    pub(super) const fn new() -> Self {
        Self { slots: [const { None }; SLOTS] }
    }

    /// Whether an answer has a place. Only a sealed one gets the last.
    pub(super) fn has_room(&self, sealed: bool) -> bool {
        let free = self.slots.iter().filter(|slot| slot.is_none()).count();
        free > usize::from(!sealed)
    }

    pub(super) fn push(&mut self, waiting: Waiting) {
        if let Some(slot) = self.slots.iter_mut().find(|slot| slot.is_none()) {
            *slot = Some(waiting);
        }
    }

    pub(super) fn first(&self) -> Option<&Waiting> {
        self.slots.iter().flatten().min_by_key(|waiting| waiting.header.priority)
    }

    pub(super) fn pop(&mut self) -> Option<Waiting> {
        let urgent = self.first()?.header.priority;
        let is_first = |slot: &Option<Waiting>| slot.is_some_and(|w| w.header.priority == urgent);
        let place = self.slots.iter().position(is_first)?;
        let behind = self.slots.get_mut(place..)?;
        behind.rotate_left(1);
        behind.last_mut()?.take()
    }
}
