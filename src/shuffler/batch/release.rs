//! Release: a certified batch goes into play, in its turn and before it expires.

use super::certificate::{Certificate, Certified};
use super::{Life, NEAR_MINUTES};
use crate::cards::BackColour;
use crate::node::Refused;
use crate::protocol::generated::croupier::common::{Role, Trouble};
use crate::protocol::generated::croupier::shuffler::CertificateReason as Reason;
use crate::shuffler::commit::Awaited;
use crate::shuffler::events::DeviceEvent;
use crate::shuffler::fault::Fault;
use crate::shuffler::machine::{Action, Machine, Moment, State};

impl Machine {
    /// Releases the stack (SH-33: only when a dealer asks).
    pub(in crate::shuffler) fn release(
        &mut self,
        by: Role,
        moment: &Moment,
    ) -> Result<(), Refused> {
        if !matches!(self.state, State::Ready | State::Stored) {
            return Err(Refused::OutOfTurn);
        }
        let Some(certified) = self.record.certificate.certified() else {
            return self.release_uncertified(by, moment);
        };
        if self.batches.has_expired(certified.colour, moment.utc_ms) {
            self.stop_with(Fault::DeckLifeOver, moment);
            return Err(Refused::DeckLifeOver);
        }
        let turn = |profile| self.batches.may_play(certified.colour, profile, self.model.kind());
        if !moment.profile().is_none_or(turn) {
            self.notice(Trouble::SameBatchAgain, 0);
            return Err(Refused::OutOfTurn);
        }
        let before = self.batches;
        self.batches.play(certified.colour);
        self.commit_batches(Awaited::Release { certified, before });
        Ok(())
    }

    /// The batch in play is recorded: its certificate ends, and the stack may be taken.
    pub(in crate::shuffler) fn let_play(&mut self, certified: Certified) {
        self.push(Action::SetInRound(true));
        self.record.inventory.out = certified.cards;
        self.record.certificate = Certificate::None;
        let counted = core::mem::take(&mut self.record.counted);
        let reason = if counted { Reason::Counted } else { Reason::Released };
        self.publish(DeviceEvent::released(certified, reason));
        self.let_go();
    }

    /// Unlocks the door until the tray is empty.
    pub(in crate::shuffler) fn let_go(&mut self) {
        self.state = State::Releasing;
        self.save();
    }

    /// The shoe or the round is over.
    pub(in crate::shuffler) fn dealt(&mut self, moment: &Moment) -> Result<(), Refused> {
        if !self.batches.in_play {
            return self.dealt_uncounted(moment);
        }
        let before = self.batches;
        self.batches.dealt();
        self.commit_batches(Awaited::Dealt { before });
        Ok(())
    }

    /// New cards were opened; refused if the other batch has another number of decks (SH-15).
    pub(in crate::shuffler) fn open_batch(
        &mut self,
        colour: BackColour,
        life: Life,
    ) -> Result<(), Refused> {
        let before = self.batches;
        if self.batches.open(colour, life).is_none() {
            self.notice(Trouble::UnequalBatch, life.decks.into());
            return Err(Refused::OutOfRange);
        }
        self.commit_batches(Awaited::Opened { before });
        Ok(())
    }

    /// A change of the way of dealing may shorten the life of a batch and never lengthens it
    /// (SH-40).
    pub(in crate::shuffler) fn shorten_lives(&mut self, hours: u8) {
        if self.batches.dealt_by(hours) {
            self.push(Action::CommitBatches);
        }
    }

    pub(in crate::shuffler) fn warn_of_age(&mut self, colour: BackColour, moment: &Moment) {
        if let Some(left) = moment.utc_ms.and_then(|now| self.batches.minutes_left(colour, now))
            && left <= NEAR_MINUTES
        {
            self.notice(Trouble::DeckLifeNear, left);
        }
    }

    pub(in crate::shuffler) fn publish_certificate(&mut self, reason: Reason) {
        self.publish(DeviceEvent::certificate(&self.record.certificate, reason));
    }
}
