//! How a cycle ends badly: stopped, latched, published, and cleared by its role.

use crate::node::Refused;
use crate::protocol::generated::croupier::common::{Cleared, Role, Trouble};
use crate::shuffler::card_path::event::Contact;
use crate::shuffler::events::DeviceEvent;
use crate::shuffler::fault::{Cut, Fault};
use crate::shuffler::machine::{Check, Machine, Moment, State};

/// Cycles in a row that may come to nothing before the machine is out of order.
pub(super) const MOST_FAILURES: u8 = 3;

impl Machine {
    /// After a start: a saved fault stands, and a cycle or certificate that power ended is a fault.
    /// Nobody watched the wheel meanwhile, so what is inside is not certain.
    #[inline(never)] // in a frame of its own, not in the start's
    pub(in crate::shuffler) fn wake(&mut self, readable: bool, moment: &Moment) {
        self.record.inventory.certain = false;
        let interrupted = self.record.moving || self.record.certificate.certified().is_some();
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
        self.cycle.end();
        (self.continuous, self.check, self.expected) = (None, None, None);
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
        self.publish_certificate(fault.reason());
        self.publish_trouble(fault, moment);
    }

    fn publish_trouble(&mut self, fault: Fault, moment: &Moment) {
        self.publish(DeviceEvent::Irregularity(fault.irregularity(moment.profile())));
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

    /// A fault that the role may clear is cleared by the full reshuffle it asks for.
    pub(super) fn put_aside_fault(&mut self, by: Role) -> Result<(), Refused> {
        match self.state {
            State::Stopped(fault) if fault.is_grave() => Err(Refused::Malfunction),
            State::Stopped(fault) if !may_clear(by, fault.cleared_by()) => {
                Err(Refused::NotAuthorised)
            }
            State::Stopped(_) if !self.path.is_clear() => Err(Refused::OutOfTurn),
            State::Stopped(fault) => {
                self.cleared(fault, by);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Clears a fault whose cause is gone; a grave one needs a passed check besides.
    pub(in crate::shuffler) fn clear(&mut self, trouble: Trouble, by: Role) -> Result<(), Refused> {
        if self.check == Some(Check::Passed(trouble)) && by == Role::Service {
            self.check = None;
            return Ok(());
        }
        let fault = match self.state {
            State::Stopped(fault) if fault.trouble() == trouble => fault,
            _ => return Err(Refused::NotFound),
        };
        if !may_clear(by, fault.cleared_by()) {
            return Err(Refused::NotAuthorised);
        }
        if !self.path.is_clear() || self.contact(Contact::LidOpen) {
            return Err(Refused::OutOfTurn);
        }
        if !fault.is_grave() {
            self.cleared(fault, by);
            return Ok(());
        }
        match self.check.replace(Check::Wanted) {
            Some(Check::Failed) => {
                self.check = None;
                Err(Refused::OutOfTurn)
            }
            _ => Err(Refused::Busy),
        }
    }

    /// What the check of the random core found.
    pub(in crate::shuffler) fn checked(&mut self, found: Result<(), Fault>) {
        let (State::Stopped(fault), Some(Check::Wanted)) = (self.state, self.check) else { return };
        let sound = found.is_ok() && self.path.is_clear() && !self.contact(Contact::LidOpen);
        if sound {
            self.cleared(fault, Role::Service);
            self.check = Some(Check::Passed(fault.trouble()));
        } else {
            self.check = Some(Check::Failed);
        }
    }

    /// A fault is over.
    fn cleared(&mut self, fault: Fault, by: Role) {
        self.record.fault = None;
        if fault.is_grave() {
            self.record.failures = 0;
        }
        self.state = State::Idle;
        self.publish(DeviceEvent::Cleared(Cleared {
            trouble: fault.trouble(),
            by,
            ..Cleared::default()
        }));
        if self.contact(Contact::DeliveryLoaded) {
            self.let_go();
        } else {
            self.save();
        }
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
