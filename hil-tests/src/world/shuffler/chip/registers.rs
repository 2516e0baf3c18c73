//! The registers the model gives meaning to, and their bits. All others only remember.

pub(super) const GSTAT: usize = 0x01;
pub(super) const IFCNT: usize = 0x02;
pub(super) const RAMPMODE: usize = 0x20;
pub(super) const XACTUAL: usize = 0x21;
pub(super) const AMAX: usize = 0x26;
pub(super) const VMAX: usize = 0x27;
pub(super) const XTARGET: usize = 0x2D;
pub(super) const SW_MODE: usize = 0x34;
pub(super) const RAMP_STAT: usize = 0x35;
pub(super) const XLATCH: usize = 0x36;
pub(super) const CHOPCONF: usize = 0x6C;

// SW_MODE
pub(super) const STOP_LEFT: u32 = 0x0001;
pub(super) const LATCH_CLOSING: u32 = 0x0020;
pub(super) const LATCH_OPENING: u32 = 0x0040;
pub(super) const STALL_STOPS: u32 = 0x0400;
pub(super) const SOFT_STOP: u32 = 0x0800;

// RAMP_STAT
pub(super) const LEFT_CLOSED: u32 = 0x0001;
pub(super) const LATCHED: u32 = 0x0004;
pub(super) const STOPPED_LEFT: u32 = 0x0010;
pub(super) const STALLED: u32 = 0x0040;
pub(super) const POSITION_REACHED: u32 = 0x0200;
pub(super) const STANDS_STILL: u32 = 0x0400;
/// Cleared by writing a one.
pub(super) const CLEARABLE: u32 = LATCHED | STOPPED_LEFT | STALLED;

/// How long the flag is, in microsteps.
pub(super) const FLAG_WIDTH: f64 = 320.0;
