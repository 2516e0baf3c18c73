//! How a cycle ends badly: stopped, latched, published, and cleared by its role.

use super::service_check::ServiceCheck;
use crate::node::Refused;
use crate::protocol::generated::croupier::common::{Cleared, Irregularity, Role, Trouble};
use crate::shuffler::card_path::event::Contact;
use crate::shuffler::events::DeviceEvent;
use crate::shuffler::fault::{Cut, Fault};
use crate::shuffler::machine::{Machine, Moment, State};

/// Cycles in a row that may come to nothing before the machine is out of order.
pub(super) const MOST_FAILURES: u8 = 3;

impl Machine {
    /// After a start: a saved fault stands, and a cycle or certificate that power ended is a fault.
    /// No sensor watched the wheel meanwhile, so what is inside is not certain.
    #[inline(never)] // in a frame of its own, not in the start's
    pub(in crate::shuffler) fn wake(&mut self, readable: bool, moment: &Moment) {
        self.record.inventory.certain = false;
        let waited = self.record.certificate.certified().is_some() || self.record.counted;
        let interrupted = self.record.moving || waited;
        let fault = match self.record.fault {
            _ if !readable => Fault::Store,
            Some(fault) => {
                self.state = State::Stopped(fault);
                self.path.stop();
                return self.publish_trouble(fault, moment);
            }
            None if interrupted => Fault::Interrupted(Cut::Power),
            None => return self.path.stop(),
        };
        self.stop_with(fault, moment);
    }

    /// Stops, takes the certificate away, latches and publishes why.
    pub(in crate::shuffler) fn stop_with(&mut self, fault: Fault, moment: &Moment) {
        let moved = self.state.is_busy();
        self.path.stop();
        if moved {
            self.path.back_out();
        }
        self.note_where_cards_are(moved, moment);
        let waited = self.record.certificate.certified().is_some() || self.waits();
        self.record.unshuffled |= moved || self.record.moving || waited;
        self.cycle.end();
        (self.continuous, self.check, self.expected) = (None, ServiceCheck::NONE, None);
        let mut fault = fault;
        if counts(fault) {
            self.record.failures = self.record.failures.saturating_add(1);
            if self.record.failures >= MOST_FAILURES {
                fault = Fault::TooManyFaults;
            }
        }
        self.record.moving = false;
        self.record.certificate.revoke(fault.reason());
        self.record.fault = Some(fault);
        self.state = State::Stopped(fault);
        self.save();
        self.publish_certificate(fault.reason(), moment);
        self.publish_trouble(fault, moment);
    }

    fn publish_trouble(&mut self, fault: Fault, moment: &Moment) {
        let cleared_by = self.cleared_by(fault);
        let told = Irregularity { cleared_by, ..fault.irregularity(moment.profile()) };
        self.publish(DeviceEvent::Irregularity(told));
    }

    /// After an interruption the numbers are the last ones known, and not certain.
    fn note_where_cards_are(&mut self, moved: bool, moment: &Moment) {
        if !moved && !self.record.moving {
            return;
        }
        if let Some(cycle) = self.running() {
            let (inside, delivered) = (cycle.inside(), cycle.tally().ejected);
            (self.record.inventory.inside, self.record.inventory.delivered) = (inside, delivered);
        } else if let Some(continuous) = &self.continuous {
            self.record.inventory = continuous.inventory();
        } else if let Some(total) = moment.batch_total().filter(|_| self.record.moving && !moved) {
            // Power failed in mid-cycle: as many as there are may be inside.
            self.record.inventory.inside = total;
        }
        self.record.inventory.certain = false;
    }

    /// The fault that a full reshuffle asked for by this role puts aside, if it may.
    pub(super) fn fault_put_aside(&self, by: Role) -> Result<Option<Fault>, Refused> {
        match self.state {
            State::Stopped(fault) if fault.is_grave() => Err(Refused::Malfunction),
            State::Stopped(fault) if !may_clear(by, self.cleared_by(fault)) => {
                Err(Refused::NotAuthorised)
            }
            State::Stopped(_) if !self.path.is_clear() => Err(Refused::OutOfTurn),
            State::Stopped(fault) => Ok(Some(fault)),
            _ => Ok(None),
        }
    }

    /// Clears a fault whose cause is gone; a grave one needs a passed check besides.
    pub(in crate::shuffler) fn clear(
        &mut self,
        trouble: Trouble,
        by: Role,
        moment: &Moment,
    ) -> Result<(), Refused> {
        let fault = match self.state {
            State::Stopped(fault) if fault.trouble() == trouble => fault,
            _ => return Err(Refused::NotFound),
        };
        if !may_clear(by, self.cleared_by(fault)) {
            return Err(Refused::NotAuthorised);
        }
        if !self.path.is_clear() || self.contact(Contact::LidOpen) {
            return Err(Refused::OutOfTurn);
        }
        if fault.is_grave() {
            self.take_pass(fault, moment)?;
        }
        self.cleared(fault, by);
        Ok(())
    }

    /// A fault is over.
    pub(super) fn cleared(&mut self, fault: Fault, by: Role) {
        self.record.put_aside(Some(fault));
        if fault.is_grave() {
            self.record.failures = 0;
        }
        self.check = ServiceCheck::NONE;
        self.state = State::Idle;
        self.publish_cleared(fault, by);
        if self.contact(Contact::DeliveryLoaded) {
            self.let_go();
        } else {
            self.save();
        }
    }

    pub(in crate::shuffler) fn publish_cleared(&mut self, fault: Fault, by: Role) {
        let trouble = fault.trouble();
        self.publish(DeviceEvent::Cleared(Cleared { trouble, by, ..Cleared::default() }));
    }
}

/// Whether role `by` may clear what role `asked` is asked to.
fn may_clear(by: Role, asked: Role) -> bool {
    match asked {
        Role::Dealer => {
            matches!(by, Role::Device | Role::Dealer | Role::Floorperson | Role::Service)
        }
        Role::Floorperson => matches!(by, Role::Floorperson | Role::Service),
        Role::Service => by == Role::Service,
        _ => false,
    }
}

/// Whether a fault says something about the machine rather than about cards or people.
const fn counts(fault: Fault) -> bool {
    matches!(
        fault,
        Fault::Jam(_)
            | Fault::DoubleFeed
            | Fault::Overrun
            | Fault::NoPick
            | Fault::Stall(_)
            | Fault::CountNotValid
    )
}
