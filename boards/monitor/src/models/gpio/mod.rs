//! GPIO ports A to C: passed to QEMU, with the couplings of the table hardware.
//!
//! The ports themselves are QEMU's. Three things are added. A sense line reads what its lamp's
//! output says, at once, for the firmware looks 10 us after it has switched. An edge on a pin
//! that belongs to a part on SPI1 is passed to that part. And a pin that is driven without being
//! an output is a breach.
//!
//! Drivers set a level **before** they make the pin an output, so that it does not glitch
//! (embassy's `Output::new` does). So the first store to a pin that is no output counts as
//! that, and the second one is the breach.

mod pin;
#[cfg(test)]
mod tests;

pub use pin::Pin;

use crate::breach::Breach;
use crate::context::{Context, Ns, Width};

const MODER: u32 = 0x00;
const IDR: u32 = 0x10;
const ODR: u32 = 0x14;
const BSRR: u32 = 0x18;
const BRR: u32 = 0x28;
const ASCR: u32 = 0x2C;

/// The ports that are trapped, and their distance.
const PORTS: usize = 3;
const PORT_SIZE: u32 = 0x400;
/// As many sense lines as a device has.
const COUPLINGS: usize = 8;
const WATCHED: usize = 2;

/// What a sense line reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sensed {
    /// Low, whatever its lamp does.
    Low,
    /// High, whatever its lamp does.
    High,
    /// What its lamp does.
    Follow,
}

#[derive(Clone, Copy)]
struct Coupling {
    lamp: Option<Pin>,
    sense: Pin,
    sensed: Sensed,
}

#[derive(Clone, Copy)]
struct Watched {
    pin: Pin,
    /// Its bit of ODR. It is kept here and not passed on: a part's own pin moves every
    /// millisecond, and each edge that QEMU sees is a word to the bench.
    set: bool,
    high: bool,
    edge: bool,
}

/// The ports.
pub struct Gpio {
    couplings: [Option<Coupling>; COUPLINGS],
    watched: [Option<Watched>; WATCHED],
    /// Pins that have a level but are no output yet, port by port.
    preset: [u32; PORTS],
}

impl Gpio {
    /// No couplings, nothing watched.
    pub const fn new() -> Self {
        Self { couplings: [None; COUPLINGS], watched: [None; WATCHED], preset: [0; PORTS] }
    }

    /// From now on `sense` reads what the output `lamp` says. False when there are eight already.
    pub fn couple(&mut self, lamp: Pin, sense: Pin) -> bool {
        self.coupling(sense).map(|coupling| coupling.lamp = Some(lamp)).is_some()
    }

    /// From now on the line `pin` reads so. False when there are eight already.
    pub fn sense(&mut self, pin: Pin, sensed: Sensed) -> bool {
        self.coupling(pin).map(|coupling| coupling.sensed = sensed).is_some()
    }

    /// From now on edges of `pin` are reported. False when two are watched already. A pin that is
    /// no output counts as high: the parts have pull-ups.
    pub fn watch(&mut self, pin: Pin) -> bool {
        let free = self.watched.iter_mut().find(|watched| watched.is_none());
        free.map(|free| *free = Some(Watched { pin, set: false, high: true, edge: false }))
            .is_some()
    }

    /// A watched pin that has changed in the last store, and its level.
    pub fn take_edge(&mut self) -> Option<(Pin, bool)> {
        let changed = self.watched.iter_mut().flatten().find(|watched| watched.edge)?;
        changed.edge = false;
        Some((changed.pin, changed.high))
    }

    /// Resets a port's part here, as RCC does with the port.
    pub fn reset(&mut self, port: u8) {
        if let Some(preset) = self.preset.get_mut(usize::from(port)) {
            *preset = 0;
        }
    }

    /// Carries out a load; `offset` is from port A.
    pub fn load(&mut self, offset: u32, width: Width, cx: &mut Context<'_>) -> Result<u32, Breach> {
        let (port, register) = place(offset)?;
        let mut word = cx.outside.gpio_load(port, register & !3);
        if register & !3 == IDR {
            word = self.sensed(port, word, cx);
        }
        let word = word >> (8 * (register & 3));
        Ok(match width {
            Width::Byte => word & 0xFF,
            Width::Half => word & 0xFFFF,
            Width::Word => word,
        })
    }

    /// Carries out a store; `offset` is from port A.
    pub fn store(
        &mut self,
        offset: u32,
        width: Width,
        value: u32,
        cx: &mut Context<'_>,
    ) -> Result<(), Breach> {
        let (port, register) = place(offset)?;
        let driven = driven(port, register, value, cx);
        let passed_on = self.keep_watched(port, register, width, value);
        cx.outside.gpio_store(port, register, width, passed_on);
        self.note_edges(port, cx);
        self.judge(port, driven, value, cx)
    }

