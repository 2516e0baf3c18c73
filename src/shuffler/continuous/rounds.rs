//! Rounds: the last one is held in order, and given back or mixed in (SH-21).

use super::{Continuous, Stage};
use crate::shuffler::card_path::path::Path;

impl Continuous {
    /// Cards of the last round that can still be given back in order.
    pub const fn last_round(&self) -> u16 {
        self.held
    }

    /// The feed tray's contact changed.
    pub fn tray_changed(&mut self, loaded: bool) {
        self.tray_loaded = loaded;
        if !loaded && self.stage == Stage::Given {
            self.stage = Stage::Collecting;
        }
    }

    /// A new round begins: the last one is mixed in once all its cards are here. Whether that
    /// is possible now.
    pub fn next_round(&mut self) -> bool {
        let now = self.stage == Stage::Collecting && !self.ending;
        self.next_round |= now;
        now
    }

    /// Gives the last round back in its order; whether that can begin now.
    pub fn give_back(&mut self) -> bool {
        let now = self.stage == Stage::Collecting
            && self.held > 0
            && !self.next_round
            && !self.ending
            && !self.tray_loaded;
        if now {
            (self.stage, self.returned) = (Stage::Returning { mix: false }, 0);
        }
        now
    }

    /// Goes from one stage to the next where nothing moves.
    pub(super) fn turn_round(&mut self, path: &Path) {
        let still = path.mouth_is_free() && !self.staged;
        match self.stage {
            Stage::Collecting if self.next_round && still => {
                let here = !self.tray_loaded || self.held >= self.hold_room();
                if here && self.held > 0 {
                    (self.stage, self.returned) = (Stage::Returning { mix: true }, 0);
                }
            }
            Stage::Returning { mix } if self.held == 0 && self.going.is_none() => {
                let cards = self.queue.len() + self.returned;
                self.stage = if mix { Stage::Drawing(cards) } else { Stage::Given };
            }
            _ => {}
        }
    }
}
