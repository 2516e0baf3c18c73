//! The shuffler's ports on the chip: tower light, text, lock, flag and keys.

use crate::clock::DeviceClock;
use crate::key::KeyRow;
use crate::lamps::Lamps;
use crate::outputs::output;
use croupier::panel::lamps::SHUFFLER_LAMPS;
use croupier::ports::Clock;
use croupier::shuffler::ports::{Front, Key, Keys};
use croupier::shuffler::{Model, Shown};
use croupier::time::{Instant, Millis};
use embassy_stm32::Peri;
use embassy_stm32::gpio::{AnyPin, Input, Level, Output, Pull};

/// A blinking lamp is on and off for this long.
const BLINK: Millis = Millis::new(500);

/// A text is shown again this often, for a display that missed it.
const REFRESH: Millis = Millis::from_secs(2);

/// Where two lines of text go.
pub trait TextDisplay {
    /// Shows them. Called when they change, and now and then; whether that was possible.
    fn show(&mut self, lines: [&str; 2], repeat: bool) -> bool;
}

/// What people see, and the lock.
pub struct Tower<T> {
    lamps: Lamps<SHUFFLER_LAMPS>,
    flag: Output<'static>,
    lock: Output<'static>,
    text: T,
    shown: Option<Shown>,
    /// When the text was shown last; never, or it could not be.
    text_at: Option<Instant>,
}

impl<T: TextDisplay> Tower<T> {
    /// Dark and locked: the state after a crash, too.
    pub fn new(
        (lamps, flag): (Lamps<SHUFFLER_LAMPS>, Output<'static>),
        lock: Peri<'static, AnyPin>,
        text: T,
    ) -> Self {
        Self { lamps, flag, lock: output(lock, Level::High), text, shown: None, text_at: None }
    }
}

impl<T: TextDisplay> Front for Tower<T> {
    fn show(&mut self, shown: &Shown) {
        let now = DeviceClock.now();
        let lit = !shown.blinks || (now.since(Instant::START) / BLINK).is_multiple_of(2);
        let lamps = [shown.green, shown.amber, shown.red];
        let bits = (0..).zip(lamps).map(|(place, on)| u8::from(on && lit) << place).sum();
        self.lamps.set_bits(bits);
        self.flag.set_level(Level::from(shown.out_of_order));
        self.lock.set_level(Level::from(shown.door_locked));
        let same = self.shown.as_ref().is_some_and(|before| before.lines == shown.lines);
        let due = self.text_at.is_none_or(|at| now.since(at) >= REFRESH);
        if !same || due {
            let [first, second] = &shown.lines;
            let done = self.text.show([first, second], same);
            self.text_at = done.then_some(now);
        }
        if self.shown.as_ref() != Some(shown) {
            self.shown = Some(shown.clone());
        }
    }
}

/// Which machine the board sits in, as its two straps to ground say: none the single-deck
/// one, the first the multi-deck one, the second the continuous one.
///
/// # Panics
///
/// If both are closed: a machine that is not known must not move.
pub fn strapped_model(straps: [Peri<'static, AnyPin>; 2]) -> Model {
    let straps = straps.map(|pin| Input::new(pin, Pull::Up));
    cortex_m::asm::delay(1_000); // until the pull-ups have charged their wires
    match straps.each_ref().map(Input::is_low) {
        [false, false] => Model::SingleDeck,
        [true, false] => Model::MultiDeck,
        [false, true] => Model::Continuous,
        [true, true] => panic!("both model straps are closed, and no machine has both"),
    }
}

/// The dealer's keys, whose closed contacts pull their pin low.
pub struct DealerKeys {
    row: [Input<'static>; 4],
    lamp_test: Input<'static>,
}

impl DealerKeys {
    /// Keys in the order start, release, stop, dealt; and the lamp test's.
    pub fn new(row: KeyRow, lamp_test: Input<'static>) -> Self {
        Self { row: row.map(|pin| Input::new(pin, Pull::Up)), lamp_test }
    }
}

impl Keys for DealerKeys {
    fn is_down(&mut self, key: Key) -> bool {
        let [start, release, stop, dealt] = &self.row;
        match key {
            Key::Start => start.is_low(),
            Key::Release => release.is_low(),
            Key::Stop => stop.is_low(),
            Key::Dealt => dealt.is_low(),
            Key::LampTest => self.lamp_test.is_low(),
        }
    }
}
