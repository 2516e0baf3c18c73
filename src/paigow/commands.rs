//! The generator behind its node: what it is asked, what it answers, how it stands.

use super::machine::{Event, State};
use super::signals::Origin;
use super::{NumberStore, PaiGow};
use crate::node::{Command, Device, Refused, Reply, StatusSummary};
use crate::protocol::codec::Request;
use crate::protocol::generated::croupier::common::{
    Activity, ClearRequest, ClearResponse, Condition, NextStep, Role,
};
use crate::protocol::generated::croupier::paigow::{
    ArmRequest, ArmResponse, HouseRequest, RecallRequest, RecallResponse, RoundEndRequest,
    RoundEndResponse, ShuffledRequest, ShuffledResponse,
};
use crate::services::ProfileStore;

impl PaiGow {
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
        let (now, from) = (command.now, Origin::signal(command.role));
        match command.service {
            ArmRequest::SERVICE => {
                let asked: ArmRequest = command.decode()?;
                self.arm(asked.signal, asked.round, from, now, store)?;
                let armed = matches!(self.state(), State::Armed(_));
                reply.say(&ArmResponse { armed, ..ArmResponse::default() })
            }
            RoundEndRequest::SERVICE => {
                let asked: RoundEndRequest = command.decode()?;
                self.step(Event::RoundEnded(asked.round), from, now, store)?;
                reply.say(&RoundEndResponse::default())
            }
            RecallRequest::SERVICE => {
                let asked: RecallRequest = command.decode()?;
                reply.say(&self.recall(asked.back)?)
            }
            ClearRequest::SERVICE => {
                let asked: ClearRequest = command.decode()?;
                self.clear(asked.trouble, command.role, now, store)?;
                reply.say(&ClearResponse::default())
            }
            ShuffledRequest::SERVICE => {
                let open = self.take_certificate(command, store)?;
                reply.say(&ShuffledResponse { open, ..ShuffledResponse::default() })
            }
            HouseRequest::SERVICE => {
                self.set_house(&command.decode()?, command.role, store)?;
                reply.say(&self.house_response())
            }
            _ => self.services.obey(command, reply, store),
        }
    }
}
