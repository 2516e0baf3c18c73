//! The proof: while a stack waits behind its door, every slot is tried, so that none keeps a card.
//!
//! Counters can agree and be wrong: if a deck has a card too many and two go in as one, feed,
//! slots and exit count the right number, and a card stays inside. Only the slots show it.
//! Trying them all takes half as long as the shuffle, so it is done while the stack waits: a
//! dealer who asks earlier gets the stack, the inventory stays "not certain", and the next
//! cycle begins with a sweep.

use crate::shuffler::card_path::event::Outlet;
use crate::shuffler::card_path::path::Report;
use crate::shuffler::card_path::sweep::Sweep;
use crate::shuffler::fault::Fault;
use crate::shuffler::machine::{Machine, Moment};

impl Machine {
    /// Begins, the stack being complete.
    pub(in crate::shuffler) fn begin_proof(&mut self, moment: &Moment) {
        self.record.inventory.certain = false;
        let mut proof = Sweep::new(self.model.wheel().slots, Outlet::Delivery);
        proof.begin(&mut self.path, moment.now);
        self.proof = Some(proof);
    }

    /// Goes on, and ends with a certain inventory or with a deck that was counted wrong.
    pub(in crate::shuffler) fn prove(&mut self, report: Report, moment: &Moment) {
        let Some(mut proof) = self.proof.take() else { return };
        match proof.step(report, &mut self.path, moment.now) {
            Err(fault) => self.stop_with(fault, moment),
            Ok(_) if proof.brought() > 0 => self.miscounted(moment),
            Ok(true) => self.record.inventory.certain = true,
            Ok(false) => self.proof = Some(proof),
        }
    }

    /// Breaks off: the motors stand before a door is unlocked.
    pub(in crate::shuffler) fn end_proof(&mut self) {
        if self.proof.take().is_some() {
            self.path.stop();
        }
    }

    /// One more came out than every counter had said (SH-08).
    fn miscounted(&mut self, moment: &Moment) {
        self.record.inventory.delivered = self.record.inventory.delivered.saturating_add(1);
        let counted = self.receipt.filter(|receipt| receipt.expected.is_some());
        let fault = counted.map_or(Fault::CountNotValid, |receipt| {
            Fault::WrongCount(receipt.tally.ejected.saturating_add(1))
        });
        self.stop_with(fault, moment);
    }
}
