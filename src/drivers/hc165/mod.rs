//! 74HC165: shift registers in a chain, read over SPI.
//!
//! | | |
//! |---|---|
//! | Part | 74HC165, 8-bit parallel-in serial-out; Nexperia data sheet 74HC165 |
//! | Bus | SPI mode 2, receive only, with the chain alone on it; 625 kHz in our images |
//! | Pins | `load` (PL, active low); clock enable (CE) is tied low |
//! | Not covered | a chain that shares its bus, the serial input DS, the inverted output |
//!
//! A low pulse on the load pin freezes all lines in the same instant. Then the SPI clocks them
//! out, the last register's highest line first. The registers shift on the rising edge; mode 2
//! samples half a clock before it.
//!
//! Written by hand: the published crates for shift registers (`shift-register-driver`,
//! `shiftreg-spi`, `driver-74hc595`) drive outputs, and none reads inputs.

use embedded_hal::delay::DelayNs;
use embedded_hal::digital::{self, Error as _, OutputPin};
use embedded_hal::spi::{self, Error as _, SpiBus};

#[cfg(test)]
mod tests;

/// How long the load pin is low. The registers need 0.15 us at 3.3 V and in the heat
/// (74HC165, load pulse width at 2 V); the rest is for a long wire with a slow edge.
const LOAD_NS: u32 = 1_000;

/// Why the lines could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Error {
    /// The load pin could not be set; the lines are not read.
    Load(digital::ErrorKind),
    /// The bus failed.
    Bus(spi::ErrorKind),
}

/// A chain of registers.
pub struct Chain<Bus, Load, Pause, const REGISTERS: usize> {
    bus: Bus,
    load: Load,
    pause: Pause,
}

impl<Bus, Load, Pause, const REGISTERS: usize> Chain<Bus, Load, Pause, REGISTERS>
where
    Bus: SpiBus,
    Load: OutputPin,
    Pause: DelayNs,
{
    /// A chain on `bus` alone; `load` rests high.
    pub const fn new(bus: Bus, load: Load, pause: Pause) -> Self {
        Self { bus, load, pause }
    }

    /// The lines as they are now: a byte for each register, the last of the chain first.
    pub fn read(&mut self) -> Result<[u8; REGISTERS], Error> {
        let load = |error: Load::Error| Error::Load(error.kind());
        self.load.set_low().map_err(load)?;
        self.pause.delay_ns(LOAD_NS);
        self.load.set_high().map_err(load)?;
        let mut lines = [0; REGISTERS];
        self.bus.read(&mut lines).map_err(|error| Error::Bus(error.kind()))?;
        Ok(lines)
    }
}
