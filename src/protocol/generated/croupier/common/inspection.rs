//! `croupier.common.Inspection.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{
    Answered, Object, Reader, Request, Response, Sealed, Writer, service,
};
use crate::protocol::generated::croupier::common::{
    Answer, CheckAction, CheckStep, CheckVerdict, Seal,
};
use crate::protocol::transfer::ServiceId;

/// Leads through the gaming-day check, step by step (CM-05, RD-09).
///
/// Asked by: floorperson or service; any role may LOOK.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct InspectionRequest {
    /// What the inspector does.
    pub action: CheckAction,
    /// The inspector's number, with BEGIN; otherwise 0.
    pub inspector: u16,
    /// The number on the housing's seal, as the inspector reads it, with BEGIN; otherwise 0 (CM-04).
    pub seal_number: u32,
    /// By the role that asks.
    pub seal: Seal,
}

impl Object for InspectionRequest {
    const NAME: &'static str = "croupier.common.Inspection.1.0.Request";
    const SHORTEST: usize = 32;
    const LONGEST: usize = 32;
    const EXTENT: usize = 32;
    const STRICT: bool = true;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.action.write(to)?;
        to.put(self.inspector.into(), 16)?;
        to.put(self.seal_number.into(), 32)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let action = CheckAction::read(from)?;
        let inspector = from.take(16)? as u16;
        let seal_number = from.take(32)? as u32;
        let seal = Seal::read(from)?;
        Some(Self { action, inspector, seal_number, seal })
    }
}

impl Request for InspectionRequest {
    const SERVICE: ServiceId = service(258);
    type Response = InspectionResponse;
}

impl Sealed for InspectionRequest {
    fn seal(&self) -> &Seal {
        &self.seal
    }

    fn seal_mut(&mut self) -> &mut Seal {
        &mut self.seal
    }
}

/// How far the check is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct InspectionResponse {
    /// What became of the request.
    pub answer: Answer,
    /// OPEN while a check goes on; otherwise how the last one ended.
    pub verdict: CheckVerdict,
    /// The step that waits, from 1; 0 if none does.
    pub step: u8,
    /// Steps in the whole check.
    pub steps: u8,
    /// What the step asks for.
    pub task: CheckStep,
    /// Which lamp, key, segment or test card, from 0; as numbered in the device's handbook.
    pub item: u8,
    /// Minutes until the last passed check runs out; 0 if it has.
    pub minutes_left: u16,
    /// By the device.
    pub seal: Seal,
}

impl Object for InspectionResponse {
    const NAME: &'static str = "croupier.common.Inspection.1.0.Response";
    const SHORTEST: usize = 41;
    const LONGEST: usize = 41;
    const EXTENT: usize = 41;
    const STRICT: bool = true;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.answer.write(to)?;
        self.verdict.write(to)?;
        to.put(self.step.into(), 8)?;
        to.put(self.steps.into(), 8)?;
        self.task.write(to)?;
        to.put(self.item.into(), 8)?;
        to.put(self.minutes_left.into(), 16)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let answer = Answer::read(from)?;
        let verdict = CheckVerdict::read(from)?;
        let step = from.take(8)? as u8;
        let steps = from.take(8)? as u8;
        let task = CheckStep::read(from)?;
        let item = from.take(8)? as u8;
        let minutes_left = from.take(16)? as u16;
        let seal = Seal::read(from)?;
        Some(Self { answer, verdict, step, steps, task, item, minutes_left, seal })
    }
}

impl Response for InspectionResponse {
    const SERVICE: ServiceId = service(258);
}

impl Sealed for InspectionResponse {
    fn seal(&self) -> &Seal {
        &self.seal
    }

    fn seal_mut(&mut self) -> &mut Seal {
        &mut self.seal
    }
}

impl Answered for InspectionResponse {
    fn answer(&self) -> &Answer {
        &self.answer
    }

    fn answer_mut(&mut self) -> &mut Answer {
        &mut self.answer
    }
}
