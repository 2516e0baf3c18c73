//! How a cycle ends well: every slot seen to be empty, counted and certified.

use super::count::Receipt;
use crate::protocol::generated::croupier::common::{Role, Trouble};
use crate::protocol::generated::croupier::shuffler::{
    BatchChange as Change, CertificateReason as Reason, CountVerdict, Phase, Purpose,
};
use crate::shuffler::batch::certificate::Certificate;
use crate::shuffler::card_path::event::Contact;
use crate::shuffler::commit::Awaited;
use crate::shuffler::events::DeviceEvent;
use crate::shuffler::fault::Fault;
use crate::shuffler::machine::{Machine, Moment, State};
use crate::shuffler::record::Inventory;

impl Machine {
    /// Every slot is empty: the count is shown, is final, and decides (SH-07, SH-08).
    pub(super) fn decide(&mut self, moment: &Moment) {
        if let Some(cut) = self.is_open() {
            return self.stop_with(Fault::Interrupted(cut), moment);
        }
        self.cycle
            .end_in_trays(self.contact(Contact::FeedLoaded), self.contact(Contact::DeliveryLoaded));
        let receipt = Receipt {
            utc_ms: moment.utc_ms.unwrap_or(0),
            purpose: self.job.purpose,
            colour: self.cycle.colour(),
            expected: self.cycle.wanted().cards,
            tally: *self.cycle.tally(),
            by: self.job.by,
            decks: moment.chosen.map_or(0, |chosen| chosen.decks),
        };
        self.cycle.end();
        self.receipt = Some(receipt);
        self.publish(DeviceEvent::count(&receipt));
        let tally = receipt.tally;
        self.record.inventory = Inventory {
            inside: 0,
            delivered: tally.ejected + u16::from(tally.cover_cards),
            certain: !tally.disagrees(),
            ..self.record.inventory
        };
        if tally.cover_cards > 0 {
            self.notice(Trouble::CoverCard, tally.cover_cards.into());
        }
        if let Some(fault) = tally.fault(receipt.expected) {
            if let (Fault::WrongCount(_), Some(colour)) = (fault, receipt.colour) {
                self.remove_deck(colour, moment);
            }
            return self.stop_with(fault, moment);
        }
        if let Some(fault) = self.unfit_for(&receipt, moment) {
            return self.stop_with(fault, moment);
        }
        self.record.moving = false;
        self.record.failures = 0;
        self.record.certificate = self.earned(&receipt, moment);
        self.record.counted = receipt.purpose == Purpose::CountOnly;
        self.record.unshuffled = self.record.counted;
        if tally.verdict(receipt.expected) == CountVerdict::Right {
            self.record.uncounted = 0;
        }
        self.commit_record(Awaited::Ready);
    }

    /// The fault for which these cards are too old, or of an age that is not known (SH-40). Only a
    /// batch that is to be certified must be known; one that has expired stops in any case.
    fn unfit_for(&self, receipt: &Receipt, moment: &Moment) -> Option<Fault> {
        let fault = self.unfit(receipt.colour?, moment)?;
        let full = receipt.purpose == Purpose::FullBatch;
        (full || fault == Fault::DeckLifeOver).then_some(fault)
    }

    /// The certificate these cards have earned; the batch released last only on a floorperson's
    /// word, and marked as such (SH-17).
    fn earned(&self, receipt: &Receipt, moment: &Moment) -> Certificate {
        let mut certificate = Certificate::earned(receipt).unwrap_or_default();
        if let Certificate::Issued(certified) = &mut certificate
            && let Some(rules) = moment.rules(self.model.kind())
        {
            let barred = self.batches.barred(&rules) == Some(certified.colour);
            certified.again = barred && receipt.by == Role::Floorperson;
        }
        certificate
    }

    /// The certificate is in flash: the stack is ready.
    pub(in crate::shuffler) fn ready(&mut self, moment: &Moment) {
        self.state = State::Ready;
        let Some(certified) = self.record.certificate.certified() else { return };
        if certified.again {
            self.publish_certificate(Reason::Reshuffle, moment);
            self.note_change(Change::Reshuffled, certified.colour, Role::Floorperson);
        } else {
            self.publish_certificate(Reason::WholeCycle, moment);
        }
        self.came_back(certified.colour);
        self.warn_of_age(certified.colour, moment);
    }

    /// Phase, pass, cards done and cards to do.
    pub(in crate::shuffler) fn progress(&self) -> (Phase, u8, u16, u16) {
        match (self.state, self.running()) {
            (State::Cycling, Some(cycle)) => cycle.progress(),
            (State::Homing, _) => (Phase::Homing, 0, 0, 0),
            (State::Looking(_), _) => (Phase::Looking, 0, 0, 0),
            // What a sweep in a cycle brings out is counted with the rest, and shown with it.
            (State::Emptying(_), Some(_)) => (Phase::Emptying, 0, 0, 0),
            (State::Emptying(sweep), None) => (Phase::Emptying, 0, sweep.brought(), 0),
            (State::Releasing, _) => (Phase::Releasing, 0, 0, 0),
            _ => (Phase::Idle, 0, 0, 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shuffler::batch::Batches;
    use crate::shuffler::cycle::Wanted;
    use crate::shuffler::fault::Cut;
    use crate::shuffler::model::Model;
    use crate::shuffler::record::Record;
    use crate::time::Instant;

    /// SH-08: lid and door also count as they stand at the end, not only as they open.
    #[test]
    fn nothing_is_shown_or_certified_while_the_lid_or_the_door_is_open() {
        let moment = Moment { now: Instant::START, utc_ms: None, chosen: None };
        let ended = |open: Option<Contact>| {
            let mut machine =
                Machine::resume(Model::SingleDeck, Record::NEW, Batches::default(), true, &moment);
            let wanted = Wanted { cards: Some(52), colour: None, barred: None, count_only: false };
            machine.cycle.begin(wanted, false);
            if let Some(contact) = open {
                machine.contacts[contact as usize] = true;
            }
            machine.decide(&moment);
            (machine.state, machine.receipt.is_some())
        };
        let stopped = |cut| (State::Stopped(Fault::Interrupted(cut)), false);
        assert_eq!(ended(Some(Contact::LidOpen)), stopped(Cut::Lid));
        assert_eq!(ended(Some(Contact::DoorOpen)), stopped(Cut::Door));
        assert_eq!(ended(None), (State::Stopped(Fault::WrongCount(0)), true));
    }
}
