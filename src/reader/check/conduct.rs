//! The gaming-day check as the reader goes through it.

use super::{Check, Found, PassedAt, Progress, STEPS, Task};
use crate::node::Refused;
use crate::protocol::generated::croupier::common::{
    CheckStep, CheckVerdict, Inspected, InspectionResponse, NextStep, Role, Trouble,
};
use crate::reader::DeviceEvent;
use crate::reader::device::Reader;
use crate::time::{Instant, Millis};

impl Reader {
    /// How long the last passed check still counts: until the next gaming day begins.
    pub fn inspected_for(&self, now: Instant) -> Option<Millis> {
        let passed = self.record.passed.filter(|passed| passed.counts)?;
        let clock = &self.services.clock;
        passed.at.good_for(clock.utc_ms(now)?, clock.zone_minutes())
    }

    /// What the clock and the house say of a check that is passed now.
    pub(in crate::reader) fn passed_at(&self, now: Instant) -> PassedAt {
        let clock = &self.services.clock;
        PassedAt {
            utc_ms: clock.utc_ms(now).unwrap_or(0),
            zone_minutes: clock.zone_minutes(),
            day_begins: self.record.day_begins,
        }
    }

    /// Whether a check may begin, on the authority of `by`.
    pub(in crate::reader) fn may_be_checked(&self, by: Role) -> Result<(), Refused> {
        if self.fault().is_some() && by != Role::Service {
            return Err(Refused::NotAuthorised);
        }
        if self.machine.in_round() {
            return Err(Refused::InRound);
        }
        if self.check.is_some() || self.teaching.is_some() || self.services.lamp_test {
            return Err(Refused::OutOfTurn);
        }
        Ok(())
    }

    /// What the inspector's word comes to: a seal that is not the one kept, or a clock that was
    /// never set, is nothing to be waved through.
    pub(in crate::reader) fn confirmed(&self, check: &Check, now: Instant) -> Found {
        let another_seal = self.record.seal_number.is_some_and(|kept| kept != check.seal_number);
        match check.task() {
            Task::SeeSeal if another_seal && check.by != Role::Service => Found::Broken,
            Task::SeeClock if self.services.clock.utc_ms(now).is_none() => Found::Broken,
            _ => Found::Confirmed,
        }
    }

    /// The inspector breaks the check off.
    pub(in crate::reader) fn leave_check(&mut self) {
        if let Some(check) = self.check {
            self.end_check(&check, CheckVerdict::Left);
        }
    }

    /// Takes `progress` of `check`, which is kept already if it is a pass.
    pub(in crate::reader) fn go_on(
        &mut self,
        check: &Check,
        progress: Progress,
    ) -> Result<(), Refused> {
        match progress {
            Progress::Stays => return Err(Refused::OutOfTurn),
            Progress::Next(next) => {
                self.publish_step(check, CheckVerdict::Passed, check.step());
                self.check = Some(next);
            }
            Progress::Passed => {
                self.publish_step(check, CheckVerdict::Passed, check.step());
                self.end_check(check, CheckVerdict::Passed);
            }
            Progress::Failed => {
                self.publish_step(check, CheckVerdict::Failed, check.step());
                let (trouble, step) = (Trouble::InspectionFailed, NextStep::Inspect);
                let detail = check.step().into();
                self.publish(DeviceEvent::notice(trouble, step, Role::Floorperson, detail));
                self.end_check(check, CheckVerdict::Failed);
            }
        }
        Ok(())
    }

    fn end_check(&mut self, check: &Check, verdict: CheckVerdict) {
        self.check = None;
        self.last_check = verdict;
        self.publish_step(check, verdict, 0);
        self.busy_in_round();
    }

    /// A malfunction ends whatever was being tried.
    pub(in crate::reader) fn end_check_and_lesson(&mut self) {
        if let Some(check) = self.check {
            self.end_check(&check, CheckVerdict::Failed);
        }
        self.end_lesson_as_failed();
    }

    fn publish_step(&mut self, check: &Check, verdict: CheckVerdict, step: u8) {
        self.publish(DeviceEvent::Inspected(Inspected {
            verdict,
            step,
            steps: STEPS,
            inspector: check.inspector,
            ..Inspected::default()
        }));
    }

    /// What `Inspection` answers.
    pub(in crate::reader) fn check_response(&self, now: Instant) -> InspectionResponse {
        let (task, item) = self.check.map_or((CheckStep::None, 0), |check| check.task().to_wire());
        let minutes = self.inspected_for(now).map_or(0, |left| left.get().div_ceil(60_000));
        InspectionResponse {
            verdict: if self.check.is_some() { CheckVerdict::Open } else { self.last_check },
            step: self.check.map_or(0, |check| check.step()),
            steps: STEPS,
            task,
            item,
            minutes_left: u16::try_from(minutes).unwrap_or(u16::MAX),
            ..InspectionResponse::default()
        }
    }
}
