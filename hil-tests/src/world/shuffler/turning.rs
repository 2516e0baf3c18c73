//! The wheel turns: home, to a slot, and what goes wrong on the way.

use croupier::shuffler::event::Axis;

use super::mechanism::{Mechanism, Step};
use super::trouble::{Moment, Trouble};

impl Mechanism {
    /// Finds its home: the flag at full speed, then again at a creep.
    pub(super) fn home(&mut self, now: u64) {
        if self.silent {
            return self.plan(now + 50_000, Step::Unanswered);
        }
        self.turning = true;
        // Down to the flag at 33 turns a minute, half a slot back, and there again at 2.2.
        let (slots, at) = (u64::from(self.wheel.slots), u64::from(self.at));
        let search = at * 60_000_000 / 33 / slots;
        let creep = 60_000_000 * 10 / 22 / slots / 2;
        self.plan(now + search + creep + 100_000, Step::Homed);
    }

    /// Turns by `slots` slots; how long that takes and how it will end, if it began.
    pub(super) fn turn_by(
        &mut self,
        to: u8,
        slots: u8,
        passes_the_flag: bool,
        now: u64,
    ) -> Option<(u64, Step)> {
        if self.silent {
            self.plan(now + 50_000, Step::Unanswered);
            return None;
        }
        let trouble = self.fate.strike(Moment::Turn);
        self.damage += u32::from(self.turning || self.is_loading() || !self.homed);
        self.turning = true;
        let took = u64::from(self.wheel.turn_us(slots));
        let stalled = Step::Stalled(Axis::Wheel);
        match trouble {
            Some(Trouble::Stall) => {
                self.plan(now + took / 2, stalled);
                return Some((took, stalled));
            }
            Some(Trouble::Silence) => {
                self.silent = true;
                self.plan(now + 50_000, Step::Unanswered);
                return None;
            }
            Some(Trouble::Slip) => self.slipped = (self.slipped + 1) % self.wheel.slots,
            Some(trouble) => self.spoil_slot_beam(trouble, now),
            None => {}
        }
        let end = if passes_the_flag && self.slipped != 0 { stalled } else { Step::Turned(to) };
        self.plan(now + took, end);
        Some((took, end))
    }
}
