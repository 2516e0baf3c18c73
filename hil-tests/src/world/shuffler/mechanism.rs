//! The mechanism: rollers, wheel, ejector, diverter, beams and the cards they move.
//!
//! It does what [`Action`]s say and notices what [`Event`]s report, in the times of
//! [`Timings`], with the troubles of its [`Fate`]. Time is handed in, in microseconds, so
//! the same mechanism runs in virtual time and beside a guest in real time. It never
//! looks at what the rules know: it moves cards, and counts for itself.

use std::collections::VecDeque;

use croupier::shuffler::event::{Action, Axis, Back, Beam, Contact, Effort, Event, Look, Outlet};
use croupier::shuffler::wheel::{TIMINGS, Timings, Wheel};
use croupier::time::Millis;

use super::places::Places;
use super::trouble::{Fate, Moment, Trouble};

/// Something that will happen to the cards or the wheel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Step {
    MouthBlocked(usize),
    Seen,
    MouthFree,
    Staged,
    Loaded,
    ExitBlocked(usize),
    ExitFree,
    Drawn(bool),
    BackedUp,
    Shaken,
    Turned(u8),
    Homed,
    SlotShaded(bool),
    Diverted(Outlet),
    Stalled(Axis),
    Unanswered,
}

/// A shuffler's mechanism with the cards in and around it.
#[derive(Debug, Clone)]
pub struct Mechanism {
    /// Where the cards are.
    pub places: Places,
    /// What goes wrong.
    pub fate: Fate,
    /// Cards a roller drove against a turning wheel, and the like: a rule that does so is wrong.
    pub damage: u32,
    /// Something happened that ends the power; the caller that runs this world takes it.
    pub power_cut: bool,
    pub(super) wheel: Wheel,
    pub(super) timings: Timings,
    pub(super) steps: Vec<(u64, Step)>,
    pub(super) noticed: VecDeque<(u64, Event)>,
    pub(super) contacts: [bool; 4],
    pub(super) beams: [bool; Beam::ALL.len()],
    pub(super) stuck: [Option<bool>; Beam::ALL.len()],
    /// The vane of the wheel's rim is gone.
    pub(super) no_vane: bool,
    pub(super) dust: f32,
    pub(super) silent: bool,
    /// The slot that really stands at the feed.
    pub(super) at: u8,
    /// Slots by which the wheel has slipped from where its controller believes it is.
    pub(super) slipped: u8,
    pub(super) homed: bool,
    pub(super) turning: bool,
    pub(super) outlet: Outlet,
    pub(super) diverting: bool,
    pub(super) jammed: bool,
    /// The slot to which a card clings.
    pub(super) clinging: Option<u8>,
}

impl Mechanism {
    /// An empty mechanism, lid and door shut, its wheel somewhere.
    pub fn new(wheel: Wheel, fate: Fate) -> Self {
        Self {
            places: Places::new(wheel.slots),
            fate,
            damage: 0,
            power_cut: false,
            wheel,
            timings: TIMINGS,
            steps: Vec::new(),
            noticed: VecDeque::new(),
            contacts: [false; 4],
            beams: [false; Beam::ALL.len()],
            stuck: [None; Beam::ALL.len()],
            no_vane: false,
            dust: 0.0,
            silent: false,
            at: wheel.slots / 3,
            slipped: 0,
            homed: false,
            turning: false,
            outlet: Outlet::Delivery,
            diverting: false,
            jammed: false,
            clinging: None,
        }
    }

    /// The slot that really stands at the feed.
    pub fn slot(&self) -> u8 {
        self.at
    }

    /// Its wheel.
    pub fn wheel(&self) -> &Wheel {
        &self.wheel
    }

    /// When something happens next.
    pub fn next_at(&self) -> Option<u64> {
        self.steps.last().map(|(at, _)| *at)
    }

    /// Whether something was noticed that is not taken yet.
    pub fn has_noticed(&self) -> bool {
        !self.noticed.is_empty()
    }

    /// The oldest thing noticed and not yet taken.
    pub fn take_noticed(&mut self) -> Option<(u64, Event)> {
        self.noticed.pop_front()
    }

