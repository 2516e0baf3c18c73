//! The chip's random number generator: its registers, for the driver in the rules.
//!
//! What may be read when, and what a wrong answer means, is decided by
//! [`Driver`] and tested on the host against broken chips.

use croupier::entropy::{Driver, RngRegisters};
use embassy_stm32::pac::RNG;
use embassy_stm32::pac::rng::regs::{Cr, Sr};
use embassy_stm32::{Peri, peripherals, rcc};

/// A word takes 40 periods of 48 MHz, under a microsecond. A poll takes ten processor
/// cycles or more, so this is at least a quarter of a millisecond at 80 MHz, and with forty
/// cycles a poll still not over one.
const POLLS: u32 = 2000;

/// The generator behind the driver's rules.
pub type Trng = Driver<Registers>;

/// The generator's registers. Owned, so that no other code can read a word away.
pub struct Registers {
    _peripheral: Peri<'static, peripherals::RNG>,
}

/// Gives the generator its clock. The driver switches it on when the random core starts.
pub fn trng(peripheral: Peri<'static, peripherals::RNG>) -> Trng {
    rcc::enable_and_reset::<peripherals::RNG>();
    Driver::new(Registers { _peripheral: peripheral }, POLLS)
}

impl RngRegisters for Registers {
    fn control(&mut self) -> u32 {
        RNG.cr().read().0
    }

    fn set_control(&mut self, value: u32) {
        RNG.cr().write_value(Cr(value));
    }

    fn status(&mut self) -> u32 {
        RNG.sr().read().0
    }

    fn clear_errors(&mut self) {
        RNG.sr().write_value(Sr(0)); // the marks are cleared by zeros, the rest is read only
    }

    fn data(&mut self) -> u32 {
        RNG.dr().read()
    }
}
