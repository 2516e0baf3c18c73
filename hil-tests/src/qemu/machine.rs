//! The machine around a guest's processor: why it is reset, and its reset line.
//!
//! QEMU keeps no reset flags. The monitor has them, and learns from a word in memory why the bench
//! resets; a reset that was not announced is the image's own.

use std::sync::Arc;

use super::qmp::Qmp;
use super::qtest::Qtest;
use crate::error::Result;

/// Where the monitor looks (boards/monitor/README.md).
const CAUSE: u32 = 0x1000_1FF4;

/// Why the bench resets a machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// The independent watchdog ran out.
    Watchdog,
    /// The supply dipped below the brown-out level.
    BrownOut,
    /// The reset line was pulled.
    Line,
}

impl Cause {
    fn word(self) -> u32 {
        match self {
            Self::Watchdog => 0xB17E,
            Self::BrownOut => 0xB012,
            Self::Line => 0x9139,
        }
    }
}

/// A running machine.
#[derive(Clone)]
pub(super) struct Machine {
    /// Lets it run and resets it.
    pub qmp: Arc<Qmp>,
    /// Its memory and pins.
    pub qtest: Arc<Qtest>,
}

impl Machine {
    /// Resets it, for this reason.
    pub(super) fn reset(&self, cause: Cause) -> Result<()> {
        self.qtest.write(CAUSE, cause.word())?;
        self.qmp.execute("system_reset")
    }
}
