//! What the reader's front reports to it, and what it asks of its front.

use super::check::{TEST_CARDS, Task};
use super::device::Reader;
use super::fault::Sensor;
use super::lamps::Lit;
use super::lesson::{Part, Teaching};
use super::machine::{Event, State};
use super::nest::NestEvent;
use super::ports::{Key, Sight};
use super::recognise::{Judgement, Question, Window};
use super::{DeviceEvent, Fault, Label};
use crate::cards::Rank;
use crate::panel::KeyEvent;
use crate::panel::lamps::ReaderLamp;
use crate::protocol::generated::croupier::common::{NextStep, Role, Trouble};
use crate::time::{Instant, Millis};

/// The notice blinks so long on and so long off while the reader is out of service.
const BLINK: Millis = Millis::new(500);
/// A card that lies longer in the nest has been forgotten there.
pub const FORGOTTEN_AFTER: Millis = Millis::from_secs(60);

/// What the device waits for from its front.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Want {
    /// An answer about the card at home, from a deck with tens or without.
    Read(Question, bool),
    /// Whether the test card at home reads as this, or as nothing.
    Examine(Option<Rank>),
    /// The self test of the gaming-day check.
    SelfTest,
    /// The card at home learnt; the first of a lesson begins it.
    Learn(Rank, bool),
    /// A brand made of what was learnt.
    Make(u16),
    /// The card at home proven with that brand.
    Prove(Rank),
    /// That brand kept.
    Keep,
}

/// What the front did of what the device waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Done {
    /// The eye answered, or failed.
    Saw(Result<Sight, Fault>),
    /// The test card read as it should, or not.
    Examined(Result<bool, Fault>),
    /// The self test ended well, or not.
    SelfTested(bool),
    /// The card was learnt or proven, or not.
    Looked(Result<bool, Fault>),
    /// A brand could be made, or not.
    Made(bool),
    /// One step of that was done.
    Making,
    /// The brand may be kept.
    Proven,
    /// It is saved, or why not.
    Saved(Result<Label, Fault>),
}

impl Reader {
    /// What the machine must know of what the nest noticed, if anything.
    pub(super) fn nest_event(&mut self, event: NestEvent, now: Instant) -> Option<Event> {
        self.home_since = match event {
            NestEvent::Home | NestEvent::Found => Some(now),
            NestEvent::Left => None,
            _ => self.home_since,
        };
        let event = match event {
            NestEvent::Home if self.check.is_some() || self.teaching.is_some() => {
                self.fresh_card = true;
                self.teaching.iter_mut().for_each(Teaching::another_card);
                return None;
            }
            NestEvent::Home => Event::Home,
            NestEvent::Found => Event::Found,
            NestEvent::Moved => Event::Moved,
            NestEvent::Left => Event::Left,
            NestEvent::Stuck(beam) => Event::Failed(Fault::Sensor(Sensor::from_number(beam)?)),
        };
        self.fresh_card = false;
        Some(event)
    }

    /// A key was held down for long.
    pub fn key_stuck(&mut self, key: Key) {
        let step = NextStep::CallService;
        self.publish(DeviceEvent::notice(Trouble::KeyStuck, step, Role::Device, key as u16));
    }

    /// The lamp test: not in a round, and not with a lamp at fault.
    pub(super) fn lamp_test(&mut self, event: KeyEvent, now: Instant) {
        let broken = matches!(self.fault(), Some(Fault::Lamp(_)));
        let busy = self.check.is_some() || self.teaching.is_some() || self.machine.in_round();
        if event == KeyEvent::Pressed && (broken || busy) {
            return;
        }
        self.test = self.test.after(event, now);
        self.services.lamp_test = self.test.is_running();
    }

    /// What it waits for.
    pub fn want(&self) -> Option<Want> {
        if let Some(check) = self.check {
            return match check.task() {
                Task::SelfTest => Some(Want::SelfTest),
                Task::InsertCard(card) if self.fresh_card => {
                    Some(Want::Examine(TEST_CARDS.get(usize::from(card)).copied()?))
                }
                _ => None,
            };
        }
        if let Some(teaching) = self.teaching {
            return match teaching.part() {
                Part::Make => Some(Want::Make(teaching.brand)),
                Part::Keep => Some(Want::Keep),
                _ if !teaching.wants_look() => None,
                Part::Learn => Some(Want::Learn(teaching.rank(), teaching.progress().1 == 0)),
                Part::Prove => Some(Want::Prove(teaching.rank())),
            };
        }
        self.machine.wants_look().map(|question| Want::Read(question, self.has_tens()))
    }

    /// Whether nothing is to be done and no card can slide in unseen, so that this is a moment for
    /// what takes time: one lies there and its answer is shown, or none is expected, because it
    /// is out of service or in service's hands.
    pub fn is_at_rest(&self) -> bool {
        let shown = matches!(self.machine.state(), State::Showing { gone: false, .. });
        let closed = self.fault().is_some() || self.services.service_switch;
        (shown || closed) && self.due().is_none() && self.want().is_none()
    }

    /// When it must be looked after at the latest.
    pub fn due(&self) -> Option<Instant> {
        self.machine.due()
    }

    /// What the eye saw of the card at home, unless the window was too dirty.
    pub(super) fn judge_window(&mut self, sight: Result<Sight, Fault>) -> Result<Judgement, Fault> {
        let Sight { reading, window } = sight?;
        if window == Window::Unusable {
            return Err(Fault::Window);
        }
        self.advise(window);
        Ok(reading)
    }

    fn advise(&mut self, window: Window) {
        let dirty = window == Window::Dirty;
        if dirty && !self.reported_dirty {
            let step = NextStep::CallService;
            self.publish(DeviceEvent::notice(Trouble::WindowDirty, step, Role::Device, 0));
        }
        self.reported_dirty = dirty;
    }

    /// What the lamps must show at `now`.
    pub fn lit(&self, now: Instant) -> Lit {
        if let Some(Task::SeeLamp(lamp)) = self.check.map(|check| check.task()) {
            return Lit::place(lamp);
        }
        if self.test.is_running() {
            return if self.test.is_lit(now) { Lit::ALL } else { Lit::NONE };
        }
        let blink = (now.since(Instant::START) / BLINK).is_multiple_of(2) && self.check.is_none();
        match self.state() {
            State::Faulted(Fault::Lamp(_)) => Lit::NONE,
            State::Faulted(_) if blink => Lit::one(ReaderLamp::Notice),
            _ => self.lit,
        }
    }

    /// Publishes once what needs maintenance.
    pub(super) fn remind(&mut self, now: Instant) {
        let due = self.inspected_for(now).is_none() && self.check.is_none();
        if due && !self.reported_due && self.services.chosen.is_some() {
            let step = NextStep::Inspect;
            self.publish(DeviceEvent::notice(Trouble::InspectionDue, step, Role::Floorperson, 0));
        }
        self.reported_due = due && self.services.chosen.is_some();
        let forgotten = |since: &mut Instant| now.since(*since) >= FORGOTTEN_AFTER;
        if self.home_since.take_if(forgotten).is_some() {
            let step = NextStep::TellFloorAndContinue;
            self.publish(DeviceEvent::notice(Trouble::CardLeft, step, Role::Device, 0));
        }
    }
}
