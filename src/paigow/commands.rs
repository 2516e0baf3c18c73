//! The generator behind its node: what it is asked, what it answers, how it stands.

use super::device::Check;
use super::machine::{Event, State};
use super::{NumberStore, PaiGow};
use crate::node::{Command, Device, Reply, StatusSummary};
use crate::protocol::codec::{Request, Response};
use crate::protocol::generated::croupier::common::{
    Activity, ClearRequest, ClearResponse, Condition, NextStep, Result as Outcome, Role,
};
use crate::protocol::generated::croupier::paigow::{
    ArmRequest, ArmResponse, RecallRequest, RecallResponse, RoundEndRequest, RoundEndResponse,
};
use crate::services::ProfileStore;

impl PaiGow {
    /// Clears a fault once a check has passed: begun by the first ask, told by the next.
    fn clear(&mut self, command: &Command<'_>, reply: &mut Reply) -> Outcome {
        let Some(ClearRequest { trouble, .. }) = command.decode() else {
            return Outcome::OutOfRange;
        };
        if command.role != Role::Service {
            return Outcome::NotAuthorised;
        }
        let open = matches!(self.state(), State::Faulted(fault) if fault.trouble() == trouble);
        match self.check {
            Some(Check::Passed(of)) if of == trouble && !open => {
                self.check = None;
                reply.say(&ClearResponse::default())
            }
            _ if !open => Outcome::NotFound,
            Some(Check::Failed) => {
                self.check = None;
                Outcome::OutOfTurn
            }
            _ => {
                self.check = Some(Check::Wanted);
                Outcome::Busy
            }
        }
    }

    fn recall(&self, command: &Command<'_>, reply: &mut Reply) -> Outcome {
        let Some(RecallRequest { back, .. }) = command.decode() else { return Outcome::OutOfRange };
        let Some(entry) = self.book.recall(back.into()) else { return Outcome::NotFound };
        reply.say(&RecallResponse {
            round: entry.round,
            number: entry.number.get(),
            positions: entry.positions.get(),
            utc_ms: entry.utc_ms,
            in_play: back == 0 && self.book.in_play,
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

    fn obey(&mut self, command: &Command<'_>, reply: &mut Reply, store: &mut S) -> Outcome {
        let now = command.now_ms;
        match command.service {
            ArmRequest::SERVICE => {
                let Some(asked) = command.decode::<ArmRequest>() else {
                    return Outcome::OutOfRange;
                };
                let outcome = self.arm(asked.signal, asked.round, now, store);
                let armed = matches!(self.state(), State::Armed(_));
                answer(outcome, reply, &ArmResponse { armed, ..ArmResponse::default() })
            }
            RoundEndRequest::SERVICE => {
                let Some(asked) = command.decode::<RoundEndRequest>() else {
                    return Outcome::OutOfRange;
                };
                let outcome = self.apply(Event::RoundEnded(asked.round), now, store);
                answer(outcome, reply, &RoundEndResponse::default())
            }
            RecallRequest::SERVICE => self.recall(command, reply),
            ClearRequest::SERVICE => self.clear(command, reply),
            _ => self.services.obey(command, reply, store),
        }
    }
}

/// Says `response` if it was done.
fn answer(outcome: Outcome, reply: &mut Reply, response: &impl Response) -> Outcome {
    if outcome == Outcome::Accepted { reply.say(response) } else { outcome }
}
