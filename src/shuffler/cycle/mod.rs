//! One cycle: feeds every card to its slot, pass by pass, brings all out, counts all along.
//!
//! A cycle ends once, well or badly, and is never resumed: after any fault the cards must be
//! gathered and a new order drawn (SH-22). If the count is already wrong after the feed,
//! there is no further pass: the cards come out to be counted and removed (SH-08).

mod again;
pub mod count;
mod ending;
mod feed;
mod inside;
pub(super) mod service_check;
mod starting;
mod stopping;
mod unload;

use super::card_path::event::{Back, Outlet};
use super::card_path::path::{Path, Report};
use super::card_path::wheel::Wheel;
use super::fault::{Fault, Station};
use super::plan::{MOST_SLOTS, Plan};
use crate::cards::BackColour;
use crate::protocol::generated::croupier::shuffler::Phase;
use crate::time::Instant;
use count::Tally;

/// What a cycle must find.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wanted {
    /// The cards the profile asks for; `None` takes any number (SH-28).
    pub cards: Option<u16>,
    /// The batch that was asked for; `None` lets the first back decide.
    pub colour: Option<BackColour>,
    /// The batch whose turn it is not (SH-17).
    pub barred: Option<BackColour>,
    /// Only counted, the order kept (SH-14).
    pub count_only: bool,
}

/// How a cycle ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// Every card came out; the tally says whether that is well.
    Out,
    /// It was broken off, and cards may be anywhere.
    Failed(Fault),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    Feeding,
    Unloading,
}

/// The cycle under way, or the place for one.
pub struct Cycle {
    pub(super) plan: Plan,
    running: bool,
    pub(super) wanted: Wanted,
    pub(super) tally: Tally,
    pub(super) stage: Stage,
    pub(super) colour: Option<BackColour>,
    /// Cards in each slot.
    pub(super) held: [u8; MOST_SLOTS],
    /// The slots with a cover card, a bit each.
    pub(super) covers: u64,
    pub(super) spares_used: u8,
    /// The card staged last, until it is in its slot.
    pub(super) staged: Option<Back>,
    /// Cards staged in this pass, cover cards apart.
    pub(super) taken: u16,
    /// Cards sent to their slots in this pass; the throat counts those that got there.
    pub(super) placed: u16,
    /// Cards this pass must take, once that is known.
    pub(super) due: Option<u16>,
    pub(super) tray_loaded: bool,
    /// A pick was tried although the tray's contact says "empty".
    pub(super) drained: bool,
    /// That pick gave a card: the contact is wrong.
    pub(super) tray_lies: bool,
    pub(super) visit: u8,
    pub(super) outlet: Option<Outlet>,
    pub(super) diverting: bool,
}

impl Cycle {
    /// No cycle yet, on `wheel`. Its plan is made in place, so that no order is ever copied.
    pub const fn idle(wheel: Wheel) -> Self {
        Self {
            plan: Plan::blank(wheel),
            running: false,
            wanted: Wanted { cards: None, colour: None, barred: None, count_only: false },
            tally: Tally::NONE,
            stage: Stage::Feeding,
            colour: None,
            held: [0; MOST_SLOTS],
            covers: 0,
            spares_used: 0,
            staged: None,
            taken: 0,
            placed: 0,
            due: None,
            tray_loaded: false,
            drained: false,
            tray_lies: false,
            visit: 0,
            outlet: None,
            diverting: false,
        }
    }

    /// Begins, with the plan that was laid out.
    pub fn begin(&mut self, wanted: Wanted, tray_loaded: bool) {
        (self.wanted, self.colour, self.tray_loaded) = (wanted, wanted.colour, tray_loaded);
        (self.running, self.tally, self.stage) = (true, Tally::NONE, Stage::Feeding);
        (self.held, self.covers, self.spares_used) = ([0; MOST_SLOTS], 0, 0);
        (self.staged, self.taken, self.placed, self.due) = (None, 0, 0, None);
        (self.drained, self.tray_lies, self.visit) = (false, false, 0);
        (self.outlet, self.diverting) = (None, false);
    }

    /// Ends, well or badly: the order is gone (SH-42).
    pub fn end(&mut self) {
        self.running = false;
        self.plan.wipe();
    }

    /// Whether a cycle is under way.
    pub const fn is_running(&self) -> bool {
        self.running
    }

    /// Whether no order is kept; always true while no cycle is under way.
    pub fn is_forgotten(&self) -> bool {
        self.plan.is_blank()
    }

    /// What was counted so far.
    pub const fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The batch, once its first back was seen.
    pub const fn colour(&self) -> Option<BackColour> {
        self.colour
    }

    /// What it was to find.
    pub const fn wanted(&self) -> &Wanted {
        &self.wanted
    }

    /// Cards in the wheel, cover cards among them.
    pub fn inside(&self) -> u16 {
        self.held.iter().map(|held| u16::from(*held)).sum()
    }

