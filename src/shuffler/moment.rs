//! When an event happens, and the game in force then.

use super::batch::age::Rules;
use crate::profile::{Profile, ShufflerKind};
use crate::services::Chosen;
use crate::time::Instant;

/// When an event happens, on both clocks, and the game in force then.
#[derive(Debug, Clone, Copy)]
pub struct Moment {
    /// When it happens.
    pub now: Instant,
    /// Milliseconds of the epoch, if the clock was set.
    pub utc_ms: Option<u64>,
    /// The game in force.
    pub chosen: Option<Chosen>,
}

impl Moment {
    pub(super) fn profile(&self) -> Option<&'static Profile> {
        self.chosen.map(|chosen| chosen.game.profile())
    }

    /// The cards of a full batch.
    pub(super) fn batch_total(&self) -> Option<u16> {
        batch_total(self.chosen)
    }

    /// What the game in force asks of the batches of such a machine.
    pub(super) fn rules(&self, kind: ShufflerKind) -> Option<Rules> {
        self.chosen.map(|chosen| Rules::of(&chosen, kind))
    }
}

/// The cards of a full batch of the game in force.
pub(super) fn batch_total(chosen: Option<Chosen>) -> Option<u16> {
    let chosen = chosen?;
    chosen.game.profile().batch_total(chosen.decks)
}
