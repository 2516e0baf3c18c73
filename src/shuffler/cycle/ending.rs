//! How a cycle ends well: searched, counted and certified.

use super::count::Receipt;
use crate::protocol::generated::croupier::common::Trouble;
use crate::protocol::generated::croupier::shuffler::{CertificateReason as Reason, Phase};
use crate::shuffler::batch::certificate::Certificate;
use crate::shuffler::card_path::event::Outlet;
use crate::shuffler::card_path::sweep::Sweep;
use crate::shuffler::commit::Awaited;
use crate::shuffler::events::DeviceEvent;
use crate::shuffler::fault::Fault;
use crate::shuffler::machine::{Machine, Moment, State};
use crate::shuffler::record::Inventory;

impl Machine {
    /// Every card of the cycle has come out, as far as is known. Before a wrong number is
    /// shown, the wheel is searched (SH-08).
    pub(in crate::shuffler) fn all_out(&mut self, moment: &Moment) {
        let fault = self.cycle.tally().fault(self.cycle.wanted().cards);
        if matches!(fault, Some(Fault::WrongCount(_))) {
            return self.sweep(Outlet::Delivery, moment);
        }
        self.decide(moment);
    }

    /// The sweep found every slot empty.
    pub(in crate::shuffler) fn swept(&mut self, sweep: Sweep, moment: &Moment) {
        if self.cycle.is_running() {
            self.cycle.found_inside(sweep.brought());
            return self.decide(moment);
        }
        let inventory = &mut self.record.inventory;
        (inventory.inside, inventory.certain) = (0, true);
        if sweep.outlet() == Outlet::Return {
            self.save();
            return self.ask_order(moment);
        }
        inventory.delivered = sweep.brought();
        self.record.moving = false;
        self.state = State::Idle;
        if sweep.brought() > 0 {
            self.notice(Trouble::CardInside, sweep.brought());
            return self.let_go();
        }
        self.save();
    }

    /// The count is shown, and decides (SH-07).
    fn decide(&mut self, moment: &Moment) {
        let receipt = Receipt {
            utc_ms: moment.utc_ms.unwrap_or(0),
            purpose: self.job.purpose,
            colour: self.cycle.colour(),
            expected: self.cycle.wanted().cards,
            tally: *self.cycle.tally(),
            by: self.job.by,
        };
        self.cycle.end();
        self.receipt = Some(receipt);
        self.publish(DeviceEvent::count(&receipt));
        let tally = receipt.tally;
        self.record.inventory = Inventory {
            inside: 0,
            delivered: tally.ejected + u16::from(tally.cover_cards),
            certain: tally.fed == tally.slotted && tally.slotted == tally.ejected,
            ..self.record.inventory
        };
        if tally.cover_cards > 0 {
            self.notice(Trouble::CoverCard, tally.cover_cards.into());
        }
        if let Some(fault) = tally.fault(receipt.expected) {
            return self.stop_with(fault, moment);
        }
        if let Some(colour) = receipt.colour
            && self.batches.has_expired(colour, moment.utc_ms)
        {
            return self.stop_with(Fault::DeckLifeOver, moment);
        }
        self.record.moving = false;
        self.record.failures = 0;
        self.record.certificate = Certificate::earned(&receipt).unwrap_or_default();
        self.commit_record(Awaited::Ready);
    }

    /// The certificate is in flash: the stack is ready, and the slots are tried meanwhile.
    pub(in crate::shuffler) fn ready(&mut self, moment: &Moment) {
        self.state = State::Ready;
        self.begin_proof(moment);
        if let Some(certified) = self.record.certificate.certified() {
            self.publish_certificate(Reason::WholeCycle);
            self.warn_of_age(certified.colour, moment);
        }
    }

    /// Phase, pass, cards done and cards to do.
    pub(in crate::shuffler) fn progress(&self) -> (Phase, u8, u16, u16) {
        match (self.state, self.running()) {
            (State::Cycling, Some(cycle)) => cycle.progress(),
            (State::Homing, _) => (Phase::Homing, 0, 0, 0),
            (State::Emptying(sweep), _) => (Phase::Emptying, 0, sweep.brought(), 0),
            (State::Releasing, _) => (Phase::Releasing, 0, 0, 0),
            _ => (Phase::Idle, 0, 0, 0),
        }
    }
}
