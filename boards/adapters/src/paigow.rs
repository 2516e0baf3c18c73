//! The Pai Gow generator's ports on the chip: digit, keys, and its place on the desk.

use crate::desk::Officed;
use crate::key;
use crate::lamps::{self, LampRow, Lamps};
use crate::wire::{EVENTS, Herald, Shared, Wire, tell_speakers};
use croupier::entropy::{Kept, Lost, Memory};
use croupier::node::Node;
use croupier::office::{Office, Shelf};
use croupier::paigow::ports::{Desk, Display, Key, Keys};
use croupier::paigow::{PaiGow, Segments};
use croupier::panel::lamps::PAIGOW_SEGMENTS;
use croupier::panel::ports::Key as _;
use embassy_stm32::Peri;
use embassy_stm32::gpio::{AnyPin, Input, Pull};
use embassy_time::Instant;
use embedded_storage::nor_flash::NorFlash;

/// Ten microseconds at 80 MHz: a segment driver and its sense line have settled by then.
const SETTLE_CYCLES: u32 = 800;

/// Says which segments are lit, whatever was asked of them.
pub trait ReadBack {
    /// Bit 0 is segment a, bit 7 the point.
    fn lit(&mut self) -> u8;
}

/// The digit, with its read-back.
pub struct Digit<R> {
    segments: Lamps<PAIGOW_SEGMENTS>,
    read_back: R,
}

impl<R> Digit<R> {
    /// A dark digit.
    pub fn new(row: LampRow, read_back: R) -> Self {
        Self { segments: lamps::paigow(row), read_back }
    }
}

impl<R: ReadBack> Display for Digit<R> {
    fn show(&mut self, lit: Segments) -> Segments {
        self.segments.set_bits(lit.bits());
        cortex_m::asm::delay(SETTLE_CYCLES);
        Segments::from_bits(self.read_back.lit())
    }
}

/// Sense lines, high where a segment is lit.
pub struct SenseLines([Input<'static>; PAIGOW_SEGMENTS]);

impl SenseLines {
    /// Lines on these pins, segment a first.
    pub fn new(pins: [Peri<'static, AnyPin>; PAIGOW_SEGMENTS]) -> Self {
        Self(pins.map(|pin| Input::new(pin, Pull::Down)))
    }
}

impl ReadBack for SenseLines {
    fn lit(&mut self) -> u8 {
        let bit = |(place, line): (usize, &Input<'static>)| u8::from(line.is_high()) << place;
        self.0.iter().enumerate().map(bit).sum()
    }
}

/// A board's pins for a dealer's keys; each device names them for itself.
pub type KeyRow = [Peri<'static, AnyPin>; 4];

/// The dealer's keys, whose closed contacts pull their pin low.
pub struct DealerKeys {
    row: [Input<'static>; 4],
    lamp_test: key::Key,
}

impl DealerKeys {
    /// Keys in the order draw, shuffled, bets closed, round end; and the lamp test's.
    pub fn new(row: KeyRow, lamp_test: key::Key) -> Self {
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
            Key::LampTest => self.lamp_test.is_down(),
        }
    }
}

impl Officed for PaiGow {
    fn office(&mut self) -> &mut Office {
        &mut self.office
    }
}

impl Herald for PaiGow {
    fn tell(&mut self, node: &mut Node<2, EVENTS>, now_ms: u64) {
        self.office.tell(node, now_ms);
        while let Some(news) = self.take_news() {
            news.tell(node, now_ms);
        }
    }
}

/// The generator on its desk: where its loop finds it, and where the random core keeps
/// what must outlive a reset.
pub struct OnDesk<F: 'static>(pub &'static Shared<PaiGow, Shelf<F>>);

impl<F: NorFlash> Desk for OnDesk<F> {
    type Store = Shelf<F>;

    async fn with<R>(&mut self, work: impl FnOnce(&mut PaiGow, &mut Shelf<F>) -> R) -> R {
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

/// Nobody holds the desk while the random core works: all tasks share one executor, and
/// none of them keeps the lock over a wait. Should one ever, the core fails closed.
impl<F: NorFlash> Memory for OnDesk<F> {
    fn recall(&mut self) -> Result<Kept, Lost> {
        self.0.try_lock().map_err(|_| Lost)?.store.recall()
    }

    fn keep(&mut self, kept: &Kept) -> Result<(), Lost> {
        self.0.try_lock().map_err(|_| Lost)?.store.keep(kept)
    }
}
