//! The wheel as the rules know it: home, slot to slot, a shake.
//!
//! A slot's place lies half a slot above the slot's lower edge, so the home flag's edge is
//! between the last slot and the first, and no turn ends on it.

use embedded_io_async::{Read, Write};

use super::motion_profile::{self, MICROSTEPS_PER_SLOT};
use crate::drivers::tmc5160::{Axis, AxisStatus, Error, Way};
use crate::shuffler::event::{Action, Axis as Part, Event};
use crate::shuffler::wheel::Wheel;

/// How far a shake goes to each side, in microsteps.
const SHAKE: u32 = MICROSTEPS_PER_SLOT / 4;
/// Turns of one shake after the first; the last ends in the place of the slot.
const SHAKES: u8 = 3;

/// What the wheel is busy with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Work {
    None,
    Homing,
    /// Homed, and on the way to slot 0.
    ToFirst,
    Turning(u8),
    Shaking(u8),
}

/// The wheel's drive.
#[derive(Debug)]
pub struct WheelDrive<L> {
    axis: Axis<L>,
    slot: u8,
    work: Work,
}

impl<L: Read + Write> WheelDrive<L> {
    /// The drive of `wheel`, its place not known yet.
    pub fn new(line: L, wheel: &Wheel) -> Self {
        Self { axis: Axis::new(line, motion_profile::of(wheel)), slot: 0, work: Work::None }
    }

    /// The axis: a test reads its line.
    pub fn axis(&mut self) -> &mut Axis<L> {
        &mut self.axis
    }

    /// Whether [`WheelDrive::look`] has anything to look at.
    pub fn is_busy(&self) -> bool {
        self.work != Work::None
    }

    /// Begins `action` if it moves the wheel; the event of a failure at once.
    pub async fn act(&mut self, action: Action) -> Option<Event> {
        let begun = match action {
            Action::Home => {
                self.work = Work::Homing;
                self.axis.home().await
            }
            Action::Turn { to, by } => {
                (self.work, self.slot) = (Work::Turning(to), to);
                self.axis.turn_to(place_of(to), if by < 0 { Way::Down } else { Way::Up }).await
            }
            Action::Look => {
                self.work = Work::Turning(self.slot);
                self.axis.turn_round().await
            }
            Action::Shake => {
                self.work = Work::Shaking(SHAKES);
                self.axis.turn_to(place_of(self.slot) + SHAKE, Way::Up).await
            }
            Action::Stop if self.work != Work::None => {
                self.work = Work::None;
                self.axis.stop().await
            }
            _ => Ok(()),
        };
        self.or_event(begun).err()
    }

    /// Asks the controller how the work goes; the event that ends it.
    pub async fn look(&mut self) -> Option<Event> {
        if self.work == Work::None {
            return None;
        }
        let looked = self.axis.look().await;
        match self.or_event(looked) {
            Err(event) => Some(event),
            Ok(AxisStatus::Resting) => self.arrived().await,
            Ok(_) => None,
        }
    }

    async fn arrived(&mut self) -> Option<Event> {
        match self.work {
            Work::None => None,
            Work::Homing => {
                (self.work, self.slot) = (Work::ToFirst, 0);
                let begun = self.axis.turn_to(place_of(0), Way::Up).await;
                self.or_event(begun).err()
            }
            Work::ToFirst => self.done(Event::Homed),
            Work::Turning(to) => self.done(Event::Turned(to)),
            Work::Shaking(0) => {
                self.work = Work::None;
                None
            }
            Work::Shaking(left) => {
                self.work = Work::Shaking(left - 1);
                let place = place_of(self.slot);
                let (place, way) = match left {
                    1 => (place, Way::Up), // from below, like every other shake
                    _ if left % 2 == 1 => (place - SHAKE, Way::Down),
                    _ => (place + SHAKE, Way::Up),
                };
                let begun = self.axis.turn_to(place, way).await;
                self.or_event(begun).err()
            }
        }
    }

    fn done(&mut self, event: Event) -> Option<Event> {
        self.work = Work::None;
        Some(event)
    }

    fn or_event<T>(&mut self, result: Result<T, Error>) -> Result<T, Event> {
        result.map_err(|fault| {
            self.work = Work::None;
            match fault {
                Error::Silent | Error::Garbled | Error::Deaf | Error::Restarted => {
                    Event::Unanswered
                }
                Error::Driver | Error::Stalled | Error::LostSteps(_) | Error::NotHomed => {
                    Event::Stalled(Part::Wheel)
                }
            }
        })
    }
}

const fn place_of(slot: u8) -> u32 {
    slot as u32 * MICROSTEPS_PER_SLOT + MICROSTEPS_PER_SLOT / 2
}
