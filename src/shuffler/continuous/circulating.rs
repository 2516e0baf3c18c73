//! Continuous operation as the device runs it and tells of it.

use super::Continuous;
use crate::protocol::generated::croupier::common::{Result as Outcome, Trouble};
use crate::protocol::generated::croupier::shuffler::{Inventory as ToldInventory, Task};
use crate::shuffler::card_path::path::Report;
use crate::shuffler::device::{Shuffler, State};
use crate::shuffler::events::DeviceEvent;
use crate::shuffler::record::ShufflerStore;

impl Shuffler {
    /// Goes on circulating.
    pub(in crate::shuffler) fn circulate(
        &mut self,
        report: Option<Report>,
        now_ms: u64,
        store: &mut impl ShufflerStore,
    ) {
        let Some(continuous) = &mut self.continuous else { return };
        if let Err(fault) = continuous.step(report, &mut self.path, now_ms) {
            self.stop_with(fault, store);
        }
    }

    /// A round begins, or the last one is wanted back (SH-21).
    pub(in crate::shuffler) fn turn_round(
        &mut self,
        task: Task,
        now_ms: u64,
        store: &mut impl ShufflerStore,
    ) -> Outcome {
        let Some(continuous) =
            self.continuous.as_mut().filter(|_| self.state == State::Circulating)
        else {
            return Outcome::OutOfTurn;
        };
        let begun = match task {
            Task::NextRound => continuous.next_round(),
            _ => continuous.give_back(),
        };
        if !begun {
            return Outcome::Busy;
        }
        let inventory = told_inventory(continuous);
        self.publish(DeviceEvent::Inventory(inventory));
        if task == Task::NextRound && inventory.out > 0 {
            // The floor may know where they are; the machine only knows that they are out.
            self.publish(DeviceEvent::notice(Trouble::InventoryWrong, inventory.out));
        }
        self.circulate(None, now_ms, store);
        Outcome::Accepted
    }
}

fn told_inventory(continuous: &Continuous) -> ToldInventory {
    let inventory = continuous.inventory();
    ToldInventory {
        inside: inventory.inside,
        chute: u8::try_from(inventory.delivered).unwrap_or(u8::MAX),
        out: inventory.out,
        last_round: u8::try_from(continuous.last_round()).unwrap_or(u8::MAX),
        ..ToldInventory::default()
    }
}
