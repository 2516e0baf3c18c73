//! A cycle's feeding: every card from the tray to the slot the plan gives it.
//!
//! The tray's contact is a hint, not a count: where it says "empty" and cards are due, a
//! pick is tried, and what the roller finds decides.

use super::{Cycle, Stage};
use crate::shuffler::card_path::event::Back;
use crate::shuffler::card_path::path::Path;
use crate::shuffler::fault::Fault;
use crate::time::Instant;

impl Cycle {
    /// Loads what is staged, stages what is next, and goes on to unloading when all are in.
    pub(super) fn feed(&mut self, path: &mut Path, now: Instant) -> Result<bool, Fault> {
        self.set_outlet(path, now);
        self.load_staged(path, now);
        if !path.mouth_is_free() {
            return Ok(false);
        }
        let full = path.has_staged() && self.is_full();
        if full && self.staged == Some(Back::Cover) {
            return self.make_room(path, now);
        }
        if full || (self.staged.is_none() && !self.wants_more()) {
            self.finish_feeding()?;
            return self.unload(path, now);
        }
        if self.wants_more() && !path.has_staged() {
            self.drained |= !self.tray_loaded;
            path.feed(now);
        }
        Ok(false)
    }

    /// Whether another card must be asked for.
    fn wants_more(&self) -> bool {
        if let Some(due) = self.due {
            return self.taken < due;
        }
        let asked_for = self.taken < self.plan.count() || self.tray_lies;
        self.tray_loaded || (asked_for && !self.drained)
    }

    /// Whether the staged card has no slot: it stays before the wheel, and is counted.
    fn is_full(&self) -> bool {
        self.staged.is_some_and(|back| self.slot_for(back).is_none())
    }

    /// A cover card needs the slot of the one before it, which may go out at once: it is not
    /// part of the order.
    fn make_room(&self, path: &mut Path, now: Instant) -> Result<bool, Fault> {
        let last = self.spares_used.checked_sub(1).and_then(|last| self.plan.spare_slot(last));
        let cover = last.filter(|slot| self.is_cover(*slot) && self.is_last_pass());
        let slot = cover.ok_or(Fault::CoverCards)?;
        match path.at().filter(|_| path.may_turn() && !self.diverting) {
            Some(at) if at == slot => path.eject(now),
            Some(_) => path.turn(slot, now),
            None => {}
        }
        Ok(false)
    }

    /// The slot for a card: the plan's, or one to spare for what is not in the plan.
    fn slot_for(&self, back: Back) -> Option<u8> {
        match back {
            Back::Cover => None,
            _ => self.plan.slot(self.placed),
        }
        .or_else(|| self.plan.spare_slot(self.spares_used))
    }

    fn load_staged(&mut self, path: &mut Path, now: Instant) {
        if !path.may_turn() {
            return;
        }
        let Some(at) = path.at() else { return };
        let ready = path.has_staged();
        let back = self.staged.filter(|_| ready);
        let slot = match back {
            Some(back) => self.slot_for(back),
            None => self.plan.slot(self.placed),
        };
        let Some(slot) = slot else { return };
        if at != slot {
            path.turn(slot, now);
        } else if let Some(back) = back {
            self.book(slot, back);
            path.load(now);
        }
    }

    /// Books a card into its slot, at the moment it goes there.
    fn book(&mut self, slot: u8, back: Back) {
        let spare = back == Back::Cover || self.plan.slot(self.placed).is_none();
        self.spares_used += u8::from(spare);
        if back == Back::Cover {
            self.covers |= 1 << slot;
        } else {
            self.placed += 1;
        }
        if let Some(held) = self.held.get_mut(usize::from(slot)) {
            *held += 1;
        }
    }

    fn finish_feeding(&mut self) -> Result<(), Fault> {
        // In a later pass the tray must have held exactly what went there.
        if self.plan.pass() > 1 && (self.taken != self.tally.slotted || self.tray_loaded) {
            return Err(Fault::CountNotValid);
        }
        self.due = Some(self.taken);
        (self.stage, self.visit) = (Stage::Unloading, 0);
        Ok(())
    }
}
