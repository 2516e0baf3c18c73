//! The card path on pins: rollers, ejector, diverter, beams, contacts and the eye.
//!
//! Sampled every millisecond; [`Rollers`] decides which output goes off with which beam.
//! The eye gives its verdict on three lines and its light on a fourth, high when at least
//! a third comes through: one card does, two do not.

use croupier::cards::BackColour;
use croupier::shuffler::event::{Action, Back, Event, Look};
use croupier::shuffler::motion::{Inputs, Rollers};
use croupier::shuffler::ports::Mechanism;
use embassy_futures::select::select;
use embassy_stm32::Peri;
use embassy_stm32::gpio::{AnyPin, Input, Level, Output, Pull};
use embassy_time::{Instant, Timer};

use crate::motion;
use crate::outputs::output;

/// Light through one card and through two, as the comparator tells them apart.
const LIGHT: [u8; 2] = [20, 45];

/// A board's pins for the card path.
pub struct CardPathPins {
    /// Reverse, gentle, boosted, return, then pick, throat, eject: how before what.
    pub outputs: [Peri<'static, AnyPin>; 7],
    /// Mouth, throat, exit, draw; high when blocked.
    pub beams: [Peri<'static, AnyPin>; 4],
    /// Lid open, door open, feed loaded, delivery loaded; high when so.
    pub contacts: [Peri<'static, AnyPin>; 4],
    /// The eye's verdict, lowest bit first.
    pub eye: [Peri<'static, AnyPin>; 3],
    /// High when a third of the light comes through.
    pub light: Input<'static>,
}

/// The card path.
pub struct CardPath {
    outputs: [Output<'static>; 7],
    beams: [Input<'static>; 4],
    contacts: [Input<'static>; 4],
    eye: [Input<'static>; 3],
    light: Input<'static>,
    rollers: Rollers,
    sampled_ms: u64,
    waiting: Option<(Event, u64)>,
}

impl CardPath {
    /// Everything off, which is also what a falling device does to it.
    pub fn new(pins: CardPathPins) -> Self {
        let input = |pin| Input::new(pin, Pull::Down);
        Self {
            outputs: pins.outputs.map(|pin| output(pin, Level::Low)),
            beams: pins.beams.map(input),
            contacts: pins.contacts.map(input),
            eye: pins.eye.map(input),
            light: pins.light,
            rollers: Rollers::new(),
            sampled_ms: 0,
            waiting: None,
        }
    }

    fn sample(&mut self, now_ms: u64) {
        if now_ms == self.sampled_ms {
            return;
        }
        self.sampled_ms = now_ms;
        let inputs = Inputs {
            beams: self.beams.each_ref().map(Input::is_high),
            contacts: self.contacts.each_ref().map(Input::is_high),
            eye: self.look(),
        };
        self.rollers.sample(&inputs, now_ms);
        self.drive();
    }

    fn look(&self) -> Look {
        let [low, middle, high] = self.eye.each_ref().map(Input::is_high);
        let back = match u8::from(low) | u8::from(middle) << 1 | u8::from(high) << 2 {
            1 => Back::Colour(BackColour::Red),
            2 => Back::Colour(BackColour::Blue),
            3 => Back::Cover,
            4 => Back::FaceUp,
            _ => Back::Unknown,
        };
        Look { back, light: LIGHT[usize::from(self.light.is_high())] }
    }

    fn drive(&mut self) {
        let on = self.rollers.outputs();
        // A motor must not start before it is said how.
        let how = [on.reverse, on.gentle, on.boosted, on.to_return];
        let levels = how.into_iter().chain([on.pick, on.throat, on.eject]);
        for (output, on) in self.outputs.iter_mut().zip(levels) {
            output.set_level(Level::from(on));
        }
    }

    fn next(&mut self) -> Option<(Event, u64)> {
        self.rollers.take().or_else(motion::news)
    }
}

impl Mechanism for CardPath {
    fn poll(&mut self, now_ms: u64) -> Option<(Event, u64)> {
        self.sample(now_ms);
        self.waiting.take().or_else(|| self.next())
    }

    fn act(&mut self, action: Action, now_ms: u64) {
        self.rollers.act(action, now_ms);
        if matches!(action, Action::Home | Action::Turn { .. } | Action::Shake | Action::Stop) {
            motion::order(action);
        }
        self.drive();
    }

    async fn wait(&mut self, until_ms: u64) {
        while self.waiting.is_none() && self.sampled_ms < until_ms {
            let next = Instant::from_millis(self.sampled_ms.saturating_add(1));
            select(Timer::at(next), motion::news_comes()).await;
            self.sample(Instant::now().as_millis());
            self.waiting = self.next();
        }
    }
}
