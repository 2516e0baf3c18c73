//! A sweep: every slot is tried until nothing comes out, whatever was thought to be inside.
//!
//! After an interruption the machine does not know where the cards are; only a sweep makes
//! the inventory certain again. So no card stays inside unreported. If the look after it still
//! shows a card, the slots are tried once more, and shaken: a card may cling to its slot.

use super::event::Outlet;
use super::path::{Path, Report};
use crate::shuffler::fault::Fault;
use crate::time::Instant;

/// A sweep under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sweep {
    outlet: Outlet,
    diverted: bool,
    slots: u8,
    /// Slots that are known to be empty.
    empty: u8,
    brought: u16,
    /// Each slot is shaken too before it counts as empty.
    shakes: bool,
}

impl Sweep {
    /// A sweep of `slots` slots through `outlet`.
    pub const fn new(slots: u8, outlet: Outlet) -> Self {
        Self { outlet, diverted: false, slots, empty: 0, brought: 0, shakes: false }
    }

    /// The cards it has brought out.
    pub const fn brought(&self) -> u16 {
        self.brought
    }

    /// The same again with shaking; `None` if that was the second time.
    pub const fn again(self) -> Option<Self> {
        if self.shakes { None } else { Some(Self { empty: 0, shakes: true, ..self }) }
    }

    /// Where it brings them.
    pub const fn outlet(&self) -> Outlet {
        self.outlet
    }

    /// Sets the diverter; call once, with the wheel homed.
    pub fn begin(&mut self, path: &mut Path, now: Instant) {
        path.divert(self.outlet, now);
    }

    /// Takes what the path reports; whether the wheel is empty now.
    pub fn step(&mut self, report: Report, path: &mut Path, now: Instant) -> Result<bool, Fault> {
        match report {
            Report::Failed(fault) => return Err(fault),
            Report::Diverted => self.diverted = true,
            Report::Ejected => self.brought = self.brought.saturating_add(1),
            Report::SlotEmpty => self.empty += 1,
            _ => {}
        }
        if self.empty >= self.slots {
            return Ok(true);
        }
        let Some(at) = path.at().filter(|_| self.diverted && path.may_turn()) else {
            return Ok(false);
        };
        if at == self.empty && self.shakes {
            path.eject(now);
        } else if at == self.empty {
            path.probe(now);
        } else {
            path.turn(self.empty, now);
        }
        Ok(false)
    }
}
