//! How a cycle ends: counted and certified, or stopped, said so, and latched.

use super::count::Receipt;
use crate::cards::BackColour;
use crate::protocol::generated::croupier::common::{Cleared, Role, Trouble};
use crate::protocol::generated::croupier::shuffler::{
    Certificate as ToldCertificate, CertificateReason as Reason, CertificateState, Count, Phase,
    Progress, Purpose,
};
use crate::shuffler::batch::certificate::{Certificate, Certified};
use crate::shuffler::batch::{self, NEAR_MINUTES};
use crate::shuffler::card_path::event::{Contact, Outlet};
use crate::shuffler::card_path::sweep::Sweep;
use crate::shuffler::device::{Check, Shuffler, State};
use crate::shuffler::events::DeviceEvent;
use crate::shuffler::fault::Fault;
use crate::shuffler::record::{Inventory, ShufflerStore};

/// Cycles in a row that may come to nothing before the machine is out of order.
const MOST_FAILURES: u8 = 3;
/// Progress is told at most this often.
const PROGRESS_MS: u64 = 250;

impl Shuffler {
    /// Every card of the cycle has come out, as far as is known. Before a wrong number is
    /// shown, the wheel is searched (SH-08).
    pub(in crate::shuffler) fn all_out(&mut self, now_ms: u64, store: &mut impl ShufflerStore) {
        let fault = self.cycle.tally().fault(self.cycle.wanted().cards);
        if matches!(fault, Some(Fault::WrongCount(_))) {
            return self.sweep(Outlet::Delivery, now_ms);
        }
        self.decide(now_ms, store);
    }

    /// The count is shown, and decides (SH-07).
    fn decide(&mut self, now_ms: u64, store: &mut impl ShufflerStore) {
        let receipt = Receipt {
            utc_ms: self.services.clock.utc_ms(now_ms).unwrap_or(0),
            purpose: self.job.purpose,
            colour: self.cycle.colour(),
            expected: self.cycle.wanted().cards,
            tally: *self.cycle.tally(),
            by: self.job.by,
        };
        self.cycle.end();
        self.receipt = Some(receipt);
        self.publish_count(&receipt);
        let tally = receipt.tally;
        self.ledger.inventory = Inventory {
            inside: 0,
            delivered: tally.ejected + u16::from(tally.cover_cards),
            certain: tally.fed == tally.slotted && tally.slotted == tally.ejected,
            ..self.ledger.inventory
        };
        if tally.cover_cards > 0 {
            self.publish(DeviceEvent::notice(Trouble::CoverCard, tally.cover_cards.into()));
        }
        if let Some(fault) = tally.fault(receipt.expected) {
            return self.stop_with(fault, store);
        }
        if let Some(colour) = receipt.colour
            && self.life_over(colour, now_ms)
        {
            return self.stop_with(Fault::DeckLifeOver, store);
        }
        self.certify(&receipt, now_ms, store);
    }

    fn certify(&mut self, receipt: &Receipt, now_ms: u64, store: &mut impl ShufflerStore) {
        self.ledger.moving = false;
        self.ledger.failures = 0;
        self.ledger.certificate = Certificate::earned(receipt).unwrap_or_default();
        if store.keep_ledger(&self.ledger).is_err() {
            // What could not be kept is not so (SH-22).
            return self.stop_with(Fault::Store, store);
        }
        self.state = State::Ready;
        self.begin_proof(now_ms);
        self.told = None;
        self.publish_progress(now_ms);
        if let Some(certified) = self.ledger.certificate.certified() {
            self.publish_certificate(Reason::WholeCycle);
            self.warn_of_age(certified.colour, now_ms);
        }
    }

    fn warn_of_age(&mut self, colour: BackColour, now_ms: u64) {
        let now = self.services.clock.utc_ms(now_ms);
        if let Some(left) = now.and_then(|now| self.batches.minutes_left(colour, now))
            && left <= NEAR_MINUTES
        {
            self.publish(DeviceEvent::notice(Trouble::DeckLifeNear, left));
        }
    }

    /// Whether the batch is known to have come of age (SH-40).
    pub(in crate::shuffler) fn life_over(&self, colour: BackColour, now_ms: u64) -> bool {
        let now = self.services.clock.utc_ms(now_ms);
        now.and_then(|now| self.batches.minutes_left(colour, now)) == Some(0)
    }

    /// Stops, takes the certificate away, latches and says why.
    pub(in crate::shuffler) fn stop_with(&mut self, fault: Fault, store: &mut impl ShufflerStore) {
        let moved = self.state.is_busy();
        self.path.stop();
        if moved {
            self.path.back_out();
        }
        self.note_where_cards_are(moved);
        self.cycle.end();
        (self.continuous, self.check, self.proof) = (None, None, None);
        let mut fault = fault;
        if counts(fault) {
            self.ledger.failures = self.ledger.failures.saturating_add(1);
            if self.ledger.failures >= MOST_FAILURES {
                fault = Fault::TooManyFaults;
            }
        }
        self.ledger.moving = false;
        self.ledger.certificate.revoke(fault.reason());
        self.ledger.fault = Some(fault);
        self.state = State::Stopped(fault);
        self.save(store);
        self.publish_certificate(fault.reason());
        self.publish(DeviceEvent::Irregularity(fault.irregularity(self.profile())));
    }

