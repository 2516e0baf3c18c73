//! How fast and how hard the wheel turns, in words of the wheel and of the controller.

use crate::shuffler::wheel::Wheel;

/// The controller's clock.
const CLOCK_HZ: u64 = 12_000_000;

/// How a wheel turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct MotionProfile {
    /// Microsteps in a whole turn of the wheel.
    pub turn: u32,
    /// Microsteps per second from slot to slot.
    pub travel: u32,
    /// Microsteps per second while it looks for its flag.
    pub search: u32,
    /// Microsteps per second while it finds the flag's very edge.
    pub creep: u32,
    /// Microsteps per second, each second.
    pub acceleration: u32,
    /// How far it backs off from its flag.
    pub clearance: u32,
    /// How far from its place the flag may seem to be; more means lost steps.
    pub tolerance: u32,
}

impl MotionProfile {
    /// How `wheel` turns, each slot being ten full steps wide.
    ///
    /// It searches at 33 turns a minute and creeps at 2.2, as the open carousel of this size does.
    pub const fn of(wheel: &Wheel) -> Self {
        let turn = wheel.slots as u32 * MICROSTEPS_PER_SLOT;
        Self {
            turn,
            travel: turn * wheel.turns_a_minute as u32 / 60,
            search: turn * 33 / 60,
            creep: turn * 22 / 600,
            acceleration: turn * wheel.acceleration as u32,
            clearance: MICROSTEPS_PER_SLOT / 2,
            tolerance: MICROSTEPS_PER_SLOT / 20,
        }
    }
}

/// Ten full steps of 64 microsteps.
pub const MICROSTEPS_PER_SLOT: u32 = 640;

/// A speed in the controller's unit: microsteps in 2^24 of its clock's ticks.
pub const fn speed_units(microsteps_per_second: u32) -> u32 {
    (((microsteps_per_second as u64) << 24) / CLOCK_HZ) as u32
}

/// An acceleration in the controller's unit: 2^-41 of a microstep per clock tick squared.
pub const fn acceleration_units(microsteps_per_second_squared: u32) -> u32 {
    (((microsteps_per_second_squared as u64) << 41) / (CLOCK_HZ * CLOCK_HZ)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Datasheet, "Real World Unit Conversion": 12 MHz, v 10000 is 7152.6 microsteps a second,
    /// a 1000 is 65484 microsteps a second squared.
    #[test]
    fn units_are_the_datasheets() {
        assert_eq!(speed_units(7_153), 10_000);
        assert_eq!(acceleration_units(65_550), 1_001);
        for wheel in [Wheel::SINGLE_DECK, Wheel::MULTI_DECK] {
            let profile = MotionProfile::of(&wheel);
            assert_eq!(profile.travel, profile.turn * 2, "120 turns a minute");
            assert!(speed_units(profile.travel) < 1 << 23);
            assert!(acceleration_units(profile.acceleration) < 1 << 16);
        }
    }
}
