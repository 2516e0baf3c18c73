//! Again: a wheel that stalls before a card is delivered gathers the cards and shuffles them again.
//!
//! Until then every card is in the feed tray, before the wheel or in it. The machine brings them
//! back to the feed tray, finds its home, looks, draws a new order and begins a whole new cycle.
//! That is the full reshuffle which the rules ask for after a stop (SH-22), without a hand.
//! Nothing of the cycle that failed is resumed, and it counts as one that came to nothing.

use super::stopping::MOST_FAILURES;
use crate::protocol::generated::croupier::common::{Irregularity, Role};
use crate::protocol::generated::croupier::shuffler::Purpose;
use crate::shuffler::card_path::event::{Axis, Contact};
use crate::shuffler::events::DeviceEvent;
use crate::shuffler::fault::Fault;
use crate::shuffler::machine::{Machine, Moment, State};

impl Machine {
    /// The cycle failed: it begins again if that needs no hand, and stops otherwise.
    pub(in crate::shuffler) fn cycle_failed(&mut self, fault: Fault, moment: &Moment) {
        if !self.may_begin_anew(fault) {
            return self.stop_with(fault, moment);
        }
        self.record.failures += 1;
        let inside = self.cycle.inside();
        (self.record.inventory.inside, self.record.inventory.certain) = (inside, false);
        self.cycle.end();
        self.save();
        let irregularity = fault.irregularity(moment.profile());
        let irregularity = Irregularity { cleared_by: Role::Device, ..irregularity };
        self.publish(DeviceEvent::Irregularity(irregularity));
        self.state = State::Homing;
        self.path.clear_out(moment.now);
    }

    /// A count keeps the order of the cards, so only hands may gather them.
    fn may_begin_anew(&self, fault: Fault) -> bool {
        fault == Fault::Stall(Axis::Wheel)
            && matches!(self.job.purpose, Purpose::FullBatch | Purpose::PartialBatch)
            && self.record.failures + 1 < MOST_FAILURES
            && !self.contact(Contact::DeliveryLoaded)
            && !self.cycle.is_delivering()
            && self.is_open().is_none()
    }
}
