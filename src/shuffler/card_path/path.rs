//! The way of the cards: one card in, one card out, the wheel to its slot, each on time.
//!
//! It knows no shuffle. It takes one order, watches the beams while that is carried out,
//! tries again where that is harmless, and reports one outcome. Everything unexpected is a
//! [`Fault`], and a fault here ends the cycle: nothing is resumed (SH-22).

use heapless::Deque;

use super::ejector::Ejector;
use super::event::{Action, Axis, Back, Beam, Event, Outlet};
use super::inlet::Inlet;
use super::look::{Slots, WheelLook, begins_at};
use super::wheel::{TIMINGS, Wheel};
use crate::shuffler::fault::{Fault, Station};
use crate::time::{Instant, Millis};

/// What came of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Report {
    /// The wheel is at home, slot 0 at the feed.
    Homed,
    /// The wheel stands where it was sent.
    Turned,
    /// The diverter stands as asked.
    Diverted,
    /// A card is staged.
    Staged(Back),
    /// The tray gave no card.
    TrayEmpty,
    /// What was before the wheel is back in the tray.
    Cleared,
    /// The staged card is in its slot.
    Loaded,
    /// A card has left its slot and the exit.
    Ejected,
    /// Nothing came out of the slot, however it was shaken.
    SlotEmpty,
    /// The wheel has turned once past the slot beam.
    Looked(Slots),
    /// The order failed; every motor stands.
    Failed(Fault),
}

/// What the mechanism has still to do.
pub(super) type Actions = Deque<Action, 12>;

