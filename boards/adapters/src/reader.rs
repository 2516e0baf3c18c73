//! The hole-card reader's ports on the chip: lamps, keys, beams, and its place on the desk.

use crate::desk::Officed;
use crate::key;
use crate::lamps::Lamps;
use crate::paigow::ReadBack;
use crate::wire::{EVENTS, Herald, Shared, Wire, tell_speakers};
use croupier::node::Node;
use croupier::office::{Office, Shelf};
use croupier::panel::lamps::READER_LAMPS;
use croupier::panel::ports::Key as _;
use croupier::reader::nest::Beams;
use croupier::reader::ports::{self, Desk, Key, NestBeams};
use croupier::reader::{Lit, Reader};
use embassy_stm32::Peri;
use embassy_stm32::gpio::{AnyPin, Input, Pull};
use embassy_time::Instant;
use embedded_storage::nor_flash::NorFlash;

/// Ten microseconds at 80 MHz: a lamp driver and its sense line have settled by then.
const SETTLE_CYCLES: u32 = 800;

/// The lamps, with their read-back. Each has the same current, whichever is lit.
pub struct Row<R> {
    lamps: Lamps<READER_LAMPS>,
    read_back: R,
}

impl<R> Row<R> {
    /// Dark lamps.
    pub fn new(lamps: Lamps<READER_LAMPS>, read_back: R) -> Self {
        Self { lamps, read_back }
    }
}

impl<R: ReadBack> ports::Lamps for Row<R> {
    fn show(&mut self, lit: Lit) -> Lit {
        self.lamps.set_bits(lit.bits());
        cortex_m::asm::delay(SETTLE_CYCLES);
        Lit::from_bits(self.read_back.lit())
    }
}

/// Sense lines, high where a lamp is lit.
pub struct SenseLines([Input<'static>; READER_LAMPS]);

impl SenseLines {
    /// Lines on these pins, in the lamps' order.
    pub fn new(pins: [Peri<'static, AnyPin>; READER_LAMPS]) -> Self {
        Self(pins.map(|pin| Input::new(pin, Pull::Down)))
    }
}

impl ReadBack for SenseLines {
    fn lit(&mut self) -> u8 {
        let bit = |(place, line): (usize, &Input<'static>)| u8::from(line.is_high()) << place;
        self.0.iter().enumerate().map(bit).sum()
    }
}

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
    lamp_test: key::Key,
}

impl DealerKeys {
    /// Keys in the order ace, ten, round over; and the lamp test's.
    pub fn new(row: [Peri<'static, AnyPin>; 3], lamp_test: key::Key) -> Self {
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
            Key::LampTest => self.lamp_test.is_down(),
        }
    }
}

impl Officed for Reader {
    fn office(&mut self) -> &mut Office {
        &mut self.office
    }
}

impl Herald for Reader {
    fn tell(&mut self, node: &mut Node<2, EVENTS>, now_ms: u64) {
        self.office.tell(node, now_ms);
        while let Some(news) = self.take_news() {
            news.tell(node, now_ms);
        }
    }
}

/// The reader on its desk: where its loop finds it.
pub struct OnDesk<F: 'static>(pub &'static Shared<Reader, Shelf<F>>);

impl<F: NorFlash> Desk for OnDesk<F> {
    type Store = Shelf<F>;

    async fn with<R>(&mut self, work: impl FnOnce(&mut Reader, &mut Shelf<F>) -> R) -> R {
        let mut guard = self.0.lock().await;
        let Wire { node, device, store } = &mut *guard;
        let result = work(device, store);
        let before = node.events().next();
        device.tell(node, Instant::now().as_millis());
        if node.events().next() != before {
            tell_speakers();
        }
        result
    }
}
