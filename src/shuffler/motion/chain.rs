//! Two 74HC165 registers in a row: sixteen sensor lines over three wires.
//!
//! A low pulse on the load pin freezes all lines in the same instant; then the SPI clocks
//! them out, the last register's highest line first. Two bytes each millisecond, at 1 MHz,
//! are sixteen microseconds. No driver for a register without commands is worth a crate.

use embedded_hal::digital::OutputPin;
use embedded_hal::spi::SpiBus;

/// The chain.
pub struct Chain<Bus, Load> {
    bus: Bus,
    load: Load,
}

impl<Bus: SpiBus, Load: OutputPin> Chain<Bus, Load> {
    /// A chain on `bus` alone; `load` rests high.
    pub const fn new(bus: Bus, load: Load) -> Self {
        Self { bus, load }
    }

    /// The lines as they are now. Where wire or bus fail, a word without its mark.
    pub fn read(&mut self) -> u16 {
        let mut bytes = [0; 2];
        let loaded = self.load.set_low().and_then(|()| self.load.set_high());
        let read = self.bus.read(&mut bytes);
        if loaded.is_err() || read.is_err() { 0 } else { u16::from_be_bytes(bytes) }
    }
}