    /// After an interruption the numbers are the last ones known, and not certain.
    fn note_where_cards_are(&mut self, moved: bool) {
        if !moved && !self.ledger.moving {
            return;
        }
        if let Some(cycle) = self.cycle() {
            let (inside, delivered) = (cycle.inside(), cycle.tally().ejected);
            (self.ledger.inventory.inside, self.ledger.inventory.delivered) = (inside, delivered);
        } else if let Some(continuous) = &self.continuous {
            self.ledger.inventory = continuous.inventory();
        } else if let Some(total) = self.batch_total().filter(|_| self.ledger.moving && !moved) {
            // Power failed in mid-cycle: as many as there are may be inside.
            self.ledger.inventory.inside = total;
        }
        self.ledger.inventory.certain = false;
    }

    /// The wheel is empty, surely.
    pub(in crate::shuffler) fn swept(
        &mut self,
        sweep: Sweep,
        now_ms: u64,
        store: &mut impl ShufflerStore,
    ) {
        if self.cycle.is_running() {
            self.cycle.found_inside(sweep.brought());
            return self.decide(now_ms, store);
        }
        let inventory = &mut self.ledger.inventory;
        (inventory.inside, inventory.certain) = (0, true);
        if sweep.outlet() == Outlet::Return {
            self.save(store);
            return self.ask_order(now_ms, store);
        }
        inventory.delivered = sweep.brought();
        self.ledger.moving = false;
        self.state = State::Idle;
        if sweep.brought() > 0 {
            self.publish(DeviceEvent::notice(Trouble::CardInside, sweep.brought()));
            return self.let_go(store);
        }
        self.save(store);
    }

    /// A fault is over.
    pub(in crate::shuffler) fn cleared(
        &mut self,
        fault: Fault,
        by: Role,
        store: &mut impl ShufflerStore,
    ) {
        self.ledger.fault = None;
        if fault.is_grave() {
            self.ledger.failures = 0;
        }
        self.state = State::Idle;
        self.publish(DeviceEvent::Cleared(Cleared {
            trouble: fault.trouble(),
            by,
            ..Cleared::default()
        }));
        if self.contact(Contact::DeliveryLoaded) {
            self.let_go(store);
        } else {
            self.save(store);
        }
    }

    /// What the check of the random core found.
    pub fn checked(&mut self, found: Result<(), Fault>, store: &mut impl ShufflerStore) {
        let (State::Stopped(fault), Some(Check::Wanted)) = (self.state, self.check) else { return };
        let sound = found.is_ok() && self.path.is_clear() && !self.contact(Contact::LidOpen);
        if sound {
            self.cleared(fault, Role::Service, store);
            self.check = Some(Check::Passed(fault.trouble()));
        } else {
            self.check = Some(Check::Failed);
        }
    }

    /// The certificate ends because the cards are let go for play.
    pub(in crate::shuffler) fn withdraw_certificate(&mut self, certified: Certified) {
        self.ledger.certificate = Certificate::None;
        self.publish(DeviceEvent::Certificate(ToldCertificate {
            state: CertificateState::None,
            reason: Reason::Released,
            batch: batch::told(Some(certified.colour)),
            cards: certified.cards,
            ..ToldCertificate::default()
        }));
    }

    fn publish_certificate(&mut self, reason: Reason) {
        let certified = self.ledger.certificate.certified();
        self.publish(DeviceEvent::Certificate(ToldCertificate {
            state: self.ledger.certificate.state(),
            reason,
            batch: batch::told(certified.map(|certified| certified.colour)),
            cards: certified.map_or(0, |certified| certified.cards),
            secure: certified.is_some_and(|certified| certified.secure),
            ..ToldCertificate::default()
        }));
    }

    fn publish_count(&mut self, receipt: &Receipt) {
        self.publish(DeviceEvent::Count(Count {
            purpose: receipt.purpose,
            verdict: receipt.tally.verdict(receipt.expected),
            found: receipt.tally.ejected,
            expected: receipt.expected.unwrap_or(0),
            ..Count::default()
        }));
    }

    /// Tells how far it is, when the phase changes and at most four times a second.
    pub(in crate::shuffler) fn publish_progress(&mut self, now_ms: u64) {
        let (phase, pass, done, total) = self.progress();
        let due = self.told.is_none_or(|(at, told, in_pass)| {
            (told, in_pass) != (phase, pass) || now_ms >= at + PROGRESS_MS
        });
        if due {
            self.told = Some((now_ms, phase, pass));
            self.publish(DeviceEvent::Progress(Progress {
                phase,
                pass,
                done,
                total,
                ..Progress::default()
            }));
        }
    }

    /// Phase, pass, cards done and cards to do.
    pub fn progress(&self) -> (Phase, u8, u16, u16) {
        match (self.state, self.cycle()) {
            (State::Cycling, Some(cycle)) => cycle.progress(),
            (State::Homing, _) => (Phase::Homing, 0, 0, 0),
            (State::Emptying(sweep), _) => (Phase::Emptying, 0, sweep.brought(), 0),
            (State::Releasing, _) => (Phase::Releasing, 0, 0, 0),
            _ => (Phase::Idle, 0, 0, 0),
        }
    }

    /// What the last cycle was for.
    pub fn purpose(&self) -> Purpose {
        self.job.purpose
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
