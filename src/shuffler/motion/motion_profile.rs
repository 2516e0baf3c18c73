//! How fast and how hard the wheel turns, in words of the wheel and of the controller.

use crate::drivers::tmc5160::{MotionProfile, Motor};
use crate::shuffler::wheel::Wheel;

/// Ten full steps of 64 microsteps.
pub const MICROSTEPS_PER_SLOT: u32 = 640;

/// The wheel's motor.
static MOTOR: Motor = Motor {
    // The run current 20/32 and the holding current 8/32 of full scale, a soft change between.
    currents: 6 << 16 | 20 << 8 | 8,
    // Off time 3, hysteresis 4 and 1, blank time 2, 64 microsteps, interpolated.
    chopper: 1 << 28 | 2 << 24 | 2 << 15 | 1 << 7 | 4 << 4 | 3,
    // Stall threshold 8, filtered.
    stall: 1 << 24 | 8 << 16,
    // Stalls are looked for above about a tenth of the travel speed.
    stall_from: 2_000,
};

/// How `wheel` turns, each slot being ten full steps wide.
///
/// It searches at 33 turns a minute and creeps at 2.2, as the open carousel of this size does.
pub fn of(wheel: &Wheel) -> MotionProfile {
    let turn = wheel.slots as u32 * MICROSTEPS_PER_SLOT;
    MotionProfile {
        turn,
        travel: turn * wheel.turns_a_minute as u32 / 60,
        search: turn * 33 / 60,
        creep: turn * 22 / 600,
        acceleration: turn * wheel.acceleration as u32,
        clearance: MICROSTEPS_PER_SLOT / 2,
        tolerance: MICROSTEPS_PER_SLOT / 20,
        motor: &MOTOR,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drivers::tmc5160::motion_profile::{acceleration_units, speed_units};

    /// The registers VMAX and AMAX have 23 and 16 bits.
    #[test]
    fn every_wheel_turns_as_fast_as_the_controller_can_be_told() {
        for wheel in [Wheel::SINGLE_DECK, Wheel::MULTI_DECK] {
            let profile = of(&wheel);
            assert_eq!(profile.travel, profile.turn * 2, "120 turns a minute");
            assert!(speed_units(profile.travel) < 1 << 23);
            assert!(acceleration_units(profile.acceleration) < 1 << 16);
        }
    }
}
