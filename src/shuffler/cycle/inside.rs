//! Whether anything is inside: a look, and if it shows a card, a sweep and another look.
//!
//! No cycle begins and none ends before a look showed every slot empty. Counters can agree and
//! be wrong: of a deck with a card too many, two that went in as one leave the right number at
//! the feed, in the slots and at the exit, and a card inside. Only the slots can tell.

use crate::protocol::generated::croupier::common::Trouble;
use crate::protocol::generated::croupier::shuffler::Purpose;
use crate::shuffler::card_path::event::{Beam, Contact, Outlet};
use crate::shuffler::card_path::look::Slots;
use crate::shuffler::card_path::path::Report;
use crate::shuffler::card_path::sweep::Sweep;
use crate::shuffler::fault::Fault;
use crate::shuffler::machine::{Machine, Moment, State};

impl Machine {
    /// Looks, for the first time or after a sweep.
    pub(in crate::shuffler) fn look(&mut self, swept: Option<Sweep>, moment: &Moment) {
        self.state = State::Looking(swept);
        self.path.look(moment.now);
    }

    /// What the look showed.
    pub(in crate::shuffler) fn looked(
        &mut self,
        swept: Option<Sweep>,
        report: Report,
        moment: &Moment,
    ) {
        match (report, swept) {
            (Report::Failed(fault), _) => self.stop_with(fault, moment),
            (Report::Looked(Slots::Empty), swept) => {
                self.found_empty(swept.map_or(0, |sweep| sweep.brought()), moment);
            }
            (Report::Looked(Slots::Occupied { .. }), swept) => match swept.map(Sweep::again) {
                None => self.sweep(self.first_sweep(), moment),
                Some(Some(again)) => self.sweep(again, moment),
                // Dust, or a card that the ejector does not reach.
                Some(None) => self.stop_with(Fault::Sensor(Beam::Slot), moment),
            },
            // The beam or its vane is gone.
            (Report::Looked(_), _) => self.stop_with(Fault::Sensor(Beam::Slot), moment),
            _ => {}
        }
    }

    fn first_sweep(&self) -> Sweep {
        // To be shuffled they go back to the others in the feed tray.
        let shuffles = self.job.purpose != Purpose::None && !self.cycle.is_running();
        let outlet = if shuffles { Outlet::Return } else { Outlet::Delivery };
        Sweep::new(self.model.wheel().slots, outlet)
    }

    /// Tries every slot.
    fn sweep(&mut self, mut sweep: Sweep, moment: &Moment) {
        sweep.begin(&mut self.path, moment.now);
        self.state = State::Emptying(sweep);
    }

    /// Every slot is empty, and a sweep before it brought out `brought` cards.
    fn found_empty(&mut self, brought: u16, moment: &Moment) {
        if self.cycle.is_running() {
            self.cycle.found_inside(brought);
            return self.decide(moment);
        }
        let emptied = self.job.purpose == Purpose::None;
        let expected = self.expected.take();
        let inventory = &mut self.record.inventory;
        let unknown = brought > inventory.inside;
        (inventory.inside, inventory.certain) = (0, true);
        if expected.is_some_and(|cards| cards != brought) {
            // A card lies where nothing sees it, or two came out as one.
            return self.stop_with(Fault::CountNotValid, moment);
        }
        if unknown || (emptied && expected.is_none() && brought > 0) {
            self.notice(Trouble::CardInside, brought);
        }
        if !emptied {
            return self.ask_order(moment);
        }
        self.record.moving = false;
        self.state = State::Idle;
        if self.contact(Contact::DeliveryLoaded) {
            self.record.inventory.delivered += brought;
            return self.let_go();
        }
        self.record.inventory.delivered = 0;
        self.save();
    }
}
