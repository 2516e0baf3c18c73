//! Lamps that are read back: what was asked for, and what is really lit.

use croupier::paigow::{Segments, ports::Display};
use croupier::panel::lamps::{PAIGOW_SEGMENTS, READER_LAMPS};
use croupier::reader::{self, Lit};
use embassy_stm32::Peri;
use embassy_stm32::gpio::{AnyPin, Input, Pull};

use crate::lamps::Lamps;

/// Ten microseconds at 80 MHz: a lamp driver and its sense line have settled by then.
const SETTLE_CYCLES: u32 = 800;

/// Says which lamps are lit, whatever was asked of them.
pub trait ReadBack {
    /// Bit 0 is the first lamp.
    fn lit(&mut self) -> u8;
}

/// Lamps and their read-back. Each has the same current, whichever is lit.
pub struct Sensed<const N: usize, R> {
    lamps: Lamps<N>,
    read_back: R,
}

impl<const N: usize, R: ReadBack> Sensed<N, R> {
    /// Dark lamps.
    pub fn new(lamps: Lamps<N>, read_back: R) -> Self {
        Self { lamps, read_back }
    }

    fn show_bits(&mut self, bits: u8) -> u8 {
        self.lamps.set_bits(bits);
        cortex_m::asm::delay(SETTLE_CYCLES);
        self.read_back.lit()
    }
}

impl<R: ReadBack> Display for Digit<R> {
    fn show(&mut self, lit: Segments) -> Segments {
        Segments::from_bits(self.show_bits(lit.bits()))
    }
}

impl<R: ReadBack> reader::ports::Lamps for Row<R> {
    fn show(&mut self, lit: Lit) -> Lit {
        Lit::from_bits(self.show_bits(lit.bits()))
    }
}

/// The Pai Gow digit.
pub type Digit<R> = Sensed<PAIGOW_SEGMENTS, R>;

/// The reader's lamps.
pub type Row<R> = Sensed<READER_LAMPS, R>;

/// Sense lines, high where a lamp is lit.
pub struct SenseLines<const N: usize>([Input<'static>; N]);

impl<const N: usize> SenseLines<N> {
    /// Lines on these pins, in the lamps' order.
    pub fn new(pins: [Peri<'static, AnyPin>; N]) -> Self {
        Self(pins.map(|pin| Input::new(pin, Pull::Down)))
    }
}

impl<const N: usize> ReadBack for SenseLines<N> {
    fn lit(&mut self) -> u8 {
        let bit = |(place, line): (usize, &Input<'static>)| u8::from(line.is_high()) << place;
        self.0.iter().enumerate().map(bit).sum()
    }
}
