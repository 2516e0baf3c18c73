//! How much of the flash a role's commands may use up.
//!
//! A page lasts 10,000 erases. People never come near that, but a program with a key could give
//! commands without end whose effect is kept. So each role has an allowance of changes, and gets it
//! back slowly. Only what a command really changed in the store is taken from it.

use crate::protocol::seal::Role;

const ROLES: usize = Role::ALL.len();

/// Changes that a role's commands may make in a row: more than an evening of games takes.
pub const MOST_CHANGES: u16 = 256;

/// Ticks, ten a second, that bring one more.
pub const TICKS_A_CHANGE: u8 = 100;

/// What each role's commands may still change.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub(super) struct Allowance {
    left: [u16; ROLES],
    ticks: u8,
}

impl Allowance {
    pub(super) const fn new() -> Self {
        Self { left: [MOST_CHANGES; ROLES], ticks: 0 }
    }

    /// A tenth of a second has passed.
    pub(super) fn tick(&mut self) {
        self.ticks = (self.ticks + 1) % TICKS_A_CHANGE;
        if self.ticks == 0 {
            self.left = self.left.map(|left| left.saturating_add(1).min(MOST_CHANGES));
        }
    }

    /// Whether a command of `role` may change anything now.
    pub(super) fn is_left(&self, role: Role) -> bool {
        self.left.get(usize::from(role.code())).is_some_and(|left| *left > 0)
    }

    /// A command of `role` has made so many changes.
    pub(super) fn spend(&mut self, role: Role, changes: u32) {
        if let Some(left) = self.left.get_mut(usize::from(role.code())) {
            *left = left.saturating_sub(u16::try_from(changes).unwrap_or(u16::MAX));
        }
    }
}