    /// Cards in the wheel as they may be shown: all that went in, while those that count come out.
    pub fn shown_inside(&self) -> u16 {
        if self.comes_out() {
            self.tally.slotted + u16::from(self.tally.cover_cards)
        } else {
            self.inside()
        }
    }

    /// Whether the cards come out to be counted.
    pub fn comes_out(&self) -> bool {
        self.stage == Stage::Unloading && self.is_last_pass()
    }

    /// Phase, pass, cards done and cards to do, for `Progress` and the display. The number that
    /// counts is shown once, after the look at the end: not while the cards come out (SH-08).
    pub fn progress(&self) -> (Phase, u8, u16, u16) {
        let total = self.due.or(self.wanted.cards).unwrap_or(0);
        let pass = self.plan.pass();
        match self.stage {
            Stage::Unloading if self.comes_out() => {
                let counts = self.wanted.count_only;
                (if counts { Phase::Counting } else { Phase::Delivering }, pass, 0, 0)
            }
            _ if self.wanted.count_only => (Phase::Counting, pass, self.tally.slotted, total),
            Stage::Feeding if pass == 1 => (Phase::Feeding, pass, self.tally.slotted, total),
            Stage::Feeding => (Phase::Reordering, pass, self.tally.slotted, total),
            Stage::Unloading => (Phase::Reordering, pass, self.tally.ejected, total),
        }
    }

    /// It has ended, and cards lie in these trays: all must be in the second.
    pub fn end_in_trays(&mut self, feed: bool, delivery: bool) {
        self.tally.strayed = feed || delivery != (self.tally.ejected > 0);
    }

    /// A sweep after the end found this many cards still inside.
    pub fn found_inside(&mut self, cards: u16) {
        self.tally.ejected = self.tally.ejected.saturating_add(cards);
    }

    /// The feed tray's contact changed.
    pub fn tray_changed(&mut self, loaded: bool) {
        self.tray_loaded = loaded;
    }

    /// Takes what the path reports, and gives it its next orders.
    pub fn step(&mut self, report: Option<Report>, path: &mut Path, now: Instant) -> Option<Ended> {
        if report == Some(Report::Ejected) {
            self.ejected(path.at());
        }
        let noted = report.map_or(Ok(()), |report| self.note(report));
        match noted.and_then(|()| self.advance(path, now)) {
            Ok(done) => done.then_some(Ended::Out),
            Err(fault) => {
                path.stop();
                Some(Ended::Failed(fault))
            }
        }
    }

    fn note(&mut self, report: Report) -> Result<(), Fault> {
        match report {
            Report::Staged(back) => {
                self.look_at(back)?;
                self.staged = Some(back);
                self.tray_lies |= !self.tray_loaded && self.drained;
                self.drained = false;
            }
            Report::TrayEmpty if self.tray_loaded => return Err(Fault::NoPick),
            // In a later pass it is known how many there must be.
            Report::TrayEmpty if self.plan.pass() > 1 => return Err(Fault::CountNotValid),
            Report::TrayEmpty => self.drained = true,
            Report::Loaded => {
                if self.staged.take() != Some(Back::Cover) {
                    self.tally.slotted += 1;
                }
            }
            Report::Diverted => self.diverting = false,
            // The card went in and does not come out: stuck, not missing.
            Report::SlotEmpty => return Err(Fault::Jam(Station::Exit)),
            Report::Failed(fault) => return Err(fault),
            Report::Turned
            | Report::Homed
            | Report::Cleared
            | Report::Looked(_)
            | Report::Ejected => {}
        }
        Ok(())
    }

    /// Counts a card by its back, or refuses it (SH-18, SH-26, SH-29).
    fn look_at(&mut self, back: Back) -> Result<(), Fault> {
        if back == Back::Cover {
            // In a later pass they stay in their slots.
            return if self.plan.pass() == 1 {
                self.tally.cover_cards = self.tally.cover_cards.saturating_add(1);
                Ok(())
            } else {
                Err(Fault::CountNotValid)
            };
        }
        self.taken += 1;
        if self.plan.pass() == 1 {
            self.tally.fed = self.taken;
        }
        match back {
            Back::Colour(seen) => {
                if *self.colour.get_or_insert(seen) != seen {
                    return self.foreign();
                }
                if self.wanted.barred == Some(seen) {
                    return Err(Fault::SameBatchAgain);
                }
            }
            Back::Unknown => return self.foreign(),
            Back::FaceUp if self.plan.pass() == 1 => {
                self.tally.face_up = self.tally.face_up.saturating_add(1);
            }
            Back::FaceUp | Back::Cover => {}
        }
        Ok(())
    }

    fn foreign(&mut self) -> Result<(), Fault> {
        self.tally.foreign_backs = 1;
        Err(Fault::ForeignBack(self.taken))
    }

    fn advance(&mut self, path: &mut Path, now: Instant) -> Result<bool, Fault> {
        match self.stage {
            Stage::Feeding => self.feed(path, now),
            Stage::Unloading => self.unload(path, now),
        }
    }
}
