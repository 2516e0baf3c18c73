//! The gaming-day check: what is looked at, in which order, and who decides each step.
//!
//! Ten things may be wrong with a reader that was locked in a pit over night (RD-09). Each
//! is found by a step here:
//!
//! | fault | found by |
//! |---|---|
//! | broken seal | the inspector, and the number against the one kept |
//! | stuck key, dead sensor, dirty window | the self test; a sensor also by the test cards |
//! | dead lamp | the read-back of each lamp |
//! | swapped lamps | the inspector, who sees which one is lit |
//! | overlay on the lens | the test cards: the blank, the back and the cover card must read as nothing |
//! | wrong profile, wrong clock, altered image | the inspector compares; an unset clock fails by itself |

mod conduct;
mod gaming_day;

pub use gaming_day::{DayBegins, PassedAt};

use super::ports::Key;
use crate::cards::Rank;
use crate::panel::lamps::READER_LAMPS;
use crate::protocol::generated::croupier::common::{CheckStep, Role};
use crate::time::{Instant, Millis};

/// A step that is not finished fails after this long.
pub const PATIENCE: Millis = Millis::from_secs(120);

/// The test cards in their order; the last three are a blank, a back and the cover card.
pub const TEST_CARDS: [Option<Rank>; 9] = [
    Some(Rank::Ace),
    Some(Rank::Five),
    Some(Rank::Six),
    Some(Rank::Nine),
    Some(Rank::Ten),
    Some(Rank::King),
    None,
    None,
    None,
];

const LAMPS: u8 = READER_LAMPS as u8;
const KEYS: u8 = Key::TABLE.len() as u8;
const CARDS: u8 = TEST_CARDS.len() as u8;

/// Steps in the whole check.
pub const STEPS: u8 = 2 + LAMPS + KEYS + CARDS + 3;

/// What a step asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Task {
    /// The inspector looks at the seal.
    SeeSeal,
    /// The device tests itself, with nothing in the nest and no key pressed.
    SelfTest,
    /// The inspector looks at one lamp.
    SeeLamp(u8),
    /// The inspector presses one key.
    PressKey(u8),
    /// The inspector inserts one test card.
    InsertCard(u8),
    /// The inspector compares the game's name.
    SeeName,
    /// The inspector compares the time.
    SeeClock,
    /// The inspector compares the image's hash.
    SeeImage,
}

impl Task {
    /// The task of a step, counted from 0.
    const fn at(step: u8) -> Option<Self> {
        const KEY: u8 = 2 + LAMPS;
        const CARD: u8 = KEY + KEYS;
        const NAME: u8 = CARD + CARDS;
        Some(match step {
            0 => Self::SeeSeal,
            1 => Self::SelfTest,
            2..KEY => Self::SeeLamp(step - 2),
            KEY..CARD => Self::PressKey(step - KEY),
            CARD..NAME => Self::InsertCard(step - CARD),
            _ => match step - NAME {
                0 => Self::SeeName,
                1 => Self::SeeClock,
                2 => Self::SeeImage,
                _ => return None,
            },
        })
    }

    /// As the wire says it: what, and which.
    pub const fn to_wire(self) -> (CheckStep, u8) {
        match self {
            Self::SeeSeal => (CheckStep::SeeSeal, 0),
            Self::SelfTest => (CheckStep::SelfTest, 0),
            Self::SeeLamp(lamp) => (CheckStep::SeeLamp, lamp),
            Self::PressKey(key) => (CheckStep::PressKey, key),
            Self::InsertCard(card) => (CheckStep::InsertCard, card),
            Self::SeeName => (CheckStep::SeeName, 0),
            Self::SeeClock => (CheckStep::SeeClock, 0),
            Self::SeeImage => (CheckStep::SeeImage, 0),
        }
    }

    /// Whether the inspector's word decides it, rather than the device.
    const fn is_seen(self) -> bool {
        !matches!(self, Self::SelfTest | Self::PressKey(_) | Self::InsertCard(_))
    }
}