    /// Lets time pass: everything due by `now` happens.
    pub fn advance(&mut self, now: u64) {
        while self.steps.last().is_some_and(|(at, _)| *at <= now) {
            if let Some((at, step)) = self.steps.pop() {
                self.happen(step, at);
                self.feel(at);
                self.places.assert_none_missing();
            }
        }
    }

    /// The power comes on: every contact and blocked beam is noticed again, nothing moves.
    pub fn power_on(&mut self, now: u64) {
        self.steps.clear();
        self.noticed.clear();
        (self.homed, self.turning, self.diverting) = (false, false, false);
        for contact in Contact::ALL {
            let standing = self.contacts[contact as usize];
            self.noticed.push_back((now, Event::Contact(contact, standing)));
        }
        self.see_slot(now);
        self.noticed.retain(|(_, event)| !matches!(event, Event::Beam(..)));
        for beam in Beam::ALL {
            if self.shows(beam) {
                self.noticed.push_back((now, Event::Beam(beam, true)));
            }
        }
    }

    /// Carries out an action.
    pub fn act(&mut self, action: Action, now: u64) {
        match action {
            Action::Feed(effort) => self.feed(effort, now),
            Action::Load(effort) => self.load(effort, now),
            Action::Eject(effort) => self.eject(effort, now),
            Action::BackUp => {
                self.halt(Axis::Pick);
                self.halt(Axis::Throat);
                // The card is back well before the rollers stand.
                self.plan(now + us(self.timings.back_up) * 3 / 5, Step::BackedUp);
            }
            Action::Shake => self.plan(now + us(self.timings.shake) / 2, Step::Shaken),
            Action::Home => self.home(now),
            Action::Turn { to, by } => {
                let ahead = i16::from(to) - i16::from(by);
                let passes_the_flag = !(0..i16::from(self.wheel.slots)).contains(&ahead);
                self.turn_by(to, by.unsigned_abs(), passes_the_flag, now);
            }
            Action::Look => self.look(now),
            Action::Divert(outlet) => {
                self.diverting = true;
                self.plan(now + us(self.timings.divert), Step::Diverted(outlet));
            }
            Action::Stop => self.stop(),
        }
    }

    /// Ends what one motor does; the cards stay where they are.
    pub fn halt(&mut self, motor: Axis) {
        self.steps.retain(|(_, step)| {
            let of = match step {
                Step::MouthBlocked(_) | Step::MouthFree | Step::Staged => Axis::Pick,
                Step::Loaded => Axis::Throat,
                Step::ExitBlocked(_) | Step::ExitFree => Axis::Eject,
                _ => return true,
            };
            of != motor
        });
    }

    /// Another model turns the wheel: this slot stands at the feed, or none while it turns.
    pub fn follow(&mut self, slot: Option<u8>) {
        self.damage += u32::from(slot.is_none() && self.is_loading());
        self.turning = slot.is_none();
        self.at = slot.unwrap_or(self.at);
    }

    /// What the eye sees in the mouth.
    pub fn eye(&self) -> Look {
        let light = match self.places.mouth[..] {
            [] => 100.0,
            [one] => self.places.card(one).light(),
            _ => 20.0,
        };
        let back = self.places.mouth.first().map(|card| self.places.card(*card).looks());
        let light = (light - self.dust).max(0.0) as u8;
        Look { back: back.unwrap_or(Back::Unknown), light }
    }

    pub(super) fn plan(&mut self, at: u64, step: Step) {
        // Latest first; what is planned first for the same moment happens first.
        let place = self.steps.partition_point(|(other, _)| *other > at);
        self.steps.insert(place, (at, step));
    }

