//! A cycle's unloading: slot by slot in the plan's order, each card counted at the exit.

use super::{Cycle, Stage};
use crate::shuffler::card_path::event::Outlet;
use crate::shuffler::card_path::path::Path;
use crate::shuffler::fault::Fault;
use crate::time::Instant;

impl Cycle {
    /// Whether the number fed can only end in a wrong count.
    fn is_doomed(&self) -> bool {
        let stage_known = self.stage == Stage::Unloading;
        stage_known && self.wanted.cards.is_some_and(|cards| cards != self.tally.fed)
    }

    /// Whether cards go to the delivery tray, or may have gone there.
    pub(super) fn is_delivering(&self) -> bool {
        self.stage == Stage::Unloading && self.is_last_pass()
    }

    pub(super) fn is_last_pass(&self) -> bool {
        self.plan.pass() == self.plan.passes() || self.is_doomed()
    }

    pub(super) fn set_outlet(&mut self, path: &mut Path, now: Instant) {
        let outlet = if self.is_last_pass() { Outlet::Delivery } else { Outlet::Return };
        if self.outlet != Some(outlet) {
            (self.outlet, self.diverting) = (Some(outlet), true);
            path.divert(outlet, now);
        }
    }

    pub(super) fn unload(&mut self, path: &mut Path, now: Instant) -> Result<bool, Fault> {
        self.set_outlet(path, now);
        if self.diverting || !path.may_turn() {
            return Ok(false);
        }
        let Some(at) = path.at() else { return Ok(false) };
        let Some(slot) = self.next_slot() else { return self.finish_unloading(path, now) };
        if at != slot {
            path.turn(slot, now);
            return Ok(false);
        }
        path.eject(now);
        Ok(false)
    }

    /// The next slot that holds a card to come out now.
    fn next_slot(&mut self) -> Option<u8> {
        while let Some(slot) = self.plan.visit(self.visit) {
            if self.held.get(usize::from(slot)).is_some_and(|held| *held > 0) {
                return Some(slot);
            }
            self.visit += 1;
        }
        let left = self.held.iter().position(|held| *held > 0)?;
        self.is_last_pass().then_some(left as u8) // one of at most 54
    }

    fn finish_unloading(&mut self, path: &mut Path, now: Instant) -> Result<bool, Fault> {
        if self.is_last_pass() {
            return Ok(true);
        }
        if self.tally.ejected != self.tally.slotted {
            return Err(Fault::CountNotValid);
        }
        self.plan.next_pass(self.tally.ejected);
        (self.stage, self.visit) = (Stage::Feeding, 0);
        (self.taken, self.placed) = (0, 0);
        (self.tally.slotted, self.tally.ejected) = (0, 0);
        self.feed(path, now)
    }

    /// A card has come out of the slot that stands at the exit.
    pub(super) fn ejected(&mut self, at: Option<u8>) {
        let Some(slot) = at else { return };
        if let Some(held) = self.held.get_mut(usize::from(slot)) {
            *held = held.saturating_sub(1);
        }
        if !self.is_cover(slot) {
            self.tally.ejected += 1;
        } else if self.stage == Stage::Feeding {
            // It made room for the next one.
            self.covers &= !(1 << slot);
            self.spares_used = self.spares_used.saturating_sub(1);
        }
    }

    /// Whether a cover card lies in this slot.
    pub(super) const fn is_cover(&self, slot: u8) -> bool {
        self.covers & 1 << slot != 0
    }
}