/// What happened in a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// The inspector saw what the step asks to be seen.
    Confirmed,
    /// The inspector did not.
    Denied,
    /// The self test ended.
    SelfTested(bool),
    /// A key was pressed.
    Pressed(Key),
    /// A test card was looked at, and read as it should or not.
    Card(bool),
    /// Something else showed that the device is not in order.
    Broken,
}

/// Where a check goes from here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// Nothing changed: it decides nothing now.
    Stays,
    /// The step is passed; this is the next.
    Next(Check),
    /// The last step is passed.
    Passed,
    /// This step failed, and with it the check.
    Failed,
}

/// A check that is going on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Check {
    step: u8,
    /// Who inspects, by number.
    pub inspector: u16,
    /// The seal's number as the inspector reads it.
    pub seal_number: u32,
    /// By which authority.
    pub by: Role,
    /// When the step began.
    pub since: Instant,
}

impl Check {
    /// A check that begins.
    pub const fn begin(inspector: u16, seal_number: u32, by: Role, now: Instant) -> Self {
        Self { step: 0, inspector, seal_number, by, since: now }
    }

    /// The step that waits, from 1.
    pub const fn step(&self) -> u8 {
        self.step + 1
    }

    /// What it asks for.
    pub const fn task(&self) -> Task {
        match Task::at(self.step) {
            Some(task) => task,
            None => Task::SeeImage, // never beyond the last: `after` ends there
        }
    }

    /// Whether it waited for too long.
    pub fn is_late(&self, now: Instant) -> bool {
        now.since(self.since) >= PATIENCE
    }

    /// Where it goes after `found`.
    pub fn after(self, found: Found, now: Instant) -> Progress {
        let passed = match (self.task(), found) {
            (_, Found::Denied | Found::Broken) => false,
            (task, Found::Confirmed) if task.is_seen() => true,
            (Task::SelfTest, Found::SelfTested(passed)) => passed,
            (Task::PressKey(wanted), Found::Pressed(key)) => key as u8 == wanted,
            (Task::InsertCard(_), Found::Card(passed)) => passed,
            _ => return Progress::Stays,
        };
        match (passed, self.step + 1) {
            (false, _) => Progress::Failed,
            (true, STEPS) => Progress::Passed,
            (true, step) => Progress::Next(Self { step, since: now, ..self }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_has_its_task_and_the_last_one_ends_it() {
        let mut check = Check::begin(4, 77, Role::Floorperson, Instant::START);
        let mut steps = 1;
        loop {
            let found = match check.task() {
                Task::SelfTest => Found::SelfTested(true),
                Task::PressKey(key) => Found::Pressed(Key::TABLE[usize::from(key)]),
                Task::InsertCard(_) => Found::Card(true),
                _ => Found::Confirmed,
            };
            match check.after(found, Instant::START) {
                Progress::Next(next) => check = next,
                Progress::Passed => break,
                other => panic!("step {} ended {other:?}", check.step()),
            }
            steps += 1;
        }
        assert_eq!((steps, check.step()), (STEPS, STEPS));
        assert_eq!(Task::at(STEPS), None);
    }

    /// RD-09: what the device can judge is not for the inspector to wave through.
    #[test]
    fn a_word_does_not_pass_what_the_device_decides() {
        let mut check = Check::begin(4, 77, Role::Floorperson, Instant::START);
        check.step = 1;
        assert_eq!(check.after(Found::Confirmed, Instant::START), Progress::Stays);
        assert_eq!(check.after(Found::SelfTested(false), Instant::START), Progress::Failed);
        assert_eq!(check.after(Found::Denied, Instant::START), Progress::Failed);
        check.step = 2 + LAMPS;
        assert_eq!(
            check.after(Found::Pressed(Key::TABLE[1]), Instant::START),
            Progress::Failed,
            "wrong key"
        );
        let late = Instant::START + PATIENCE;
        assert!(!check.is_late(late - Millis::new(1)) && check.is_late(late));
    }
}