    fn feed(&mut self, effort: Effort, now: u64) {
        if !self.places.mouth.is_empty() {
            return if !self.jammed {
                self.on_from_the_mouth(effort, now)
            };
        }
        if self.places.tray.is_empty() {
            return;
        }
        let trouble = self.fate.strike(Moment::Feed);
        let mut passage = us(self.timings.passage);
        let mut cards = 1;
        match trouble {
            Some(Trouble::NoPick) if effort != Effort::Boosted => return,
            Some(Trouble::RollerStall) => {
                return self.plan(now + 30_000, Step::Stalled(Axis::Pick));
            }
            Some(Trouble::DoubleFeed) if self.places.tray.len() > 1 => {
                cards = 2;
                passage += self.fate.between(0, 60_000);
            }
            Some(Trouble::Skew) => passage += self.fate.between(30_000, 120_000),
            Some(Trouble::BlindMouth) => self.stick(Beam::Mouth, false, now),
            Some(Trouble::Dust) => self.dust += 4.0,
            Some(Trouble::Lid) => self.touch(Contact::LidOpen, true, now),
            Some(Trouble::Hand) => {
                let taken = self.places.tray.pop_front();
                self.places.table.extend(taken);
                self.feel(now);
            }
            Some(Trouble::Power) => self.power_cut = true,
            _ => {}
        }
        if self.places.tray.is_empty() {
            return;
        }
        let begun =
            now + slowed(us(self.timings.feed - self.timings.passage - Millis::new(15)), effort);
        self.plan(begun, Step::MouthBlocked(cards));
        self.plan(begun + passage / 2, Step::Seen);
        if trouble == Some(Trouble::Jam) {
            self.jammed = true;
            return;
        }
        // A card that lies askew for long only comes loose when it is backed up.
        if passage <= us(self.timings.blocked) {
            self.plan(begun + passage, Step::MouthFree);
            self.plan(begun + passage + 15_000, Step::Staged);
        }
    }

    /// Goes on with a card that an interruption left in the mouth.
    fn on_from_the_mouth(&mut self, effort: Effort, now: u64) {
        let passage = slowed(us(self.timings.passage), effort);
        self.plan(now + passage, Step::MouthFree);
        self.plan(now + passage + 15_000, Step::Staged);
    }

    fn load(&mut self, effort: Effort, now: u64) {
        self.damage += u32::from(self.turning);
        let trouble = self.fate.strike(Moment::Load);
        let full = self.places.slots[usize::from(self.at)].len() + self.places.throat.len()
            > usize::from(self.wheel.capacity);
        match trouble {
            Some(Trouble::DeadThroat) => self.stick(Beam::Throat, true, now),
            Some(Trouble::UnderTheRail) => {
                let slipped = self.places.throat.pop();
                self.places.rail.extend(slipped);
            }
            _ => {}
        }
        if full || trouble == Some(Trouble::EntryJam) {
            self.jammed = true;
            return;
        }
        self.plan(now + slowed(us(self.timings.load), effort), Step::Loaded);
    }

    fn eject(&mut self, effort: Effort, now: u64) {
        self.damage += u32::from(self.turning || self.diverting);
        let passage = slowed(us(self.timings.passage), effort);
        if !self.places.exit.is_empty() {
            return if !self.jammed {
                self.plan(now + passage, Step::ExitFree)
            };
        }
        let held = self.places.slots[usize::from(self.at)].len();
        if held == 0 {
            return;
        }
        let trouble = self.fate.strike(Moment::Eject);
        if trouble == Some(Trouble::Cling) && effort != Effort::Boosted {
            self.clinging = Some(self.at);
        }
        match trouble {
            Some(Trouble::BlindExit) => self.stick(Beam::Exit, false, now),
            Some(Trouble::Door) => self.touch(Contact::DoorOpen, true, now),
            _ => {}
        }
        if self.clinging == Some(self.at) {
            return;
        }
        let double = trouble == Some(Trouble::DoubleEject) && held > 1;
        let longer = if double { self.fate.between(0, 60_000) } else { 0 };
        let begun = now + us(self.timings.eject - self.timings.passage);
        self.plan(begun, Step::ExitBlocked(1 + usize::from(double)));
        if trouble == Some(Trouble::ExitJam) {
            self.jammed = true;
            return;
        }
        self.plan(begun + passage + longer, Step::ExitFree);
    }

    fn stop(&mut self) {
        self.homed &= !self.turning;
        self.turning = false;
        // The diverter is a magnet, and a drawing hand no motor: neither stops.
        self.steps.retain(|(_, step)| matches!(step, Step::Diverted(_) | Step::Drawn(_)));
    }

    pub(super) fn is_loading(&self) -> bool {
        self.steps.iter().any(|(_, step)| *step == Step::Loaded)
    }
}

/// In microseconds, as the world counts time.
pub(super) fn us(length: Millis) -> u64 {
    length.get() * 1000
}

fn slowed(time: u64, effort: Effort) -> u64 {
    if effort == Effort::Gentle { time * 10 / 6 } else { time }
}
