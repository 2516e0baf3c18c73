//! The motion controller's registers that are used, and their bits.
//!
//! Names and numbers as in the TMC5160's datasheet, chapter "Register Mapping".

/// A register, by its address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Register {
    /// Global configuration.
    Gconf = 0x00,
    /// Why the controller complains; a one written clears the bit.
    Gstat = 0x01,
    /// Counts the writes it accepted, modulo 256.
    Ifcnt = 0x02,
    /// Holding current, running current, and the time between.
    IholdIrun = 0x10,
    /// Below this speed stalls are not looked for.
    Tcoolthrs = 0x14,
    /// Positioning, velocity up, velocity down, hold.
    RampMode = 0x20,
    /// Where it is, in microsteps.
    XActual = 0x21,
    /// Start speed.
    VStart = 0x23,
    /// Acceleration below V1.
    A1 = 0x24,
    /// Where the first acceleration ends; zero for one ramp only.
    V1 = 0x25,
    /// Acceleration.
    AMax = 0x26,
    /// Speed.
    VMax = 0x27,
    /// Deceleration.
    DMax = 0x28,
    /// Deceleration below V1; may not be zero.
    D1 = 0x2A,
    /// Stop speed; may not be zero.
    VStop = 0x2B,
    /// Where it should be, in microsteps.
    XTarget = 0x2D,
    /// What the reference switches and the stall detector do.
    SwMode = 0x34,
    /// How the ramp stands; a one written clears an event.
    RampStat = 0x35,
    /// Where it was when the switch changed.
    XLatch = 0x36,
    /// The chopper, and the microsteps in a step.
    Chopconf = 0x6C,
    /// The stall detector's threshold.
    Coolconf = 0x6D,
}

/// Bits of [`Register::Gstat`].
pub mod gstat {
    /// It was reset since this was cleared.
    pub const RESET: u32 = 1 << 0;
    /// A short or too much heat: the motor is off.
    pub const DRIVER: u32 = 1 << 1;
    /// Not enough voltage for the bridges.
    pub const UNDERVOLTAGE: u32 = 1 << 2;
}

/// Values of [`Register::RampMode`].
pub mod ramp_mode {
    /// Goes to the target.
    pub const POSITION: u32 = 0;
    /// Turns towards smaller numbers until the mode changes.
    pub const DOWN: u32 = 2;
    /// Leaves the ramp alone, so that positions can be renamed.
    pub const HOLD: u32 = 3;
}

/// Bits of [`Register::SwMode`].
pub mod sw_mode {
    /// The left switch stops a downward turn.
    pub const STOP_LEFT: u32 = 1 << 0;
    /// The place is kept when the left switch closes.
    pub const LATCH_CLOSING: u32 = 1 << 5;
    /// The place is kept when the left switch opens.
    pub const LATCH_OPENING: u32 = 1 << 6;
    /// A stall stops the motor.
    pub const STALL_STOPS: u32 = 1 << 10;
    /// A switch stops it with a ramp.
    pub const SOFT_STOP: u32 = 1 << 11;
}

/// Bits of [`Register::RampStat`].
pub mod ramp_stat {
    /// The left switch is closed.
    pub const LEFT_CLOSED: u32 = 1 << 0;
    /// A place was kept.
    pub const LATCHED: u32 = 1 << 2;
    /// The left switch stopped it.
    pub const STOPPED_LEFT: u32 = 1 << 4;
    /// A stall stopped it.
    pub const STALLED: u32 = 1 << 6;
    /// It is at its target.
    pub const ARRIVED: u32 = 1 << 9;
    /// It stands still.
    pub const STILL: u32 = 1 << 10;
}
