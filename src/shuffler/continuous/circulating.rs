//! Circulation: rounds begin, end, and are given back.

use super::Continuous;
use crate::cards::BackColour;
use crate::node::Refused;
use crate::protocol::generated::croupier::common::Trouble;
use crate::protocol::generated::croupier::shuffler::{Inventory as InventoryEvent, Task};
use crate::shuffler::batch::age::refusal;
use crate::shuffler::card_path::path::Report;
use crate::shuffler::events::DeviceEvent;
use crate::shuffler::machine::{Machine, Moment, State};
use crate::shuffler::record::Inventory;
use crate::time::Instant;

impl Machine {
    /// Goes on circulating.
    pub(in crate::shuffler) fn circulate(&mut self, report: Option<Report>, moment: &Moment) {
        let Some(continuous) = &mut self.continuous else { return };
        let unseen = continuous.colour().is_none();
        if let Err(fault) = continuous.step(report, &mut self.path, moment.now) {
            return self.stop_with(fault, moment);
        }
        // The first back shows which batch it is (SH-40).
        if unseen
            && let Some(colour) = continuous.colour()
            && let Some(fault) = self.unfit(colour, moment)
        {
            return self.stop_with(fault, moment);
        }
        let Some(continuous) = &self.continuous else { return };
        if continuous.is_over(&self.path) {
            let known = continuous.inventory();
            self.record.inventory = Inventory { certain: false, ..known };
            (self.continuous, self.expected) = (None, Some(known.inside));
            self.begin(moment);
        }
    }

    /// Whether it was told to end and bring out all cards.
    pub(in crate::shuffler) fn is_emptying(&self) -> bool {
        self.continuous.as_ref().is_some_and(Continuous::is_ending)
    }

    /// The chute's contact changed.
    pub(in crate::shuffler) fn chute_changed(&mut self, loaded: bool, moment: &Moment) {
        if let Some(continuous) = &mut self.continuous {
            continuous.chute_changed(loaded);
            self.circulate(None, moment);
        }
    }

    /// When a deadline is due next.
    pub(in crate::shuffler) fn deadline(&self) -> Option<Instant> {
        let circulating = self.continuous.as_ref().and_then(Continuous::deadline);
        [self.path.deadline(), circulating].into_iter().flatten().min()
    }

    /// At the end of a round a batch goes on only while its age is known and not over (SH-40).
    fn may_go_on(&mut self, colour: Option<BackColour>, moment: &Moment) -> Result<(), Refused> {
        let Some(colour) = colour else { return Ok(()) };
        if let Some(fault) = self.unfit(colour, moment) {
            self.stop_with(fault, moment);
            return Err(refusal(fault));
        }
        self.warn_of_age(colour, moment);
        Ok(())
    }

    /// A round begins, or the dealer asks for the last one back (SH-21).
    pub(in crate::shuffler) fn turn_round(
        &mut self,
        task: Task,
        moment: &Moment,
    ) -> Result<(), Refused> {
        let circulating = self.state == State::Circulating;
        let continuous = self.continuous.as_mut().filter(|_| circulating);
        let continuous = continuous.ok_or(Refused::OutOfTurn)?;
        let begun = match task {
            Task::NextRound => continuous.next_round(),
            _ => continuous.give_back(),
        };
        if !begun {
            return Err(Refused::Busy);
        }
        let (colour, inventory) = (continuous.colour(), inventory(continuous));
        if task == Task::NextRound {
            self.may_go_on(colour, moment)?;
        }
        self.publish(DeviceEvent::Inventory(inventory));
        if task == Task::NextRound && self.record.failures > 0 {
            // A round was dealt, so what failed before it is not in a row with what comes.
            self.record.failures = 0;
            self.save();
        }
        if task == Task::NextRound && inventory.out > 0 {
            // The machine cannot see where these cards are; the floor may know.
            self.notice(Trouble::InventoryWrong, inventory.out);
        }
        self.circulate(None, moment);
        Ok(())
    }
}

fn inventory(continuous: &Continuous) -> InventoryEvent {
    let inventory = continuous.inventory();
    InventoryEvent {
        inside: inventory.inside,
        chute: u8::try_from(inventory.delivered).unwrap_or(u8::MAX),
        out: inventory.out,
        last_round: u8::try_from(continuous.last_round()).unwrap_or(u8::MAX),
        ..InventoryEvent::default()
    }
}
