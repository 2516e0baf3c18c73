//! The two banks, glare, and the room's light that leaks in and flickers.
//!
//! The banks shine from left and right at 45 degrees, so a flat card mirrors neither into the
//! lens. A card that is not flat does, each bank where the card leans to its side: glare is
//! never in the same place under both.

use std::f32::consts::TAU;

use super::Point;
use super::pose::Meeting;

/// Which lamp is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lamp {
    /// None.
    Dark,
    /// The bank at low columns.
    Left,
    /// The bank at high columns.
    Right,
}

impl Lamp {
    /// In the order a frame set is taken.
    pub const ALL: [Self; 3] = [Self::Dark, Self::Left, Self::Right];
}

/// The middle of the window, mm: where a bank's brightness is given.
const MIDDLE: Point = (6.0, 9.0);
/// From one exposure to the next, ms; a set takes three and a pause.
const EXPOSURE_MS: f32 = 4.0;
/// From one set to the next, ms.
const SET_MS: f32 = 13.3;

/// One bank of lamps.
#[derive(Debug, Clone, Copy, Default)]
pub struct Bank {
    /// Brightness in the middle of the window: 1 when new.
    pub level: f32,
    /// How it changes across and down, parts for each mm.
    pub slope: Point,
    /// Its image in the card, if the card is glossy and leans that way.
    pub glare: Option<Glare>,
}

/// A lamp mirrored in a card.
#[derive(Debug, Clone, Copy)]
pub struct Glare {
    /// Its middle on the window, mm.
    pub middle: Point,
    /// Half its size, mm.
    pub radius: Point,
    /// How bright, parts of white.
    pub level: f32,
}

/// All the light of one read.
#[derive(Debug, Clone, Copy, Default)]
pub struct Light {
    /// The left bank.
    pub left: Bank,
    /// The right bank.
    pub right: Bank,
    /// Room light at the window's middle, parts of white.
    pub ambient: f32,
    /// How it grows toward the hood's mouth, parts for each mm down.
    pub mouth: f32,
    /// How much of it flickers, parts.
    pub flicker: f32,
    /// Where in its swing the mains is when the read begins, parts of a turn.
    pub phase: f32,
    /// The room light's swings in a second: 100 or 120.
    pub mains: f32,
}

impl Light {
    /// Room light in one exposure, at the window's middle.
    pub fn room(&self, set: usize, lamp: Lamp) -> f32 {
        let ms = set as f32 * SET_MS + EXPOSURE_MS * lamp as usize as f32;
        let swing = (TAU * (self.phase + self.mains * ms / 1000.0)).cos();
        self.ambient * (1.0 - self.flicker * 0.5 * (1.0 + swing))
    }

    /// What the card gets at a place, with `room` light in that exposure: to be sent back by its print.
    #[inline]
    pub fn on_card(&self, lamp: Lamp, room: f32, place: Point, met: &Meeting) -> f32 {
        let leaked = room * (1.0 + self.mouth * (place.1 - MIDDLE.1)).max(0.0);
        let (bank, toward) = match lamp {
            Lamp::Dark => return leaked,
            Lamp::Left => (&self.left, 1.0),
            Lamp::Right => (&self.right, -1.0),
        };
        let slope = bank.slope.0 * (place.0 - MIDDLE.0) + bank.slope.1 * (place.1 - MIDDLE.1);
        // Under light at 45 degrees a lean of one part changes brightness by one part.
        let leaning = (1.0 + toward * met.lean).clamp(0.2, 1.8);
        leaked + bank.level * (1.0 + slope) * leaning * (1.0 - 0.02 * met.height)
    }

    /// The lamp mirrored in the card: light that no print takes part in.
    #[inline]
    pub fn mirrored(&self, lamp: Lamp, (x, y): Point) -> f32 {
        let glare = match lamp {
            Lamp::Dark => None,
            Lamp::Left => self.left.glare,
            Lamp::Right => self.right.glare,
        };
        let Some(glare) = glare else { return 0.0 };
        let (x, y) = ((x - glare.middle.0) / glare.radius.0, (y - glare.middle.1) / glare.radius.1);
        let rest = (1.0 - 0.25 * (x * x + y * y)).max(0.0);
        glare.level * rest * rest
    }

    /// What the bank alone gives in the window's middle.
    pub fn bank(&self, lamp: Lamp) -> f32 {
        match lamp {
            Lamp::Dark => 0.0,
            Lamp::Left => self.left.level,
            Lamp::Right => self.right.level,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::optics::pose::Pose;

    #[test]
    fn flicker_differs_between_exposures_and_still_light_does_not() {
        let light = Light { ambient: 0.1, flicker: 1.0, mains: 100.0, ..Light::default() };
        assert!((light.room(0, Lamp::Dark) - light.room(0, Lamp::Left)).abs() > 0.02);
        let still = Light { flicker: 0.0, ..light };
        assert_eq!(still.room(0, Lamp::Dark), still.room(2, Lamp::Right));
    }

    #[test]
    fn a_leaning_card_is_brighter_under_one_bank_and_darker_under_the_other() {
        let bank = Bank { level: 1.0, ..Bank::default() };
        let light = Light { left: bank, right: bank, ..Light::default() };
        let mut met = Pose::default().lay().meet((6.0, 9.0));
        met.lean = 0.1;
        let at = |lamp| light.on_card(lamp, 0.0, (6.0, 9.0), &met);
        assert!(at(Lamp::Left) > 1.05 && at(Lamp::Right) < 0.95);
    }
}
