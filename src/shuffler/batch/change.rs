//! What becomes of the batches besides play: opened, dealt, come back, retired.

use super::{Life, to_wire};
use crate::cards::BackColour;
use crate::node::Refused;
use crate::protocol::generated::croupier::common::{NextStep, Role, Trouble};
use crate::protocol::generated::croupier::shuffler::BatchChange as Change;
use crate::shuffler::commit::Awaited;
use crate::shuffler::events::DeviceEvent;
use crate::shuffler::machine::{Action, Machine, Moment, State};

impl Machine {
    /// The shoe or the round is over.
    pub(in crate::shuffler) fn dealt(&mut self, moment: &Moment) -> Result<(), Refused> {
        if !self.batches.in_play {
            return self.dealt_uncounted(moment);
        }
        let before = self.batches;
        self.batches.dealt();
        self.commit_batches(Awaited::Dealt { before });
        Ok(())
    }

    /// A whole batch with this back has come back: its shoe or round is over (SH-17).
    pub(in crate::shuffler) fn came_back(&mut self, colour: BackColour) {
        if self.batches.came_back(colour) {
            self.push(Action::SetInRound(false));
            self.push(Action::SaveBatches);
        }
    }

    /// New cards were opened: their life begins (SH-40).
    pub(in crate::shuffler) fn open_batch(&mut self, colour: BackColour, life: Life) {
        let before = self.batches;
        self.batches.open(colour, life);
        self.commit_batches(Awaited::Changed { before, change: Change::Opened, colour });
    }

    /// A batch has left the table, as a floorperson says (SH-15). Refused while it is in play, and
    /// while it is or may be inside.
    pub(in crate::shuffler) fn retire(&mut self, colour: BackColour) -> Result<(), Refused> {
        let before = self.batches;
        if before.life(colour).is_none() {
            return Err(Refused::NotFound);
        }
        if before.in_play && before.last_played == Some(colour) {
            return Err(Refused::InRound);
        }
        if self.state.is_busy() {
            return Err(Refused::Busy);
        }
        if self.may_hold(colour) {
            return Err(Refused::OutOfTurn);
        }
        self.batches.retire(colour);
        self.commit_batches(Awaited::Changed { before, change: Change::Retired, colour });
        Ok(())
    }

    /// Whether cards of this batch are inside or behind the door, as far as is known.
    fn may_hold(&self, colour: BackColour) -> bool {
        let inventory = &self.record.inventory;
        let stack = self.waits() || self.state == State::Releasing;
        let inside = stack || inventory.inside > 0 || inventory.delivered > 0;
        inside && self.cycle.colour().is_none_or(|own| own == colour)
    }

    /// The count of this batch is wrong: that deck leaves the table, and is of no use before new
    /// cards are opened (SH-08).
    pub(in crate::shuffler) fn remove_deck(&mut self, colour: BackColour, moment: &Moment) {
        self.came_back(colour);
        if self.batches.life(colour).is_none() {
            return;
        }
        self.note_change(Change::Removed, colour, Role::Device);
        self.batches.retire(colour);
        self.push(Action::SaveBatches);
        self.say_missing(moment);
    }

    /// Another game, number of decks or way of dealing is in force. It may shorten the life of a
    /// batch and never lengthens it (SH-40); a batch of other decks is not in use any more (SH-15).
    pub(in crate::shuffler) fn follow_profile(&mut self, moment: &Moment) {
        let Some(chosen) = moment.chosen else { return };
        let before = self.batches;
        for colour in super::COLOURS {
            if before.life(colour).is_some_and(|life| life.decks != chosen.decks) {
                self.note_change(Change::Retired, colour, chosen.by);
            }
        }
        self.batches.keep_only(chosen.decks);
        if let Some(hours) = moment.rules(self.model.kind()).and_then(|rules| rules.hours) {
            self.batches.dealt_by(hours);
        }
        if self.batches != before {
            self.push(Action::SaveBatches);
        }
    }

    /// Says which batch is not there where the game must have two (SH-15).
    pub(in crate::shuffler) fn say_missing(&mut self, moment: &Moment) {
        let rules = moment.rules(self.model.kind());
        if let Some(missing) = rules.and_then(|rules| self.batches.missing(&rules)) {
            let batch = u16::from(to_wire(Some(missing)).code());
            self.advise(Trouble::BatchMissing, NextStep::OpenBatch, batch);
        }
    }

    /// Publishes what becomes of a batch.
    pub(in crate::shuffler) fn note_change(
        &mut self,
        change: Change,
        colour: BackColour,
        by: Role,
    ) {
        let decks = self.batches.life(colour).map_or(0, |life| life.decks);
        self.publish(DeviceEvent::batch(change, colour, decks, by));
    }
}