/// Actions are few and taken at once. If they are not, the loop stands and deadlines end it.
pub(super) fn push(actions: &mut Actions, action: Action) {
    let _ = actions.push_back(action);
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Turning {
    /// Stands with this slot at the feed.
    At(u8),
    To {
        slot: u8,
        until: Instant,
        /// To look from there.
        looks: bool,
    },
    /// Turns once past the slot beam, and ends where it began.
    Looking {
        slot: u8,
        until: Instant,
        look: WheelLook,
    },
    Homing {
        until: Instant,
    },
    /// Its place is not known: it must be homed.
    Lost,
}

/// The path of the cards.
#[derive(Debug, Clone)]
pub struct Path {
    wheel: Wheel,
    turning: Turning,
    inlet: Inlet,
    ejector: Ejector,
    diverting: Option<Instant>,
    blocked: [bool; Beam::ALL.len()],
    actions: Actions,
}

impl Path {
    /// The path around `wheel`, which may stand anywhere.
    pub const fn new(wheel: Wheel) -> Self {
        Self {
            wheel,
            turning: Turning::Lost,
            inlet: Inlet::new(),
            ejector: Ejector::new(),
            diverting: None,
            blocked: [false; Beam::ALL.len()],
            actions: Deque::new(),
        }
    }

    /// The next thing the mechanism must do.
    pub fn next_action(&mut self) -> Option<Action> {
        self.actions.pop_front()
    }

    /// The slot at the feed, if the wheel stands and was homed.
    pub const fn at(&self) -> Option<u8> {
        match self.turning {
            Turning::At(slot) => Some(slot),
            _ => None,
        }
    }

    /// Whether no card is in the mouth or on its way to the throat.
    pub fn mouth_is_free(&self) -> bool {
        self.inlet.mouth_is_free() && !self.is_blocked(Beam::Mouth)
    }

    /// Whether a card waits in front of the wheel.
    pub const fn has_staged(&self) -> bool {
        self.inlet.has_staged()
    }

    /// Whether the wheel may turn: nothing goes in or out.
    pub const fn may_turn(&self) -> bool {
        !self.inlet.is_loading() && self.ejector.is_idle()
    }

    /// Whether a beam of the path is blocked.
    pub fn is_blocked(&self, beam: Beam) -> bool {
        self.blocked.get(beam as usize).is_some_and(|blocked| *blocked)
    }

    /// Whether mouth, throat and exit are free.
    pub fn is_clear(&self) -> bool {
        ![Beam::Mouth, Beam::Throat, Beam::Exit].into_iter().any(|beam| self.is_blocked(beam))
    }

    /// Finds the wheel's home.
    pub fn home(&mut self, now: Instant) {
        self.turning = Turning::Homing { until: now + TIMINGS.home };
        push(&mut self.actions, Action::Home);
    }

    /// Turns the wheel the shorter way; nothing happens if it stands there already.
    pub fn turn(&mut self, slot: u8, now: Instant) {
        self.turn_to(slot, false, now);
    }

    fn turn_to(&mut self, slot: u8, looks: bool, now: Instant) {
        let Turning::At(from) = self.turning else { return };
        let by = self.wheel.way(from, slot);
        if by != 0 {
            let until = self.turned_by(by.unsigned_abs(), now);
            self.turning = Turning::To { slot, until, looks };
            push(&mut self.actions, Action::Turn { to: slot, by });
        }
    }

    /// When a turn by `slots` must have ended.
    fn turned_by(&self, slots: u8, now: Instant) -> Instant {
        let turning = self.wheel.turn_us(slots) / 1000;
        now + Millis::new(turning.into()) + TIMINGS.turn_slack
    }

    /// Looks whether every slot is empty.
    pub fn look(&mut self, now: Instant) {
        let Turning::At(slot) = self.turning else { return };
        let from = begins_at(&self.wheel, slot);
        if from != slot {
            return self.turn_to(from, true, now);
        }
        let look = WheelLook::new(&self.wheel, self.is_blocked(Beam::Slot));
        let until = self.turned_by(self.wheel.slots, now);
        self.turning = Turning::Looking { slot, until, look };
        push(&mut self.actions, Action::Look);
    }

    /// Stages the next card.
    pub fn feed(&mut self, now: Instant) {
        self.inlet.feed(now, &mut self.actions);
    }

    /// Loads the staged card into the slot that stands there.
    pub fn load(&mut self, now: Instant) {
        self.inlet.load(now, &mut self.actions);
    }

    /// Pushes one card out of the slot that stands there.
    pub fn eject(&mut self, now: Instant) {
        self.ejector.eject(false, now, &mut self.actions);
    }

    /// The same, where it is not known whether there is a card.
    pub fn probe(&mut self, now: Instant) {
        self.ejector.eject(true, now, &mut self.actions);
    }

    /// Sets the diverter.
    pub fn divert(&mut self, outlet: Outlet, now: Instant) {
        self.diverting = Some(now + TIMINGS.divert * 2);
        push(&mut self.actions, Action::Divert(outlet));
    }

    /// Stops everything and forgets what was under way. The wheel must be homed.
    pub fn stop(&mut self) {
        self.actions.clear();
        push(&mut self.actions, Action::Stop);
        self.turning = Turning::Lost;
        (self.inlet, self.ejector) = (Inlet::new(), Ejector::new());
        self.diverting = None;
    }

    /// Stops everything, and brings what is before the wheel back to the tray.
    pub fn clear_out(&mut self, now: Instant) {
        self.stop();
        self.inlet.clear_out(now, &mut self.actions);
    }

    /// The rollers run backwards, to free a card that never reached the wheel.
    pub fn back_out(&mut self) {
        push(&mut self.actions, Action::BackUp);
    }

    /// When [`Path::pass_time`] must be called next.
    pub fn deadline(&self) -> Option<Instant> {
        let turning = match self.turning {
            Turning::To { until, .. }
            | Turning::Looking { until, .. }
            | Turning::Homing { until } => Some(until),
            Turning::At(_) | Turning::Lost => None,
        };
        let due = [turning, self.inlet.deadline(), self.ejector.deadline(), self.diverting];
        due.into_iter().flatten().min()
    }

    /// Takes what the mechanism noticed at the time `at`.
    pub fn sense(&mut self, event: Event, at: Instant) -> Option<Report> {
        let actions = &mut self.actions;
        let report = match event {
            Event::Beam(beam, blocked) => {
                if let Some(state) = self.blocked.get_mut(beam as usize) {
                    *state = blocked;
                }
                match beam {
                    Beam::Mouth => self.inlet.mouth_changed(blocked, at, actions),
                    Beam::Throat => self.inlet.throat_changed(blocked),
                    Beam::Exit => self.ejector.changed(blocked, at),
                    Beam::Draw => None,
                    Beam::Slot => {
                        if let Turning::Looking { look, .. } = &mut self.turning {
                            look.changed(blocked, at);
                        }
                        None
                    }
                }
            }
            Event::Seen(look) => self.inlet.seen(look, at, actions),
            Event::Turned(slot) => self.arrived(slot, Report::Turned, at),
            Event::Homed => self.arrived(0, Report::Homed, at),
            Event::Diverted => self.diverting.take().map(|_| Report::Diverted),
            Event::Stalled(Axis::Pick) => self.inlet.stalled(at, actions),
            Event::Stalled(axis) => Some(Report::Failed(Fault::Stall(axis))),
            Event::Unanswered => Some(Report::Failed(Fault::Unanswered)),
            Event::Blind => Some(Report::Failed(Fault::Sensor(Beam::Mouth))),
            Event::Contact(..) => None,
        };
        self.stopping(report)
    }

    /// The wheel stands; a stall, if it was not sent there.
    fn arrived(&mut self, slot: u8, how: Report, at: Instant) -> Option<Report> {
        let turned = how == Report::Turned;
        let (report, looks) = match self.turning {
            Turning::To { slot: wanted, looks, .. } if turned && wanted == slot => (how, looks),
            Turning::Looking { slot: wanted, look, .. } if turned && wanted == slot => {
                (Report::Looked(look.end()), false)
            }
            Turning::Homing { .. } if how == Report::Homed => (how, false),
            _ => return Some(Report::Failed(Fault::Stall(Axis::Wheel))),
        };
        self.turning = Turning::At(slot);
        if looks {
            self.look(at);
            return None;
        }
        Some(report)
    }

    /// Lets time pass until `now`.
    pub fn pass_time(&mut self, now: Instant) -> Option<Report> {
        let report = match self.turning {
            Turning::To { until, .. }
            | Turning::Looking { until, .. }
            | Turning::Homing { until }
                if until <= now =>
            {
                Some(Report::Failed(Fault::Stall(Axis::Wheel)))
            }
            _ if self.diverting.is_some_and(|until| until <= now) => {
                Some(Report::Failed(Fault::Jam(Station::Diverter)))
            }
            _ => {
                let clear = self.is_clear();
                let inlet = self.inlet.pass_time(now, clear, &mut self.actions);
                inlet.or_else(|| self.ejector.pass_time(now, &mut self.actions))
            }
        };
        self.stopping(report)
    }

    /// Stops everything if the report is a fault.
    fn stopping(&mut self, report: Option<Report>) -> Option<Report> {
        if matches!(report, Some(Report::Failed(_))) {
            self.stop();
        }
        report
    }
}
