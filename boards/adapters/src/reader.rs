//! The hole-card reader's keys and beams on the chip.

use croupier::reader::nest::Beams;
use croupier::reader::ports::{self, Key, NestBeams};
use embassy_stm32::Peri;
use embassy_stm32::gpio::{AnyPin, Input, Pull};

/// The beams, whose receivers let their pin rise when they are interrupted: a cut wire
/// reads as a card that never leaves, and that is noticed.
pub struct NestRow([Input<'static>; 3]);

impl NestRow {
    /// Beams in the order hood, near, far.
    pub fn new(pins: [Peri<'static, AnyPin>; 3], rest: Pull) -> Self {
        Self(pins.map(|pin| Input::new(pin, rest)))
    }
}

impl NestBeams for NestRow {
    fn sample(&mut self) -> Beams {
        let [hood, near, far] = &self.0;
        Beams { hood: hood.is_high(), near: near.is_high(), far: far.is_high() }
    }
}

/// The dealer's keys, whose closed contacts pull their pin low.
pub struct DealerKeys {
    row: [Input<'static>; 3],
    lamp_test: Input<'static>,
}

impl DealerKeys {
    /// Keys in the order ace, ten, round over; and the lamp test's.
    pub fn new(row: [Peri<'static, AnyPin>; 3], lamp_test: Input<'static>) -> Self {
        Self { row: row.map(|pin| Input::new(pin, Pull::Up)), lamp_test }
    }
}

impl ports::Keys for DealerKeys {
    fn is_down(&mut self, key: Key) -> bool {
        let [ace, ten_value, round_over] = &self.row;
        match key {
            Key::Ace => ace.is_low(),
            Key::TenValue => ten_value.is_low(),
            Key::RoundOver => round_over.is_low(),
            Key::LampTest => self.lamp_test.is_low(),
        }
    }
}
