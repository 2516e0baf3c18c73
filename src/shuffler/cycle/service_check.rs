//! The check that service asks for before a grave fault is cleared: of the part that failed.
//!
//! | fault | what must be seen |
//! |---|---|
//! | slot beam | the wheel's home, then a look that shows the vane |
//! | another sensor | its beam blocked and free again since, by service's hand |
//! | motion controller, too many faults | the wheel's home, then one turn |
//! | store | what is written reads back |
//! | random core | a new start of the core |
//!
//! A `CLEAR` begins it and is answered with BUSY; nothing else changes. The result is only
//! remembered: the next `CLEAR` by service clears the fault. An open lid, the power or another
//! fault takes it back (SH-23).

use crate::node::Refused;
use crate::shuffler::card_path::event::{Beam, Event};
use crate::shuffler::card_path::look::Slots;
use crate::shuffler::card_path::path::Report;
use crate::shuffler::fault::Fault;
use crate::shuffler::machine::{Action, Machine, Moment, State};

/// How far the check is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Stage {
    #[default]
    None,
    /// The random core is asked to start again.
    Core,
    /// The record is written and read back.
    Store,
    /// The wheel looks for its home.
    Homing,
    /// The wheel turns once.
    Turning,
    Passed,
    Failed,
}

/// The check of the fault that stands, and what its beam has shown since it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::shuffler) struct ServiceCheck {
    stage: Stage,
    was_blocked: bool,
    /// Free again after it was blocked.
    was_freed: bool,
}

impl ServiceCheck {
    /// Nothing was asked for, and nothing seen.
    pub(in crate::shuffler) const NONE: Self =
        Self { stage: Stage::None, was_blocked: false, was_freed: false };

    /// Whether the random core is asked for it.
    pub(super) fn wants_core(&self) -> bool {
        self.stage == Stage::Core
    }

    /// Whether the wheel turns for it.
    const fn moves(&self) -> bool {
        matches!(self.stage, Stage::Homing | Stage::Turning)
    }
}

impl Machine {
    /// Whether this grave fault's check has passed; if none is under way, it begins.
    pub(super) fn take_pass(&mut self, fault: Fault, moment: &Moment) -> Result<(), Refused> {
        match self.check.stage {
            Stage::Passed => Ok(()),
            Stage::Core | Stage::Store | Stage::Homing | Stage::Turning => Err(Refused::Busy),
            Stage::Failed => {
                self.check.stage = Stage::None;
                Err(Refused::OutOfTurn)
            }
            Stage::None => {
                self.check.stage = self.begin_check(fault, moment)?;
                Err(Refused::Busy)
            }
        }
    }

    fn begin_check(&mut self, fault: Fault, moment: &Moment) -> Result<Stage, Refused> {
        Ok(match fault {
            Fault::Random(_) => Stage::Core,
            Fault::Store => {
                // The store writes nothing that it holds already.
                self.record.store_checks = self.record.store_checks.wrapping_add(1);
                self.push(Action::ProveStore);
                Stage::Store
            }
            Fault::Sensor(beam) if beam != Beam::Slot => {
                if !self.check.was_freed {
                    return Err(Refused::OutOfTurn);
                }
                Stage::Passed
            }
            _ => {
                self.path.home(moment.now);
                Stage::Homing
            }
        })
    }

    /// Whether the wheel turns for a check.
    pub(in crate::shuffler) fn is_checking_wheel(&self) -> bool {
        matches!(self.state, State::Stopped(_)) && self.check.moves()
    }

    /// The wheel was homed, has turned, or failed to.
    pub(in crate::shuffler) fn check_on(&mut self, report: Report, moment: &Moment) {
        let wants_vane = self.state == State::Stopped(Fault::Sensor(Beam::Slot));
        let shows_vane =
            |slots| matches!(slots, Slots::Empty | Slots::Occupied { vane_seen: true });
        self.check.stage = match report {
            Report::Homed => {
                self.path.look(moment.now);
                Stage::Turning
            }
            Report::Looked(slots) if !wants_vane || shows_vane(slots) => Stage::Passed,
            Report::Looked(_) | Report::Failed(_) => Stage::Failed,
            _ => return,
        };
    }

    /// What the check of the random core, or of the store, found.
    pub(in crate::shuffler) fn checked(&mut self, found: Result<(), Fault>) {
        if matches!(self.check.stage, Stage::Core | Stage::Store) {
            self.check.stage = if found.is_ok() { Stage::Passed } else { Stage::Failed };
        }
    }

    /// A beam changed while a fault stands: a hand tries it.
    pub(in crate::shuffler) fn note_beam(&mut self, event: Event) {
        match (self.state, event) {
            (State::Stopped(Fault::Sensor(failed)), Event::Beam(beam, blocked))
                if failed == beam =>
            {
                self.check.was_freed |= self.check.was_blocked && !blocked;
                self.check.was_blocked |= blocked;
            }
            _ => {}
        }
    }

    /// What was checked may be different now: the lid is open.
    pub(in crate::shuffler) fn drop_check(&mut self) {
        self.check.stage = Stage::None;
    }

    /// Another fault: what passed before it proves nothing, and after a sensor's neither does
    /// what a beam has shown. A check under way finds out for itself.
    pub(in crate::shuffler) fn doubt_check(&mut self, fault: Fault) {
        if self.check.stage == Stage::Passed {
            self.check.stage = Stage::None;
        }
        if matches!(fault, Fault::Sensor(_)) {
            self.check = ServiceCheck { stage: self.check.stage, ..ServiceCheck::NONE };
        }
    }

    /// Stops the wheel that turns for a check; whether it did.
    pub(in crate::shuffler) fn stop_check(&mut self) -> bool {
        let moves = self.is_checking_wheel();
        if moves {
            self.path.stop();
            self.drop_check();
        }
        moves
    }
}
