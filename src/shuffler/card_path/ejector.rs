//! The way out: one card at a time from the slot that stands there, past the exit beam.
//!
//! A card that does not come is shaken loose, three times at most; one that stays in the beam
//! once. The wheel never turns while a card is half out.

use super::event::{Action, Effort};
use super::path::{Actions, Report, push};
use super::wheel::TIMINGS;
use crate::shuffler::fault::{Fault, Station};
use crate::time::Instant;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Exit {
    Idle,
    /// A card must show until then, or the slot is shaken this often still.
    Ejecting {
        until: Instant,
        shakes: u8,
    },
    /// A card blocks the exit.
    Passing {
        since: Instant,
        shaken: bool,
    },
    /// A card that came out so far that it blocks the exit.
    Freeing {
        until: Instant,
    },
    /// A card that did not come at all.
    Loosening {
        until: Instant,
        shakes: u8,
    },
}

/// How often a card that clings to its slot is shaken before it counts as stuck.
const SHAKES: u8 = 3;

/// The way out.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ejector(Exit);

impl Ejector {
    pub(super) const fn new() -> Self {
        Self(Exit::Idle)
    }

    pub(super) const fn is_idle(&self) -> bool {
        matches!(self.0, Exit::Idle)
    }

    /// Pushes a card out; where it is not known whether there is one, `probing`.
    pub(super) fn eject(&mut self, probing: bool, now: Instant, actions: &mut Actions) {
        let shakes = if probing { 0 } else { SHAKES };
        self.0 = Exit::Ejecting { until: now + TIMINGS.exit, shakes };
        push(actions, Action::Eject(Effort::Normal));
    }

    pub(super) fn deadline(&self) -> Option<Instant> {
        match self.0 {
            Exit::Idle => None,
            Exit::Ejecting { until, .. }
            | Exit::Freeing { until }
            | Exit::Loosening { until, .. } => Some(until),
            Exit::Passing { since, .. } => Some(since + TIMINGS.exit_blocked),
        }
    }

    pub(super) fn pass_time(&mut self, now: Instant, actions: &mut Actions) -> Option<Report> {
        if self.deadline().is_none_or(|due| due > now) {
            return None;
        }
        match self.0 {
            Exit::Ejecting { shakes: 0, .. } => {
                self.0 = Exit::Idle;
                Some(Report::SlotEmpty)
            }
            Exit::Ejecting { shakes, .. } => {
                let until = now + TIMINGS.shake;
                self.0 = Exit::Loosening { until, shakes: shakes - 1 };
                push(actions, Action::Shake);
                None
            }
            Exit::Loosening { shakes, .. } => {
                self.0 = Exit::Ejecting { until: now + TIMINGS.exit, shakes };
                push(actions, Action::Eject(Effort::Boosted));
                None
            }
            Exit::Passing { shaken: false, .. } => {
                self.0 = Exit::Freeing { until: now + TIMINGS.shake };
                push(actions, Action::Shake);
                None
            }
            Exit::Passing { .. } | Exit::Freeing { .. } => {
                Some(Report::Failed(Fault::Jam(Station::Exit)))
            }
            Exit::Idle => None,
        }
    }

    /// The exit's beam changed.
    pub(super) fn changed(&mut self, blocked: bool, at: Instant) -> Option<Report> {
        match (self.0, blocked) {
            (Exit::Ejecting { .. }, true) => {
                self.0 = Exit::Passing { since: at, shaken: false };
                None
            }
            (Exit::Loosening { .. }, true) => {
                self.0 = Exit::Passing { since: at, shaken: true };
                None
            }
            (Exit::Passing { since, shaken }, false) => {
                // Two left as one, so the count is wrong.
                if !shaken && at.since(since) > TIMINGS.double {
                    return Some(Report::Failed(Fault::CountNotValid));
                }
                self.0 = Exit::Idle;
                Some(Report::Ejected)
            }
            (Exit::Freeing { .. }, false) => {
                self.0 = Exit::Idle;
                Some(Report::Ejected)
            }
            (_, true) => Some(Report::Failed(Fault::Jam(Station::Exit))),
            (_, false) => None,
        }
    }
}
