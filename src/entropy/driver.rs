//! How the chip's generator is read: every rule of the driver, and no register address.
//!
//! The manufacturer's library recovers from seed errors by itself and says nothing; a
//! card table must know. Other drivers have waited for ever, handed out the zero that an
//! unready register reads as, or taken a word while the status changed. So: status clean
//! before the word and after it, zero is no word, no wait without an end, settings read
//! back, recovery bounded and counted (RM0351, chapter on the generator).

use super::{NoiseFault, NoiseSource};

/// Control: generator on. Interrupts stay off, clock error detection stays on.
pub const ENABLED: u32 = 1 << 2;
/// Status: a word is ready.
pub const DATA_READY: u32 = 1 << 0;
/// Status: a clock error, now or since last cleared.
pub const CLOCK_ERROR: u32 = 1 << 1 | 1 << 5;
/// Status: a seed error, now or since last cleared.
pub const SEED_ERROR: u32 = 1 << 2 | 1 << 6;

/// Words thrown away after switching on and after a seed error.
const DISCARDED: u32 = 12;
/// How often recovery from one seed error is tried.
const RECOVERY_TRIES: u32 = 3;

/// The generator's registers, as the chip's manual numbers their bits.
pub trait RngRegisters {
    /// Reads the control register.
    fn control(&mut self) -> u32;
    /// Writes the control register.
    fn set_control(&mut self, value: u32);
    /// Reads the status register.
    fn status(&mut self) -> u32;
    /// Writes zero to the status register's error marks, which clears them.
    fn clear_errors(&mut self);
    /// Reads the data register.
    fn data(&mut self) -> u32;
}

/// A generator behind its registers, obeying the rules.
pub struct Driver<R> {
    registers: R,
    polls: u32,
    recoveries: u32,
}

impl<R: RngRegisters> Driver<R> {
    /// A driver that asks at most `polls` times for a word before it calls the source silent.
    ///
    /// Polls, not time: a stopped clock must not make the wait endless.
    pub const fn new(registers: R, polls: u32) -> Self {
        Self { registers, polls, recoveries: 0 }
    }

    /// Seed errors recovered from since power on, for the record.
    pub const fn recoveries(&self) -> u32 {
        self.recoveries
    }

    fn trusted_status(&mut self) -> Result<u32, NoiseFault> {
        let status = self.registers.status();
        if status & CLOCK_ERROR != 0 {
            Err(NoiseFault::Clock)
        } else if status & SEED_ERROR != 0 {
            Err(NoiseFault::Seed)
        } else {
            Ok(status)
        }
    }

    fn wait_for_word(&mut self) -> Result<(), NoiseFault> {
        for _ in 0..self.polls {
            if self.trusted_status()? & DATA_READY != 0 {
                return Ok(());
            }
        }
        Err(NoiseFault::Silent)
    }

    /// Off, errors cleared, on, read back, and the first words thrown away.
    fn switch_on_anew(&mut self) -> Result<(), NoiseFault> {
        self.registers.set_control(0);
        self.registers.clear_errors();
        self.registers.set_control(ENABLED);
        self.settings_hold()?;
        for _ in 0..DISCARDED {
            self.wait_for_word()?;
            self.registers.data();
        }
        self.trusted_status().map(|_| ())
    }
}

impl<R: RngRegisters> NoiseSource for Driver<R> {
    fn word(&mut self) -> Result<u32, NoiseFault> {
        self.wait_for_word()?;
        let word = self.registers.data();
        self.trusted_status()?;
        if word == 0 { Err(NoiseFault::Zero) } else { Ok(word) }
    }

    fn configure(&mut self) -> Result<(), NoiseFault> {
        match self.switch_on_anew() {
            Err(NoiseFault::Seed) => self.recover(),
            outcome => outcome,
        }
    }

    fn settings_hold(&mut self) -> Result<(), NoiseFault> {
        if self.registers.control() == ENABLED { Ok(()) } else { Err(NoiseFault::Altered) }
    }

    fn recover(&mut self) -> Result<(), NoiseFault> {
        for _ in 0..RECOVERY_TRIES {
            match self.switch_on_anew() {
                Err(NoiseFault::Seed) => {}
                Ok(()) => {
                    self.recoveries = self.recoveries.saturating_add(1);
                    return Ok(());
                }
                Err(fault) => return Err(fault),
            }
        }
        Err(NoiseFault::Seed)
    }
}
