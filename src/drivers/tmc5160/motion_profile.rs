//! How fast and how hard an axis turns, and the controller's units for it.

/// The controller's own clock.
const CLOCK_HZ: u64 = 12_000_000;

/// How an axis turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct MotionProfile {
    /// Microsteps in a whole turn of the axis.
    pub turn: u32,
    /// Microsteps per second from place to place.
    pub travel: u32,
    /// Microsteps per second while it looks for its flag.
    pub search: u32,
    /// Microsteps per second while it finds the flag's very edge.
    pub creep: u32,
    /// Microsteps per second, each second.
    pub acceleration: u32,
    /// How far it backs off from its flag, in microsteps.
    pub clearance: u32,
    /// How far from its place the flag may seem to be; more means lost steps.
    pub tolerance: u32,
    /// How the motor is driven.
    pub motor: &'static Motor,
}

/// Register values that depend on the motor and its load.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Motor {
    /// IHOLD_IRUN: the holding and the running current, and the time between them.
    pub currents: u32,
    /// CHOPCONF: the chopper, and the microsteps in a step.
    pub chopper: u32,
    /// COOLCONF: the stall detector's threshold.
    pub stall: u32,
    /// TCOOLTHRS: stalls are looked for while TSTEP is at most this.
    pub stall_from: u32,
}

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
    }
}