    /// Nothing here takes time.
    pub fn advance(&mut self, _cx: &mut Context<'_>) -> Result<(), Breach> {
        Ok(())
    }

    /// Nothing is ever due.
    pub fn next(&self) -> Option<Ns> {
        None
    }

    /// The entry of a sense line, made if there is room.
    fn coupling(&mut self, sense: Pin) -> Option<&mut Coupling> {
        let known = |entry: &Option<Coupling>| entry.is_some_and(|known| known.sense == sense);
        let place = self.couplings.iter().position(known);
        let place = place.or_else(|| self.couplings.iter().position(Option::is_none))?;
        let fresh = Coupling { lamp: None, sense, sensed: Sensed::Follow };
        Some(self.couplings.get_mut(place)?.get_or_insert(fresh))
    }

    /// IDR with the sense lines as they are coupled or forced.
    fn sensed(&self, port: u8, idr: u32, cx: &mut Context<'_>) -> u32 {
        let here = self.couplings.iter().flatten().filter(|coupling| coupling.sense.port == port);
        here.fold(idr, |idr, coupling| {
            let high = match (coupling.sensed, coupling.lamp) {
                (Sensed::Low, _) => false,
                (Sensed::High, _) => true,
                (Sensed::Follow, Some(lamp)) => {
                    cx.outside.gpio_load(lamp.port, ODR) & lamp.bit() != 0
                }
                (Sensed::Follow, None) => return idr,
            };
            let bit = coupling.sense.bit();
            if high { idr | bit } else { idr & !bit }
        })
    }

    /// Takes the watched pins' bits out of a store to BSRR or BRR; what is left for QEMU.
    fn keep_watched(&mut self, port: u8, register: u32, width: Width, value: u32) -> u32 {
        let mut left = value;
        for watched in self.watched.iter_mut().flatten().filter(|it| it.pin.port == port) {
            let bit = watched.pin.bit();
            let (sets, clears) = match (register, width) {
                (BSRR, Width::Word) => (bit, bit << 16),
                (BRR, _) => (0, bit),
                (ODR, Width::Word) => {
                    watched.set = value & bit != 0;
                    continue;
                }
                _ => continue,
            };
            // Where both are asked for, setting wins (RM0351, GPIO port bit set/reset register).
            watched.set = value & sets != 0 || watched.set && value & clears == 0;
            left &= !(sets | clears);
        }
        left
    }

    fn note_edges(&mut self, port: u8, cx: &mut Context<'_>) {
        for watched in self.watched.iter_mut().flatten().filter(|it| it.pin.port == port) {
            let drives = outputs(port, cx) & watched.pin.bit() != 0;
            let high = !drives || watched.set;
            watched.edge |= high != watched.high;
            watched.high = high;
        }
    }

    /// Holds driven pins against their modes, after the store.
    fn judge(
        &mut self,
        port: u8,
        driven: u32,
        value: u32,
        cx: &mut Context<'_>,
    ) -> Result<(), Breach> {
        let Some(preset) = self.preset.get_mut(usize::from(port)) else {
            return Ok(());
        };
        if driven == 0 && *preset == 0 {
            return Ok(());
        }
        let loose = driven & !outputs(port, cx);
        *preset &= !outputs(port, cx);
        if *preset & loose != 0 {
            let rule =
                "a pin is driven again that is no output (RM0351, GPIO output configuration)";
            return Err(Breach::new("GPIO_BSRR", value, rule));
        }
        *preset |= loose;
        Ok(())
    }
}

impl Default for Gpio {
    fn default() -> Self {
        Self::new()
    }
}

/// Port and register of an offset from port A.
fn place(offset: u32) -> Result<(u8, u32), Breach> {
    let (port, register) = (offset / PORT_SIZE, offset % PORT_SIZE);
    if port as usize >= PORTS || register >= ASCR + 4 {
        return Err(Breach::new("GPIO", offset, "no such register"));
    }
    Ok((port as u8, register))
}

/// The pins whose level a store sets.
fn driven(port: u8, register: u32, value: u32, cx: &mut Context<'_>) -> u32 {
    let value = value << (8 * (register & 3));
    match register & !3 {
        BSRR => (value | value >> 16) & 0xFFFF,
        BRR => value & 0xFFFF,
        ODR => (cx.outside.gpio_load(port, ODR) ^ value) & 0xFFFF,
        _ => 0,
    }
}

/// The pins that are outputs: mode 01.
fn outputs(port: u8, cx: &mut Context<'_>) -> u32 {
    let modes = cx.outside.gpio_load(port, MODER);
    let mut pairs = modes & !(modes >> 1) & 0x5555_5555;
    // Every second bit, drawn together.
    for (shift, mask) in [(1, 0x3333_3333), (2, 0x0F0F_0F0F), (4, 0x00FF_00FF), (8, 0xFFFF)] {
        pairs = (pairs | pairs >> shift) & mask;
    }
    pairs
}
