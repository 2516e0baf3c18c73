//! The proof: while a stack waits behind its door, every slot is tried, so that none keeps a card.
//!
//! Counters can agree and be wrong: of a deck with a card too many, two that went in as
//! one leave the right number at the feed, in the slots and at the exit, and a card
//! inside. Only the slots can tell. Trying them all takes half as long as the shuffle, so
//! it is done while nobody waits: a dealer who asks earlier gets the stack, what is
//! inside stays "not certain", and the next cycle begins with a sweep.

use crate::shuffler::card_path::event::Outlet;
use crate::shuffler::card_path::path::Report;
use crate::shuffler::card_path::sweep::Sweep;
use crate::shuffler::device::Shuffler;
use crate::shuffler::fault::Fault;
use crate::shuffler::record::ShufflerStore;

impl Shuffler {
    /// Whether slots are being tried behind a waiting stack.
    pub fn is_proving(&self) -> bool {
        self.proof.is_some()
    }

    /// Begins, the stack being complete.
    pub(in crate::shuffler) fn begin_proof(&mut self, now_ms: u64) {
        self.ledger.inventory.certain = false;
        let mut proof = Sweep::new(self.model.wheel().slots, Outlet::Delivery);
        proof.begin(&mut self.path, now_ms);
        self.proof = Some(proof);
    }

    /// Goes on, and ends with a certain inventory or with a deck that was counted wrong.
    pub(in crate::shuffler) fn prove(
        &mut self,
        report: Report,
        now_ms: u64,
        store: &mut impl ShufflerStore,
    ) {
        let Some(mut proof) = self.proof.take() else { return };
        match proof.step(report, &mut self.path, now_ms) {
            Err(fault) => self.stop_with(fault, store),
            Ok(_) if proof.brought() > 0 => self.miscounted(store),
            Ok(true) => self.ledger.inventory.certain = true,
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
    fn miscounted(&mut self, store: &mut impl ShufflerStore) {
        self.ledger.inventory.delivered = self.ledger.inventory.delivered.saturating_add(1);
        let counted = self.receipt.filter(|receipt| receipt.expected.is_some());
        self.stop_with(
            counted.map_or(Fault::CountNotValid, |receipt| {
                Fault::WrongCount(receipt.tally.ejected.saturating_add(1))
            }),
            store,
        );
    }
}
