//! The generator behind its node: what it is asked, what it answers, how it stands.

use super::device::{Check, Want};
use super::machine::{Event, State};
use super::{NumberStore, PaiGow};
use crate::node::{Command, Device, Refused, Reply, StatusSummary};
use crate::protocol::codec::Request;
use crate::protocol::generated::croupier::common::{
    Activity, ClearRequest, ClearResponse, Condition, NextStep, Role, Trouble,
};
use crate::protocol::generated::croupier::paigow::{
    ArmRequest, ArmResponse, RecallRequest, RecallResponse, RoundEndRequest, RoundEndResponse,
};
use crate::services::ProfileStore;

impl PaiGow {
    /// Clears a fault once a check has passed: begun by the first request, answered by the next.
    fn clear(&mut self, trouble: Trouble, by: Role) -> Result<(), Refused> {
        if by != Role::Service {
            return Err(Refused::NotAuthorised);
        }
        let open = matches!(self.state(), State::Faulted(fault) if fault.trouble() == trouble);
        match self.check {
            Some(Check::Passed(of)) if of == trouble && !open => {
                self.check = None;
                Ok(())
            }
            _ if !open => Err(Refused::NotFound),
            Some(Check::Failed) => {
                self.check = None;
                Err(Refused::OutOfTurn)
            }
            _ => {
                (self.check, self.want) = (None, Some(Want::Check));
                Err(Refused::Busy)
            }
        }
    }

    fn recall(&self, back: u8) -> Result<RecallResponse, Refused> {
        let entry = self.record.recall(back.into()).ok_or(Refused::NotFound)?;
        Ok(RecallResponse {
            round: entry.round,
            number: entry.number.get(),
            positions: entry.positions.get(),
            utc_ms: entry.utc_ms,
            in_play: back == 0 && self.record.in_play,
            ..RecallResponse::default()
        })
    }
}

impl<S: ProfileStore + NumberStore> Device<S> for PaiGow {
    fn status_summary(&self) -> StatusSummary {
        let common = Device::<S>::status_summary(&self.services);
        let fault = match self.state() {
            State::Faulted(fault) => Some(fault),
            _ => None,
        };
        StatusSummary {
            condition: match fault {
                Some(_) => Condition::Malfunction,
                None if self.services.lamp_test => Condition::Checking,
                None if self.positions().is_none() => Condition::NoProfile,
                // No clause asks for a gaming-day check of this device.
                None => Condition::InService,
            },
            activity: match self.state() {
                State::Idle | State::Faulted(_) => Activity::Idle,
                State::WaitingBets(_) => Activity::WaitingBets,
                State::Armed(_) | State::Drawing(_) | State::Keeping(..) => Activity::Armed,
                State::Lighting(..) | State::Shown(..) => Activity::Answered,
            },
            next_step: fault.map_or(common.next_step, |_| NextStep::UseShaker),
            cleared_by: fault.map_or(common.cleared_by, |_| Role::Service),
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
        let now = command.now;
        match command.service {
            ArmRequest::SERVICE => {
                let asked: ArmRequest = command.decode()?;
                self.arm(asked.signal, asked.round, now, store)?;
                let armed = matches!(self.state(), State::Armed(_));
                reply.say(&ArmResponse { armed, ..ArmResponse::default() })
            }
            RoundEndRequest::SERVICE => {
                let asked: RoundEndRequest = command.decode()?;
                self.apply(Event::RoundEnded(asked.round), now, store)?;
                reply.say(&RoundEndResponse::default())
            }
            RecallRequest::SERVICE => {
                let asked: RecallRequest = command.decode()?;
                reply.say(&self.recall(asked.back)?)
            }
            ClearRequest::SERVICE => {
                let asked: ClearRequest = command.decode()?;
                self.clear(asked.trouble, command.role)?;
                reply.say(&ClearResponse::default())
            }
            _ => self.services.obey(command, reply, store),
        }
    }
}
