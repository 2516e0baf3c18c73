//! The reader behind its node: what it is asked, what it answers, how it stands.

use super::ReaderStore;
use super::device::Reader;
use super::machine::State;
use super::round::{Round, Shut};
use crate::node::{Command, Device, Reply, StatusSummary};
use crate::protocol::codec::{Request, Response};
use crate::protocol::generated::croupier::common::{
    Activity, ClearRequest, ClearResponse, Condition, InspectionRequest, NextStep,
    Result as Outcome, Role, Trouble,
};
use crate::protocol::generated::croupier::reader::{
    ArmRequest, ArmResponse, RoundEndRequest, RoundEndResponse, TeachRequest,
};
use crate::services::ProfileStore;

impl Reader {
    /// Clears what a floorperson may clear. A malfunction is over when service has passed
    /// the check, and asking is no more than asking.
    fn clear(
        &mut self,
        command: &Command<'_>,
        reply: &mut Reply,
        store: &mut impl ReaderStore,
    ) -> Outcome {
        let Some(ClearRequest { trouble, .. }) = command.decode() else {
            return Outcome::OutOfRange;
        };
        if trouble == Trouble::WrongDeck && self.ledger.wrong_deck {
            return self.clear_deck(command.role, reply, store);
        }
        match self.fault() {
            _ if command.role != Role::Service => Outcome::NotAuthorised,
            Some(fault) if fault.trouble() == trouble => Outcome::OutOfTurn,
            _ if self.repaired == Some(trouble) => reply.say(&ClearResponse::default()),
            _ => Outcome::NotFound,
        }
    }

    fn clear_deck(&mut self, by: Role, reply: &mut Reply, store: &mut impl ReaderStore) -> Outcome {
        if by != Role::Floorperson {
            return Outcome::NotAuthorised;
        }
        self.ledger.wrong_deck = false;
        self.save(store);
        if self.is_unsaved() {
            self.ledger.wrong_deck = true;
            return Outcome::StoreFailed;
        }
        self.publish_cleared(Trouble::WrongDeck, by);
        reply.say(&ClearResponse::default())
    }

    fn condition(&self, now_inspected: bool) -> Condition {
        let checking = self.check.is_some() || self.teaching.is_some() || self.services.lamp_test;
        match self.services.chosen {
            _ if self.fault().is_some() => Condition::Malfunction,
            _ if checking => Condition::Checking,
            None => Condition::NoProfile,
            Some(_) if !now_inspected || self.brand.is_none() => Condition::NotInspected,
            Some(_) => Condition::InService,
        }
    }

    /// What the gravest open thing asks for, and who may clear it.
    fn next_step(&self, condition: Condition) -> (NextStep, Role) {
        let round = self.machine.round();
        match condition {
            Condition::Malfunction => (NextStep::StopTable, Role::Service),
            _ if self.ledger.wrong_deck => (NextStep::RemoveDeck, Role::Floorperson),
            Condition::NotInspected => (NextStep::Inspect, Role::Floorperson),
            _ if round.is_some_and(|round| round.shut == Some(Shut::ByHand)) => {
                (NextStep::ReadByHand, Role::Device)
            }
            _ if round.is_some_and(|round| round.shut == Some(Shut::SecondQuestion)) => {
                (NextStep::TellFloorAndContinue, Role::Device)
            }
            _ if round.as_ref().is_some_and(Round::wants_another_try) => {
                (NextStep::ReadAgain, Role::Device)
            }
            _ => (NextStep::None, Role::Device),
        }
    }
}

impl<S: ProfileStore + ReaderStore> Device<S> for Reader {
    fn status_summary(&self) -> StatusSummary {
        let common = Device::<S>::status_summary(&self.services);
        let inspected = self.machine.round().is_some() || self.inspected_for(self.now_ms).is_some();
        let condition = self.condition(inspected);
        let (next_step, cleared_by) = self.next_step(condition);
        StatusSummary {
            condition,
            activity: match self.state() {
                State::Reading { .. } => Activity::Reading,
                State::Showing { .. } => Activity::Answered,
                State::Waiting if self.machine.round().is_some() => Activity::Armed,
                State::Waiting | State::Faulted(_) => Activity::Idle,
            },
            next_step,
            cleared_by,
            ..common
        }
    }

    fn service_switch_closed(&self) -> bool {
        self.services.service_switch
    }

    fn obey(&mut self, command: &Command<'_>, reply: &mut Reply, store: &mut S) -> Outcome {
        let (by, now) = (command.role, command.now_ms);
        match command.service {
            ArmRequest::SERVICE => {
                let Some(asked) = command.decode::<ArmRequest>() else {
                    return Outcome::OutOfRange;
                };
                let outcome = self.arm(asked.round, asked.up_card, by, now, store);
                answer(outcome, reply, &ArmResponse::default())
            }
            RoundEndRequest::SERVICE => {
                let Some(asked) = command.decode::<RoundEndRequest>() else {
                    return Outcome::OutOfRange;
                };
                let outcome = self.round_over(asked.round, by, now, store);
                answer(outcome, reply, &RoundEndResponse::default())
            }
            TeachRequest::SERVICE => self.teach(command, reply),
            InspectionRequest::SERVICE => self.inspect(command, reply, store),
            ClearRequest::SERVICE => self.clear(command, reply, store),
            _ => self.services.obey(command, reply, store),
        }
    }
}

/// Says `response` if it was done.
fn answer(outcome: Outcome, reply: &mut Reply, response: &impl Response) -> Outcome {
    if outcome == Outcome::Accepted { reply.say(response) } else { outcome }
}
