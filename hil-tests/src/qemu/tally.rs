//! What the monitor counts of a run, read from the words it shares with the bench.

use super::inbox::{Memory, SHARED};
use crate::error::Result;

/// The monitor's counts since its last start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// Accesses that trapped.
    pub traps: u32,
    /// Longest run of the executor's interrupt, in nanoseconds of device time.
    pub longest_run_ns: u32,
    /// The same since `forget_recent_run`.
    pub recent_run_ns: u32,
    /// CAN frames lost to a full FIFO.
    pub frames_lost: u32,
    /// CAN frames received.
    pub frames_received: u32,
    /// CAN frames sent.
    pub frames_sent: u32,
    /// Watchdog feeds.
    pub feeds: u32,
    /// Flash words programmed.
    pub words_programmed: u32,
    /// Flash pages erased.
    pub pages_erased: u32,
    /// UART bytes lost to an overrun.
    pub bytes_lost: u32,
    /// The longest time that a byte of the table link waited to be read, in nanoseconds.
    pub link_wait_ns: u32,
}

impl Tally {
    /// Reads it from a guest's memory.
    pub fn read(memory: &dyn Memory) -> Result<Self> {
        let word = |offset| memory.word(SHARED + offset);
        Ok(Self {
            traps: word(0x18)?,
            longest_run_ns: word(0x20)?,
            recent_run_ns: word(0x24)?,
            frames_lost: word(0x28)?,
            frames_received: word(0x2C)?,
            frames_sent: word(0x30)?,
            feeds: word(0x34)?,
            words_programmed: word(0x38)?,
            pages_erased: word(0x3C)?,
            bytes_lost: word(0x40)?,
            link_wait_ns: word(0x44)?,
        })
    }
}

/// Where the longest run of late is begun again.
pub(super) fn forget_recent_run(memory: &super::qtest::Qtest) -> Result<()> {
    memory.write(SHARED + 0x24, 0)
}

/// The device's time in microseconds.
pub(super) fn device_us(memory: &dyn Memory) -> Result<u64> {
    let word = |offset| memory.word(SHARED + offset).map(u64::from);
    loop {
        let (high, low) = (word(0x14)?, word(0x10)?);
        // The low word may have gone round between the two.
        if word(0x14)? == high {
            return Ok(high << 32 | low);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    /// A clock that goes on a little at each look.
    struct Clock(Cell<u64>);

    impl Memory for Clock {
        fn word(&self, address: u32) -> Result<u32> {
            self.0.set(self.0.get() + 3);
            let now = self.0.get();
            Ok(if address == SHARED + 0x10 { now as u32 } else { (now >> 32) as u32 })
        }

        fn ring(&self) -> Result<()> {
            unreachable!("a clock has no bell")
        }

        fn hand_over(&self, _: &[(u32, &[u8])], _: (u32, u32)) -> Result<()> {
            unreachable!("a clock is not written")
        }
    }

    #[test]
    fn time_is_right_while_its_low_word_goes_round() {
        for start in 0xFFFF_FFF0..0x1_0000_0008 {
            let clock = Clock(Cell::new(start));
            let seen = device_us(&clock).unwrap();
            assert!((start..=clock.0.get()).contains(&seen), "{start:#x}: {seen:#x}");
        }
    }
}
