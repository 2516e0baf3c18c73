//! Two 74HC165 registers in a row: sixteen sensor lines over three wires.
//!
//! A low pulse on the load pin freezes all lines in the same instant; then the SPI clocks
//! them out, the last register's highest line first. Two bytes each millisecond, at 625 kHz,
//! are twenty-six microseconds. No driver for a register without commands is worth a crate.

use embedded_hal::delay::DelayNs;
use embedded_hal::digital::OutputPin;
use embedded_hal::spi::SpiBus;

#[cfg(test)]
mod tests;

/// How long the load pin is low. The registers need 0.15 us at 3.3 V and in the heat
/// (74HC165, load pulse width at 2 V); the rest is for a long wire with a slow edge.
const LOAD_NS: u32 = 1_000;

/// The chain.
pub struct Chain<Bus, Load, Pause> {
    bus: Bus,
    load: Load,
    pause: Pause,
}

impl<Bus: SpiBus, Load: OutputPin, Pause: DelayNs> Chain<Bus, Load, Pause> {
    /// A chain on `bus` alone; `load` rests high.
    pub const fn new(bus: Bus, load: Load, pause: Pause) -> Self {
        Self { bus, load, pause }
    }

    /// The lines as they are now. Where wire or bus fail, a word without its mark.
    pub fn read(&mut self) -> u16 {
        let mut bytes = [0; 2];
        let low = self.load.set_low();
        self.pause.delay_ns(LOAD_NS);
        let loaded = low.and_then(|()| self.load.set_high());
        let read = self.bus.read(&mut bytes);
        if loaded.is_err() || read.is_err() { 0 } else { u16::from_be_bytes(bytes) }
    }
}
