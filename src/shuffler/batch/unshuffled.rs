//! Cards that are not shuffled: a batch that was only counted, or whose shuffle came to nothing.
//!
//! Until they are shuffled the machine says NOT SHUFFLED, whatever else is cleared, through power
//! loss too. A batch that was only counted is let go by a floorperson and nobody else (SH-14): it
//! is a whole batch with its count shown, and would pass for a shuffled one.

use super::certificate::Certified;
use crate::node::Refused;
use crate::protocol::generated::croupier::common::Role;
use crate::shuffler::commit::Awaited;
use crate::shuffler::fault::Fault;
use crate::shuffler::machine::{Machine, Moment, State};

impl Machine {
    /// Releases a stack without a certificate: of a partial batch to a dealer, for this round
    /// (SH-28), and of one that was only counted to a floorperson, in its turn (SH-17).
    pub(super) fn release_uncertified(&mut self, by: Role, moment: &Moment) -> Result<(), Refused> {
        if !self.record.counted {
            self.let_go();
            return Ok(());
        }
        if by != Role::Floorperson {
            return Err(Refused::NotAuthorised);
        }
        let receipt = self.receipt.ok_or(Refused::NotFound)?;
        let colour = receipt.colour.ok_or(Refused::NotFound)?;
        let counted = Certified { colour, cards: receipt.tally.ejected, again: false };
        let rules = moment.rules(self.model.kind()).ok_or(Refused::WrongProfile)?;
        self.may_release(counted, by, &rules, moment)?;
        let before = self.batches;
        let early = before.is_early(colour, &rules);
        self.batches.play(colour);
        self.commit_batches(Awaited::Release { certified: counted, before, early });
        Ok(())
    }

    /// Whether to say NOT SHUFFLED of cards that are on the table or about to be taken.
    pub(in crate::shuffler) fn says_not_shuffled(&self) -> bool {
        self.record.unshuffled && matches!(self.state, State::Idle | State::Releasing)
    }

    /// Who may clear a fault: what was only counted lies behind a floorperson's door.
    pub fn cleared_by(&self, fault: Fault) -> Role {
        match fault.cleared_by() {
            Role::Dealer if self.record.counted => Role::Floorperson,
            role => role,
        }
    }
}
