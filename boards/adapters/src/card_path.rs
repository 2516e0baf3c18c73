//! The card path on the chip: rollers, ejector and diverter out, sensors in.
//!
//! Sampled every millisecond; [`Rollers`] decides which output goes off with which beam,
//! [`Sensors`] what a sample is worth. They come through a chain of registers.

use croupier::drivers::hc165::Chain;
use croupier::ports::Clock;
use croupier::shuffler::event::{Action, Event};
use croupier::shuffler::motion::{Outputs, Rollers, Sampled, Sensors, sensors};
use croupier::shuffler::ports::Mechanism;
use croupier::time::{Instant, Millis};
use embassy_futures::select::select;
use embassy_stm32::Peri;
use embassy_stm32::gpio::{AnyPin, Input, Level, Output, Pull};
use embassy_stm32::mode::Blocking;
use embassy_stm32::spi::mode::Master;
use embassy_stm32::spi::{Config, MODE_2, Spi};
use embassy_stm32::time::Hertz;
use embedded_hal::delay::DelayNs;

use crate::clock::DeviceClock;
use crate::motion;
use crate::outputs::output;

/// Sensors are looked at this often.
const SAMPLE: Millis = Millis::new(1);

/// Where the sensors' word comes from.
pub trait SensorLines {
    /// The lines as they are now, as [`Sensors::take`] wants them.
    fn read(&mut self) -> u16;
}

/// The chain of registers on an SPI of its own.
pub type ChainLines = Chain<Spi<'static, Blocking, Master>, Output<'static>, Cycles, 2>;

/// Waits by counting processor cycles at 80 MHz: for a microsecond no timer is worth its set-up.
pub struct Cycles;

impl DelayNs for Cycles {
    fn delay_ns(&mut self, ns: u32) {
        const NS_OF_TWO_CYCLES: u32 = 25;
        cortex_m::asm::delay(ns.div_ceil(NS_OF_TWO_CYCLES).saturating_mul(2));
    }
}

/// The chain's clock: its lines are read in twenty-six microseconds.
///
/// 625 kHz is 80 MHz divided by 128; asked for 1 MHz, embassy would give 1.25.
pub fn chain_config() -> Config {
    let mut config = Config::default();
    config.frequency = Hertz::khz(625);
    // The registers shift on the rising edge; in this mode it is read half a clock before.
    config.mode = MODE_2;
    config
}

impl SensorLines for ChainLines {
    fn read(&mut self) -> u16 {
        sensors::word(Chain::read(self))
    }
}

/// A sensor's pin.
pub fn line(pin: Peri<'static, AnyPin>) -> Input<'static> {
    Input::new(pin, Pull::Down)
}

/// The card path.
pub struct CardPath<L> {
    outputs: [Output<'static>; 7],
    lines: L,
    sensors: Sensors,
    rollers: Rollers,
    /// What the outputs were set to last.
    driven: Option<Outputs>,
    sampled: Instant,
    waiting: Option<(Event, Instant)>,
}

impl<L: SensorLines> CardPath<L> {
    /// Everything off, which is also what a crashing device does to it. The outputs are
    /// reverse, gentle, boosted, return, then pick, throat, eject: how before what.
    pub fn new(outputs: [Peri<'static, AnyPin>; 7], lines: L) -> Self {
        Self {
            outputs: outputs.map(|pin| output(pin, Level::Low)),
            lines,
            sensors: Sensors::new(),
            rollers: Rollers::new(),
            driven: None,
            sampled: Instant::START,
            waiting: None,
        }
    }

    fn sample(&mut self, now: Instant) {
        if now == self.sampled {
            return;
        }
        self.sampled = now;
        match self.sensors.take(self.lines.read()) {
            Sampled::Seen(inputs) => self.rollers.sample(&inputs, now),
            Sampled::Passed => {}
            Sampled::Blind => self.waiting = Some((Event::Blind, now)),
        }
        self.drive();
    }

    fn drive(&mut self) {
        let on = self.rollers.outputs();
        if self.driven == Some(on) {
            return;
        }
        self.driven = Some(on);
        // A motor must not start before it is said how.
        let how = [on.reverse, on.gentle, on.boosted, on.to_return];
        let levels = how.into_iter().chain([on.pick, on.throat, on.eject]);
        for (output, on) in self.outputs.iter_mut().zip(levels) {
            output.set_level(Level::from(on));
        }
    }

    fn next(&mut self) -> Option<(Event, Instant)> {
        self.rollers.take().or_else(motion::next_event)
    }
}

impl<L: SensorLines> Mechanism for CardPath<L> {
    fn poll(&mut self, now: Instant) -> Option<(Event, Instant)> {
        self.sample(now);
        self.waiting.take().or_else(|| self.next())
    }

    fn act(&mut self, action: Action, now: Instant) {
        self.rollers.act(action, now);
        if action.is_for_wheel() {
            motion::order(action);
        }
        self.drive();
    }

    async fn wait(&mut self, until: Instant) {
        let mut clock = DeviceClock;
        while self.waiting.is_none() && self.sampled < until {
            let due = clock.wait_until(self.sampled + SAMPLE);
            select(due, motion::event_ready()).await;
            self.sample(DeviceClock.now());
            self.waiting = self.waiting.take().or_else(|| self.next());
        }
    }
}
