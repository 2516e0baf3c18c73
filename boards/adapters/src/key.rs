//! A key on an interrupt line.
use croupier::panel::ports;
use embassy_stm32::Peri;
use embassy_stm32::exti::ExtiInput;
use embassy_stm32::gpio::{AnyPin, Level};
use embassy_stm32::mode::Async;

/// A board's pins for a dealer's keys; each device names them for itself.
pub type KeyRow = [Peri<'static, AnyPin>; 4];

/// A key, with the level its contacts give when closed.
pub struct Key {
    contacts: ExtiInput<'static, Async>,
    closed: Level,
    last: Level,
}

impl Key {
    /// A key whose closed contacts read as `closed`.
    pub fn new(contacts: ExtiInput<'static, Async>, closed: Level) -> Self {
        let last = contacts.get_level();
        Self { contacts, closed, last }
    }
}

impl ports::Key for Key {
    fn is_down(&mut self) -> bool {
        self.last = self.contacts.get_level();
        self.last == self.closed
    }

    async fn changed(&mut self) {
        // Not `wait_for_any_edge`: it forgets an edge that fell between two waits.
        // These two check the level after they are armed, so none is lost.
        match self.last {
            Level::High => self.contacts.wait_for_low().await,
            Level::Low => self.contacts.wait_for_high().await,
        }
    }
}
