//! Release: a certified batch goes into play, in its turn and before it expires.

use super::certificate::{Certificate, Certified};
use super::{Age, NEAR_MINUTES, Rules};
use crate::cards::BackColour;
use crate::node::Refused;
use crate::protocol::generated::croupier::common::{NextStep, Role, Trouble};
use crate::protocol::generated::croupier::shuffler::{
    BatchChange as Change, CertificateReason as Reason, Purpose,
};
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
        let rules = moment.rules(self.model.kind()).ok_or(Refused::WrongProfile)?;
        self.may_release(certified, by, &rules, moment)?;
        let before = self.batches;
        let early = before.is_early(certified.colour, &rules);
        self.batches.play(certified.colour);
        self.commit_batches(Awaited::Release { certified, before, early });
        Ok(())
    }

    /// Whether this batch may go into play now. A refusal changes nothing, but that an
    /// expired batch stops the machine.
    pub(super) fn may_release(
        &mut self,
        certified: Certified,
        by: Role,
        rules: &Rules,
        moment: &Moment,
    ) -> Result<(), Refused> {
        match self.unfit(certified.colour, moment) {
            Some(Fault::DeckLifeOver) => {
                self.stop_with(Fault::DeckLifeOver, moment);
                return Err(Refused::DeckLifeOver);
            }
            Some(unknown) => return Err(self.decline(unknown, moment)),
            None => {}
        }
        if self.batches.is_early(certified.colour, rules) && by != Role::Floorperson {
            self.advise(Trouble::BatchInPlay, NextStep::CallFloor, 0);
            return Err(Refused::NotAuthorised);
        }
        if self.batches.barred(rules) == Some(certified.colour) && !certified.again {
            self.notice(Trouble::SameBatchAgain, 0);
            return Err(Refused::OutOfTurn);
        }
        Ok(())
    }

    /// The batch in play is recorded: its certificate ends, and the stack may be taken.
    pub(in crate::shuffler) fn let_play(&mut self, certified: Certified, early: bool) {
        self.push(Action::SetInRound(true));
        self.record.inventory.out = certified.cards;
        self.record.certificate = Certificate::None;
        let counted = core::mem::take(&mut self.record.counted);
        let reason = if counted { Reason::Counted } else { Reason::Released };
        self.publish(DeviceEvent::released(certified, reason));
        if early {
            self.note_change(Change::ReleasedEarly, certified.colour, Role::Floorperson);
        }
        self.let_go();
    }

    /// Unlocks the door until the tray is empty.
    pub(in crate::shuffler) fn let_go(&mut self) {
        self.state = State::Releasing;
        self.save();
    }

    /// Puts the certified stack away for an idle table, and publishes whether it may be dealt
    /// unspread afterwards (SH-25).
    pub(in crate::shuffler) fn put_away(&mut self, moment: &Moment) -> Result<(), Refused> {
        if self.state != State::Ready || self.record.certificate.certified().is_none() {
            return Err(Refused::OutOfTurn);
        }
        self.state = State::Stored;
        self.publish_certificate(Reason::Stored, moment);
        Ok(())
    }

    /// A cycle is asked for while a stack waits inside. Where that is a certified batch, the ways
    /// on are named that are lawful for a short shoe or a floorperson's shuffle (SH-28).
    pub(in crate::shuffler) fn refuse_beside_stack(
        &mut self,
        purpose: Purpose,
        by: Role,
    ) -> Refused {
        if self.record.certificate.certified().is_none() {
            return Refused::OutOfTurn;
        }
        if purpose == Purpose::PartialBatch || by == Role::Floorperson {
            self.advise(Trouble::BatchStored, NextStep::HandShuffleOrRelease, 0);
        }
        Refused::BatchStored
    }

    pub(in crate::shuffler) fn warn_of_age(&mut self, colour: BackColour, moment: &Moment) {
        if let Some(rules) = moment.rules(self.model.kind())
            && let Age::Fresh(left) = self.batches.age(colour, &rules, moment.utc_ms)
            && left <= NEAR_MINUTES
        {
            self.notice(Trouble::DeckLifeNear, left);
        }
    }

    pub(in crate::shuffler) fn publish_certificate(&mut self, reason: Reason, moment: &Moment) {
        let certificate = &self.record.certificate;
        self.publish(DeviceEvent::certificate(certificate, reason, moment.profile()));
    }
}
