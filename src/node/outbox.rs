//! Answers waiting for their link.
//!
//! A command is taken only when its answer has a place here: nothing is done that cannot be
//! answered.

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

/// Up to `SLOTS` answers, first in first out.
#[derive(Debug)]
pub(super) struct Outbox<const SLOTS: usize> {
    slots: [Option<Waiting>; SLOTS],
}

impl<const SLOTS: usize> Outbox<SLOTS> {
    pub(super) const fn new() -> Self {
        Self { slots: [const { None }; SLOTS] }
    }

    pub(super) fn has_room(&self) -> bool {
        self.slots.iter().any(Option::is_none)
    }

    pub(super) fn push(&mut self, waiting: Waiting) {
        if let Some(slot) = self.slots.iter_mut().find(|slot| slot.is_none()) {
            *slot = Some(waiting);
        }
    }

    pub(super) fn first(&self) -> Option<&Waiting> {
        self.slots.first()?.as_ref()
    }

    pub(super) fn pop(&mut self) -> Option<Waiting> {
        let first = self.slots.first_mut()?.take();
        self.slots.rotate_left(1);
        first
    }
}
