//! The gaming-day check as the reader goes through it.

use super::{Check, Found, Progress, STEPS, Task};
use crate::node::{Command, Reply};
use crate::protocol::generated::croupier::common::{
    CheckAction, CheckStep, CheckVerdict, Inspected, InspectionRequest, InspectionResponse,
    NextStep, Result as Outcome, Role, Trouble,
};
use crate::reader::device::Reader;
use crate::reader::machine::Event;
use crate::reader::ports::Key;
use crate::reader::record::Passed;
use crate::reader::{DeviceEvent, Fault, ReaderStore};

impl Reader {
    pub(in crate::reader) fn inspect(
        &mut self,
        command: &Command<'_>,
        reply: &mut Reply,
        store: &mut impl ReaderStore,
    ) -> Outcome {
        let Some(asked) = command.decode::<InspectionRequest>() else {
            return Outcome::OutOfRange;
        };
        let (role, now) = (command.role, command.now_ms);
        let outcome = match asked.action {
            CheckAction::Look => Outcome::Accepted,
            _ if !matches!(role, Role::Floorperson | Role::Service) => Outcome::NotAuthorised,
            CheckAction::Begin => self.begin_check(&asked, role, now, store),
            _ if self.check.is_none() => Outcome::OutOfTurn,
            CheckAction::Confirm => self.confirm(now, store),
            CheckAction::Deny => self.found(Found::Denied, now, store),
            CheckAction::Leave => self.leave_check(),
        };
        if outcome == Outcome::Accepted { reply.say(&self.told_check(now)) } else { outcome }
    }

    fn begin_check(
        &mut self,
        asked: &InspectionRequest,
        by: Role,
        now_ms: u64,
        store: &mut impl ReaderStore,
    ) -> Outcome {
        if self.fault().is_some() && by != Role::Service {
            return Outcome::NotAuthorised;
        }
        if self.machine.in_round() {
            return Outcome::InRound;
        }
        if self.check.is_some() || self.teaching.is_some() || self.services.lamp_test {
            return Outcome::OutOfTurn;
        }
        // From here on only a pass makes it inspected again, also after a power cut.
        let before = self.record.passed;
        if let Some(passed) = &mut self.record.passed {
            passed.counts = false;
        }
        self.save(store);
        if self.is_unsaved() {
            self.record.passed = before;
            return Outcome::StoreFailed;
        }
        self.check = Some(Check::begin(asked.inspector, asked.seal_number, by, now_ms));
        self.fresh_card = false;
        self.busy_in_round();
        Outcome::Accepted
    }

    /// The inspector saw it; but a seal that is not the one kept, or a clock that was never
    /// set, is nothing to be waved through.
    fn confirm(&mut self, now_ms: u64, store: &mut impl ReaderStore) -> Outcome {
        let Some(check) = self.check else { return Outcome::OutOfTurn };
        let another_seal = self.record.seal_number.is_some_and(|kept| kept != check.seal_number);
        let found = match check.task() {
            Task::SeeSeal if another_seal && check.by != Role::Service => Found::Broken,
            Task::SeeClock if self.services.clock.utc_ms(now_ms).is_none() => Found::Broken,
            _ => Found::Confirmed,
        };
        self.found(found, now_ms, store)
    }

    fn leave_check(&mut self) -> Outcome {
        if let Some(check) = self.check.take() {
            self.end_check(&check, CheckVerdict::Left);
        }
        Outcome::Accepted
    }

    /// A key in the check.
    pub(in crate::reader) fn found_key(
        &mut self,
        key: Key,
        now_ms: u64,
        store: &mut impl ReaderStore,
    ) {
        self.found(Found::Pressed(key), now_ms, store);
    }

    /// Something is not in order; outside a check that is told elsewhere.
    pub(in crate::reader) fn found_broken(&mut self, now_ms: u64, store: &mut impl ReaderStore) {
        self.found(Found::Broken, now_ms, store);
    }

    /// How the self test ended.
    pub(in crate::reader) fn self_tested(
        &mut self,
        passed: bool,
        now_ms: u64,
        store: &mut impl ReaderStore,
    ) {
        self.found(Found::SelfTested(passed), now_ms, store);
    }

    /// How a test card was read.
    pub(in crate::reader) fn examined(
        &mut self,
        read: Result<bool, Fault>,
        now_ms: u64,
        store: &mut impl ReaderStore,
    ) {
        self.fresh_card = false;
        self.found(Found::Card(read.unwrap_or(false)), now_ms, store);
    }

    fn found(&mut self, found: Found, now_ms: u64, store: &mut impl ReaderStore) -> Outcome {
        let Some(check) = self.check else { return Outcome::OutOfTurn };
        match check.after(found, now_ms) {
            Progress::Stays => return Outcome::OutOfTurn,
            Progress::Next(next) => {
                self.publish_step(&check, CheckVerdict::Passed, check.step());
                self.check = Some(next);
            }
            Progress::Passed => return self.pass(&check, now_ms, store),
            Progress::Failed => {
                self.publish_step(&check, CheckVerdict::Failed, check.step());
                let (trouble, step) = (Trouble::InspectionFailed, NextStep::Inspect);
                let detail = check.step().into();
                self.publish(DeviceEvent::notice(trouble, step, Role::Floorperson, detail));
                self.end_check(&check, CheckVerdict::Failed);
            }
        }
        Outcome::Accepted
    }

    /// The last step is passed. It counts only once it is kept.
    fn pass(&mut self, check: &Check, now_ms: u64, store: &mut impl ReaderStore) -> Outcome {
        let before = self.record;
        let utc_ms = self.services.clock.utc_ms(now_ms).unwrap_or(0);
        self.record.passed = Some(Passed { utc_ms, inspector: check.inspector, counts: true });
        self.record.seal_number = Some(check.seal_number);
        if check.by == Role::Service {
            self.record.fault = None;
        }
        self.save(store);
        if self.is_unsaved() {
            self.record = before;
            return Outcome::StoreFailed;
        }
        self.publish_step(check, CheckVerdict::Passed, check.step());
        self.end_check(check, CheckVerdict::Passed);
        if check.by == Role::Service && self.fault().is_some() {
            self.apply(Event::Checked, now_ms, store);
        }
        Outcome::Accepted
    }

    fn end_check(&mut self, check: &Check, verdict: CheckVerdict) {
        self.check = None;
        self.last_check = verdict;
        self.publish_step(check, verdict, 0);
        self.busy_in_round();
    }

    /// A malfunction ends whatever was being tried.
    pub(in crate::reader) fn end_check_and_lesson(&mut self) {
        if let Some(check) = self.check.take() {
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

    fn told_check(&self, now_ms: u64) -> InspectionResponse {
        let (task, item) = self.check.map_or((CheckStep::None, 0), |check| check.task().told());
        let minutes = self.inspected_for(now_ms).map_or(0, |left| left.div_ceil(60_000));
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
