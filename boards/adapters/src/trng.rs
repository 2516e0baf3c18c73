//! The chip's random number generator, read so that it can only fail closed.
//!
//! The HAL's driver recovers from seed errors by itself and says nothing; a card table
//! must know. So this one reads registers: status clean before the word and after it,
//! never a zero word (what an unready data register reads as), never a wait without
//! an end (RM0351 27.3; the sources of each rule are named in `docs/`).

use croupier::entropy::{NoiseFault, NoiseSource};
use embassy_stm32::pac::RNG;
use embassy_stm32::pac::rng::regs::Sr;
use embassy_stm32::{Peri, peripherals, rcc};
use embassy_time::{Duration, Instant};

/// A word takes 40 periods of 48 MHz, under a microsecond; a thousand times that.
const PATIENCE: Duration = Duration::from_millis(1);

/// The generator, switched on.
pub struct Trng {
    _peripheral: Peri<'static, peripherals::RNG>,
}

impl Trng {
    /// Switches the generator's clock and the generator on.
    pub fn new(peripheral: Peri<'static, peripherals::RNG>) -> Self {
        rcc::enable_and_reset::<peripherals::RNG>();
        RNG.cr().write(|cr| cr.set_rngen(true));
        Self { _peripheral: peripheral }
    }
}

fn trusted(status: Sr) -> Result<Sr, NoiseFault> {
    if status.ceis() || status.cecs() {
        Err(NoiseFault::Clock)
    } else if status.seis() || status.secs() {
        Err(NoiseFault::Seed)
    } else {
        Ok(status)
    }
}

impl NoiseSource for Trng {
    fn word(&mut self) -> Result<u32, NoiseFault> {
        let patience_ends = Instant::now() + PATIENCE;
        while !trusted(RNG.sr().read())?.drdy() {
            if Instant::now() > patience_ends {
                return Err(NoiseFault::Silent);
            }
        }
        let word = RNG.dr().read();
        trusted(RNG.sr().read())?;
        if word == 0 { Err(NoiseFault::Zero) } else { Ok(word) }
    }
}
