//! The registers the model gives meaning to, and their bits. All others only remember.

pub const GSTAT: usize = 0x01;
pub const IFCNT: usize = 0x02;
pub const RAMPMODE: usize = 0x20;
pub const XACTUAL: usize = 0x21;
pub const AMAX: usize = 0x26;
pub const VMAX: usize = 0x27;
pub const XTARGET: usize = 0x2D;
pub const SW_MODE: usize = 0x34;
pub const RAMP_STAT: usize = 0x35;
pub const XLATCH: usize = 0x36;
pub const CHOPCONF: usize = 0x6C;

// SW_MODE
pub const STOP_LEFT: u32 = 0x0001;
pub const LATCH_CLOSING: u32 = 0x0020;
pub const LATCH_OPENING: u32 = 0x0040;
pub const STALL_STOPS: u32 = 0x0400;
pub const SOFT_STOP: u32 = 0x0800;

// RAMP_STAT
pub const LEFT_CLOSED: u32 = 0x0001;
pub const LATCHED: u32 = 0x0004;
pub const STOPPED_LEFT: u32 = 0x0010;
pub const STALLED: u32 = 0x0040;
pub const POSITION_REACHED: u32 = 0x0200;
pub const STANDS_STILL: u32 = 0x0400;
/// Cleared by writing a one.
pub const CLEARABLE: u32 = LATCHED | STOPPED_LEFT | STALLED;

/// How long the flag is, in microsteps.
pub const FLAG_WIDTH: f64 = 320.0;
