//! `croupier.shuffler.Command.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{
    Answered, Object, Reader, Request, Response, Sealed, Writer, service,
};
use crate::protocol::generated::croupier::common::{Answer, Seal};
use crate::protocol::generated::croupier::shuffler::{Batch, Purpose, Task};
use crate::protocol::transfer::ServiceId;

/// Tells the shuffler what to do.
///
/// Asked by: dealer or floorperson; the controller may ask for ABORT. EMPTY after a fault needs a floorperson.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct CommandRequest {
    /// What to do.
    pub task: Task,
    /// With START; otherwise NONE.
    pub purpose: Purpose,
    /// Which batch, where two are used; NONE lets the backs decide.
    pub batch: Batch,
    /// By the role that asks.
    pub seal: Seal,
}

impl Object for CommandRequest {
    const NAME: &'static str = "croupier.shuffler.Command.1.0.Request";
    const SHORTEST: usize = 28;
    const LONGEST: usize = 28;
    const EXTENT: usize = 28;
    const STRICT: bool = true;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.task.write(to)?;
        self.purpose.write(to)?;
        self.batch.write(to)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let task = Task::read(from)?;
        let purpose = Purpose::read(from)?;
        let batch = Batch::read(from)?;
        let seal = Seal::read(from)?;
        Some(Self { task, purpose, batch, seal })
    }
}

impl Request for CommandRequest {
    const SERVICE: ServiceId = service(320);
    type Response = CommandResponse;
}

impl Sealed for CommandRequest {
    fn seal(&self) -> &Seal {
        &self.seal
    }

    fn seal_mut(&mut self) -> &mut Seal {
        &mut self.seal
    }
}

/// Begun, or why not. Progress, Count and Certificate tell the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct CommandResponse {
    /// What became of the request; OUT_OF_TURN where alternation forbids the batch (SH-17).
    pub answer: Answer,
    /// By the shuffler.
    pub seal: Seal,
}

impl Object for CommandResponse {
    const NAME: &'static str = "croupier.shuffler.Command.1.0.Response";
    const SHORTEST: usize = 34;
    const LONGEST: usize = 34;
    const EXTENT: usize = 34;
    const STRICT: bool = true;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.answer.write(to)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let answer = Answer::read(from)?;
        let seal = Seal::read(from)?;
        Some(Self { answer, seal })
    }
}

impl Response for CommandResponse {
    const SERVICE: ServiceId = service(320);
}

impl Sealed for CommandResponse {
    fn seal(&self) -> &Seal {
        &self.seal
    }

    fn seal_mut(&mut self) -> &mut Seal {
        &mut self.seal
    }
}

impl Answered for CommandResponse {
    fn answer(&self) -> &Answer {
        &self.answer
    }

    fn answer_mut(&mut self) -> &mut Answer {
        &mut self.answer
    }
}
