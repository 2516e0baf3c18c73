//! Which questions for the next sequence are answered: those that cannot be recordings.
//!
//! A client that asks cannot know a number of its own yet. So its question carries a number of the
//! device, the highest that the client has seen in a seal, and each role must name a higher one
//! every time. What was recorded names a number that is used up, or one of an earlier start.

use crate::protocol::seal::{Refusal, Role};

const ROLES: usize = Role::ALL.len();

/// The lowest number of the device that each role's next question may name.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub(super) struct Questions([u64; ROLES]);

impl Questions {
    /// Of a start whose first number is `first`: no question of an earlier one counts.
    pub(super) const fn new(first: u64) -> Self {
        Self([first; ROLES])
    }

    /// Whether a question of `role` that names `heard` is answered. `next` is the number that the
    /// device will send next.
    pub(super) fn ask(&mut self, role: Role, heard: u64, next: u64) -> Result<(), Refusal> {
        let lowest = self.0.get_mut(usize::from(role.code())).ok_or(Refusal::UnknownRole)?;
        if heard < *lowest {
            return Err(Refusal::Replayed);
        }
        if heard >= next {
            return Err(Refusal::TooFarAhead);
        }
        *lowest = heard.saturating_add(1);
        Ok(())
    }
}
