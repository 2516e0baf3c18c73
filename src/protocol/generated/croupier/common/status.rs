//! `croupier.common.Status.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{Message, Object, Reader, Sealed, Writer, subject};
use crate::protocol::generated::croupier::common::{
    Activity, Condition, DeviceKind, Game, NextStep, Role, Seal,
};
use crate::protocol::transfer::SubjectId;

/// How the device is: shown at all times (CM-07) and repeated every second beside the standard Heartbeat.
///
/// Sent by: every device, once a second and at each change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Status {
    /// Which device.
    pub kind: DeviceKind,
    /// The profile in force.
    pub game: Game,
    /// Decks per batch in that profile; 0 where none is set.
    pub decks: u8,
    /// Whether it may be used.
    pub condition: Condition,
    /// What it is doing.
    pub activity: Activity,
    /// What the gravest open irregularity asks for.
    pub next_step: NextStep,
    /// Who may clear that one; DEVICE if there is none, or if it clears itself when the cause is gone.
    pub cleared_by: Role,
    /// As in Stamp.
    pub start: u8,
    /// The number that the next event of this start will have: the last one lost is noticed too.
    pub next_event: u32,
    /// Requests dropped or refused for their seal since the start, up to 65535. Refusals tells the kinds.
    pub refused: u16,
    /// By the device.
    pub seal: Seal,
}

impl Object for Status {
    const NAME: &'static str = "croupier.common.Status.1.0";
    const SHORTEST: usize = 38;
    const LONGEST: usize = 38;
    const EXTENT: usize = 38;
    const STRICT: bool = true;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.kind.write(to)?;
        self.game.write(to)?;
        to.put(self.decks.into(), 8)?;
        self.condition.write(to)?;
        self.activity.write(to)?;
        self.next_step.write(to)?;
        self.cleared_by.write(to)?;
        to.put(self.start.into(), 8)?;
        to.put(self.next_event.min(0xFFFFFF).into(), 24)?;
        to.put(self.refused.into(), 16)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let kind = DeviceKind::read(from)?;
        let game = Game::read(from)?;
        let decks = from.take(8)? as u8;
        let condition = Condition::read(from)?;
        let activity = Activity::read(from)?;
        let next_step = NextStep::read(from)?;
        let cleared_by = Role::read(from)?;
        let start = from.take(8)? as u8;
        let next_event = from.take(24)? as u32;
        let refused = from.take(16)? as u16;
        let seal = Seal::read(from)?;
        Some(Self {
            kind,
            game,
            decks,
            condition,
            activity,
            next_step,
            cleared_by,
            start,
            next_event,
            refused,
            seal,
        })
    }
}

impl Message for Status {
    const SUBJECT: SubjectId = subject(6144);
}

impl Sealed for Status {
    fn seal(&self) -> &Seal {
        &self.seal
    }

    fn seal_mut(&mut self) -> &mut Seal {
        &mut self.seal
    }
}
