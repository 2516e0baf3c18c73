//! The Pai Gow generator's keys on the chip, and what it tells its node.

use crate::desk::HasServices;
use crate::key::KeyRow;
use crate::wire::{EVENTS, PublishEvents};
use croupier::node::Node;
use croupier::paigow::PaiGow;
use croupier::paigow::ports::{Key, Keys};
use croupier::services::CommonServices;
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

impl HasServices for PaiGow {
    fn services(&mut self) -> &mut CommonServices {
        &mut self.services
    }

    fn is_at_rest(&self) -> bool {
        PaiGow::is_at_rest(self)
    }
}

impl PublishEvents for PaiGow {
    fn publish(&mut self, node: &mut Node<2, EVENTS>, now_ms: u64) {
        self.services.publish(node, now_ms);
        while let Some(event) = self.take_event() {
            event.publish(node, now_ms);
        }
    }
}
