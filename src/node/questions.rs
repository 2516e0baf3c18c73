//! How often the next sequence is told: an answer uses up a number, and so some flash.
//!
//! A request for the next sequence needs no fresh number, so whoever recorded one can send it again for
//! ever. A nonce that came last is not answered twice, and the others are rationed.

use crate::protocol::seal::{Refusal, Role};

const ROLES: usize = Role::ALL.len();
/// Answers to one role in a row.
const MOST: u8 = 8;
/// Calls of [`Questions::tick`] that bring one more: a second of them.
const TICKS: u8 = 10;

/// What each role asked last, and what it may still ask.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub(super) struct Questions {
    last: [Option<u64>; ROLES],
    left: [u8; ROLES],
    ticks: u8,
}

impl Questions {
    pub(super) const fn new() -> Self {
        Self { last: [None; ROLES], left: [MOST; ROLES], ticks: 0 }
    }

    /// A tenth of a second has passed.
    pub(super) fn tick(&mut self) {
        self.ticks = (self.ticks + 1) % TICKS;
        if self.ticks == 0 {
            self.left = self.left.map(|left| left.saturating_add(1).min(MOST));
        }
    }

    /// Whether `role` is answered this time.
    pub(super) fn ask(&mut self, role: Role, nonce: u64) -> Result<(), Refusal> {
        let place = usize::from(role.code());
        let (Some(last), Some(left)) = (self.last.get_mut(place), self.left.get_mut(place)) else {
            return Err(Refusal::UnknownRole);
        };
        if *last == Some(nonce) || *left == 0 {
            return Err(Refusal::Replayed);
        }
        (*last, *left) = (Some(nonce), *left - 1);
        Ok(())
    }
}
