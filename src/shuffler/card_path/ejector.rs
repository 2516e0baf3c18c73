//! The way out: one card at a time from the slot that stands there, past the exit beam.
//!
//! A card that does not come is shaken loose once; one that stays in the beam too. The
//! wheel never turns while a card is half out.

use super::event::{Action, Effort};
use super::path::{Actions, Report, push};
use super::wheel::TIMINGS;
use crate::shuffler::fault::{Fault, Station};
use crate::time::Instant;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Exit {
    Idle,
    /// A card must show until then; `last` if nothing more is tried after that.
    Ejecting {
        until: Instant,
        last: bool,
    },
    /// A card blocks the exit.
    Passing {
        since: Instant,
        shaken: bool,
    },
    Shaking {
        until: Instant,
        blocked: bool,
    },
}

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
        self.0 = Exit::Ejecting { until: now + TIMINGS.exit, last: probing };
        push(actions, Action::Eject(Effort::Normal));
    }

    pub(super) fn deadline(&self) -> Option<Instant> {
        match self.0 {
            Exit::Idle => None,
            Exit::Ejecting { until, .. } | Exit::Shaking { until, .. } => Some(until),
            Exit::Passing { since, .. } => Some(since + TIMINGS.exit_blocked),
        }
    }

    pub(super) fn pass_time(&mut self, now: Instant, actions: &mut Actions) -> Option<Report> {
        if self.deadline().is_none_or(|due| due > now) {
            return None;
        }
        match self.0 {
            Exit::Ejecting { last: true, .. } => {
                self.0 = Exit::Idle;
                Some(Report::SlotEmpty)
            }
            Exit::Ejecting { .. } => self.shake(false, now, actions),
            Exit::Passing { shaken: false, .. } => self.shake(true, now, actions),
            Exit::Shaking { blocked: false, .. } => {
                self.0 = Exit::Ejecting { until: now + TIMINGS.exit, last: true };
                push(actions, Action::Eject(Effort::Boosted));
                None
            }
            Exit::Passing { .. } | Exit::Shaking { .. } => {
                Some(Report::Failed(Fault::Jam(Station::Exit)))
            }
            Exit::Idle => None,
        }
    }

    fn shake(&mut self, blocked: bool, now: Instant, actions: &mut Actions) -> Option<Report> {
        self.0 = Exit::Shaking { until: now + TIMINGS.shake, blocked };
        push(actions, Action::Shake);
        None
    }

    /// The exit's beam changed.
    pub(super) fn changed(&mut self, blocked: bool, at: Instant) -> Option<Report> {
        match (self.0, blocked) {
            (Exit::Ejecting { .. }, true) => {
                self.0 = Exit::Passing { since: at, shaken: false };
                None
            }
            (Exit::Shaking { blocked: false, .. }, true) => {
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
            (Exit::Shaking { blocked: true, .. }, false) => {
                self.0 = Exit::Idle;
                Some(Report::Ejected)
            }
            (_, true) => Some(Report::Failed(Fault::Jam(Station::Exit))),
            (_, false) => None,
        }
    }
}
