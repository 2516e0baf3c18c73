//! The Pai Gow generator's keys on the chip.

use crate::key::KeyRow;
use croupier::paigow::ports::{Key, Keys};
use embassy_stm32::gpio::{Input, Pull};

/// The dealer's keys, whose closed contacts pull their pin low.
pub struct DealerKeys {
    row: [Input<'static>; 4],
    lamp_test: Input<'static>,
}

impl DealerKeys {
    /// Keys in the order draw, shuffled, bets closed, round end; and the lamp test's.
    pub fn new(row: KeyRow, lamp_test: Input<'static>) -> Self {
        Self { row: row.map(|pin| Input::new(pin, Pull::Up)), lamp_test }
    }
}

impl Keys for DealerKeys {
    fn is_down(&mut self, key: Key) -> bool {
        let [draw, shuffled, bets_closed, round_end] = &self.row;
        match key {
            Key::Draw => draw.is_low(),
            Key::Shuffled => shuffled.is_low(),
            Key::BetsClosed => bets_closed.is_low(),
            Key::RoundEnd => round_end.is_low(),
            Key::LampTest => self.lamp_test.is_low(),
        }
    }
}
