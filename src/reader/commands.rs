//! The reader behind its node: what it is asked, what it answers, how it stands.

use super::ReaderStore;
use super::check::Found;
use super::device::Reader;
use super::machine::State;
use super::round::Shut;
use crate::node::{Command, Device, Refused, Reply, StatusSummary};
use crate::protocol::codec::Request;
use crate::protocol::generated::croupier::common::{
    Activity, CheckAction, ClearRequest, ClearResponse, ClockSetRequest, Condition,
    InspectionRequest, NextStep, Role,
};
use crate::protocol::generated::croupier::reader::{
    ArmRequest, ArmResponse, HouseRequest, RoundEndRequest, RoundEndResponse, TeachRequest,
    WrongLightRequest, WrongLightResponse,
};
use crate::services::ProfileStore;
use crate::time::Instant;

impl Reader {
    /// Obeys an inspector.
    fn inspect(
        &mut self,
        asked: &InspectionRequest,
        by: Role,
        now: Instant,
        store: &mut impl ReaderStore,
    ) -> Result<(), Refused> {
        match (asked.action, self.check) {
            (CheckAction::Look, _) => Ok(()),
            _ if !matches!(by, Role::Floorperson | Role::Service) => Err(Refused::NotAuthorised),
            (CheckAction::Begin, _) => self.begin_check(asked, by, now, store),
            (_, None) => Err(Refused::OutOfTurn),
            (CheckAction::Confirm, Some(check)) => {
                self.found(self.confirmed(&check, now), now, store)
            }
            (CheckAction::Deny, _) => self.found(Found::Denied, now, store),
            (CheckAction::Leave, _) => {
                self.leave_check();
                Ok(())
            }
        }
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
            _ if self.record.unread => (NextStep::CallFloor, Role::Floorperson),
            _ if self.record.wrong_deck => (NextStep::RemoveDeck, Role::Floorperson),
            Condition::NotInspected => (NextStep::Inspect, Role::Floorperson),
            _ if round.is_some_and(|round| round.shut == Some(Shut::SecondQuestion)) => {
                (NextStep::TellFloorAndContinue, Role::Device)
            }
            _ if self.machine.wants_another_try() => (NextStep::ReadAgain, Role::Device),
            _ => (NextStep::None, Role::Device),
        }
    }
}

impl<S: ProfileStore + ReaderStore> Device<S> for Reader {
    fn status_summary(&self) -> StatusSummary {
        let common = Device::<S>::status_summary(&self.services);
        let inspected = self.machine.round().is_some() || self.inspected_for(self.now).is_some();
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

    fn obey(
        &mut self,
        command: &Command<'_>,
        reply: &mut Reply,
        store: &mut S,
    ) -> Result<(), Refused> {
        let (by, now) = (command.role, command.now);
        match command.service {
            ArmRequest::SERVICE => {
                let asked: ArmRequest = command.decode()?;
                self.arm(asked.round, asked.up_card, by, now, store)?;
                reply.say(&ArmResponse::default())
            }
            RoundEndRequest::SERVICE => {
                let asked: RoundEndRequest = command.decode()?;
                self.end_round(asked.round, by, now, store)?;
                reply.say(&RoundEndResponse::default())
            }
            WrongLightRequest::SERVICE => {
                let asked: WrongLightRequest = command.decode()?;
                let change = self.wrong_light(asked.round)?;
                self.carry_out(change, store)?;
                self.light_of = None;
                reply.say(&WrongLightResponse::default())
            }
            HouseRequest::SERVICE => {
                let asked: HouseRequest = command.decode()?;
                if let Some(change) = self.set_house(&asked, by)? {
                    self.carry_out(change, store)?;
                }
                reply.say(&self.house_response())
            }
            TeachRequest::SERVICE => {
                let asked: TeachRequest = command.decode()?;
                self.teach(&asked, by)?;
                reply.say(&self.lesson_response())
            }
            InspectionRequest::SERVICE => {
                let asked: InspectionRequest = command.decode()?;
                self.inspect(&asked, by, now, store)?;
                reply.say(&self.check_response(now))
            }
            ClearRequest::SERVICE => {
                let asked: ClearRequest = command.decode()?;
                if let Some(change) = self.clear(asked.trouble, by)? {
                    self.carry_out(change, store)?;
                }
                reply.say(&ClearResponse::default())
            }
            ClockSetRequest::SERVICE => {
                let latest_ms = self.services.clock.latest_ms(now);
                self.services.obey(command, reply, store)?;
                self.clock_was_set(latest_ms, now, store);
                Ok(())
            }
            _ => self.services.obey(command, reply, store),
        }
    }
}
