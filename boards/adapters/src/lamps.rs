//! The lamp row: eight pins of a board that each device names for itself.
use crate::outputs::{output, resting};
use croupier::panel::lamps::{PAIGOW_SEGMENTS, READER_LAMPS, SHUFFLER_LAMPS};
use embassy_stm32::Peri;
use embassy_stm32::gpio::{AnyPin, Level, Output};

/// A board's eight lamp pins.
pub type LampRow = [Peri<'static, AnyPin>; 8];

/// `N` lamps, lit when high, in the order of the device's lamp table.
pub struct Lamps<const N: usize>([Output<'static>; N]);

impl<const N: usize> Lamps<N> {
    /// Lamps that are safe when dark.
    fn dark(pins: [Peri<'static, AnyPin>; N]) -> Self {
        Self(pins.map(|pin| output(pin, Level::Low)))
    }
}

/// The reader's lamps, in the order of [`croupier::panel::lamps::ReaderLamp`], and the row's
/// last two pins, which no lamp of the reader needs.
pub fn reader_and_two(
    [small, medium, large, yes, no, notice, seventh, eighth]: LampRow,
) -> (Lamps<READER_LAMPS>, Peri<'static, AnyPin>, Peri<'static, AnyPin>) {
    (Lamps::dark([small, medium, large, yes, no, notice]), seventh, eighth)
}

/// The shuffler's tower light: ready or working, advice, stop. Then
/// its out-of-order flag, which a crashing device raises (SH-23), and the row's last four
/// pins, which drive motors.
pub fn shuffler(
    [green, amber, red, flag, motors @ ..]: LampRow,
) -> ((Lamps<SHUFFLER_LAMPS>, Output<'static>), [Peri<'static, AnyPin>; 4]) {
    ((Lamps::dark([green, amber, red]), resting(flag, Level::Low, Level::High)), motors)
}

/// The Pai Gow display: segments a to g and the point.
pub fn paigow(row: LampRow) -> Lamps<PAIGOW_SEGMENTS> {
    Lamps::dark(row)
}

impl<const N: usize> Lamps<N> {
    /// Lights the lamps whose bits are set.
    pub fn set_bits(&mut self, bits: u8) {
        for (place, lamp) in self.0.iter_mut().enumerate() {
            lamp.set_level(Level::from(bits & 1 << place != 0));
        }
    }
}
