//! A motion controller, register by register: the far end of the shuffler's motion UART.
//!
//! Modelled after the TMC5160's datasheet by itself and not after our driver: datagrams
//! with their checksum, the count of writes, the ramp generator in its own units, the
//! reference switch with latch and stop, and the stall detector. It turns a wheel whose
//! home flag moves with it; [`Troubles`] are what a bench does to it.

mod datagram;
mod registers;
#[cfg(test)]
mod tests;

pub use datagram::Inbox;
use registers::*;

use super::ramp::{Aim, Ramp};

/// The controller's clock.
const CLOCK_HZ: f64 = 12e6;
const SPEED_UNIT: f64 = CLOCK_HZ / 16_777_216.0;
const ACCELERATION_UNIT: f64 = CLOCK_HZ * CLOCK_HZ / 2_199_023_255_552.0;

/// What a bench does to a controller, its line and its wheel.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Troubles {
    /// Answers that will not come.
    pub lost_answers: u32,
    /// Answers that will come with a wrong bit.
    pub spoilt_answers: u32,
    /// Writes that will not be taken.
    pub lost_writes: u32,
    /// Turns after which the wheel is held fast, from now.
    pub stall_after: Option<f64>,
    /// The flag is gone: its switch never closes.
    pub no_flag: bool,
}

/// A motion controller with its wheel.
#[derive(Debug, Clone)]
pub struct Chip {
    values: [u32; 128],
    accepted: u8,
    events: u32,
    ramp: Ramp,
    begun_us: u64,
    now_us: u64,
    /// The wheel's own place when the count says zero: it slips when steps are lost.
    slip: f64,
    turn: f64,
    held_at: Option<f64>,
    /// What the bench does to it.
    pub troubles: Troubles,
}

impl Chip {
    /// A controller after power on, its wheel standing at `place` of a `turn`.
    pub fn new(turn: u32, place: f64) -> Self {
        let mut values = [0; 128];
        values[GSTAT] = 1;
        Self {
            values,
            accepted: 0,
            events: 0,
            ramp: Ramp::resting(0.0),
            begun_us: 0,
            now_us: 0,
            slip: place,
            turn: f64::from(turn),
            held_at: None,
            troubles: Troubles::default(),
        }
    }

    /// Where the wheel really is, in microsteps of a turn.
    pub fn wheel(&self) -> f64 {
        (self.motion().0 + self.slip).rem_euclid(self.turn)
    }

    /// Whether the wheel turns.
    pub fn is_turning(&self) -> bool {
        self.motion().1.abs() > 1e-6
    }

    /// Lets the wheel slip by this number of microsteps, which the chip's count does not show.
    pub fn lose_steps(&mut self, steps: f64) {
        self.slip += steps;
    }

    /// Takes its supply away for a moment: memory and ramp are gone, the wheel stays.
    pub fn cut_supply(&mut self) {
        let (now, place) = (self.now_us, self.wheel());
        *self = Self {
            now_us: now,
            begun_us: now,
            troubles: self.troubles,
            ..Self::new(self.turn as u32, place)
        };
    }

    /// Lets time pass.
    pub fn advance(&mut self, now_us: u64) {
        let before = self.motion();
        let until = now_us.max(self.now_us);
        self.hold_fast(before);
        let after = self.ramp.after(self.seconds_at(until));
        if let Some(held) = self.held_at.filter(|held| between(before.0, *held, after.0)) {
            self.now_us = until;
            return self.stall(held);
        }
        match self.edge_between(before.0, after.0) {
            Some((edge, closing)) => self.meet(edge, closing, until),
            None => self.now_us = until,
        }
    }

    /// What it answers to a datagram, if anything.
    pub fn take(&mut self, datagram: datagram::Datagram) -> Option<[u8; 8]> {
        match datagram {
            datagram::Datagram::Write(_, _) if self.troubles.lost_writes > 0 => {
                self.troubles.lost_writes -= 1;
                None
            }
            datagram::Datagram::Write(register, value) => {
                self.accepted = self.accepted.wrapping_add(1);
                self.write(register, value);
                None
            }
            datagram::Datagram::Read(register) => self.answer(register),
        }
    }

    fn answer(&mut self, register: u8) -> Option<[u8; 8]> {
        if self.troubles.lost_answers > 0 {
            self.troubles.lost_answers -= 1;
            return None;
        }
        let mut answer = datagram::answer(register, self.read(register));
        if self.troubles.spoilt_answers > 0 {
            self.troubles.spoilt_answers -= 1;
            answer[5] ^= 0x10;
        }
        Some(answer)
    }

    fn read(&self, register: u8) -> u32 {
        let (place, speed) = self.motion();
        match usize::from(register) {
            IFCNT => u32::from(self.accepted),
            XACTUAL => place.round() as i32 as u32,
            RAMP_STAT => {
                let arrived = self.values[RAMPMODE] == 0
                    && place.round() as i32 as u32 == self.values[XTARGET];
                self.events
                    | bit(self.flag_closed(), LEFT_CLOSED)
                    | bit(arrived, POSITION_REACHED)
                    | bit(speed.abs() < 1e-6, STANDS_STILL)
            }
            known => self.values[known & 0x7F],
        }
    }

    fn write(&mut self, register: u8, value: u32) {
        let at = usize::from(register & 0x7F);
        match at {
            GSTAT => self.values[GSTAT] &= !value,
            RAMP_STAT => self.events &= !(value & CLEARABLE),
            XACTUAL => {
                // Renaming the place turns nothing: the wheel stays where it is.
                let (place, _) = self.motion();
                self.slip += place - f64::from(value as i32);
                self.restart(Ramp::resting(f64::from(value as i32)));
            }
            _ => self.values[at] = value,
        }
        if matches!(at, RAMPMODE | XTARGET | VMAX | AMAX) {
            self.aim();
        }
    }

    /// Sets out again from where it is.
    fn aim(&mut self) {
        let (place, speed) = self.motion();
        let fastest = f64::from(self.values[VMAX]) * SPEED_UNIT;
        let acceleration = (f64::from(self.values[AMAX]) * ACCELERATION_UNIT).max(1.0);
        if self.values[CHOPCONF] & 0xF == 0 || self.events & STALLED != 0 {
            return self.restart(Ramp::resting(place)); // the bridges are off
        }
        let aim = match self.values[RAMPMODE] {
            0 if fastest > 0.0 => Aim::Place(f64::from(self.values[XTARGET] as i32)),
            1 => Aim::Speed(fastest),
            2 => Aim::Speed(-fastest),
            3 => Aim::Speed(speed),
            _ => Aim::Speed(0.0),
        };
        self.restart(Ramp::new(place, speed, aim, fastest, acceleration));
    }

    fn restart(&mut self, ramp: Ramp) {
        self.ramp = ramp;
        self.begun_us = self.now_us;
    }

    fn motion(&self) -> (f64, f64) {
        self.ramp.after(self.seconds_at(self.now_us))
    }

    fn seconds_at(&self, us: u64) -> f64 {
        (us - self.begun_us) as f64 / 1e6
    }

    fn flag_closed(&self) -> bool {
        !self.troubles.no_flag && self.wheel() > self.turn - FLAG_WIDTH
    }

    /// The flag's upper edge, if the count passes it between `from` and `to`, and whether it closes.
    fn edge_between(&self, from: f64, to: f64) -> Option<(f64, bool)> {
        if self.troubles.no_flag || from == to {
            return None;
        }
        // The upper edge of the flag is the wheel's own zero.
        let turns = |place: f64| (place + self.slip) / self.turn;
        let edge = |number: f64| number * self.turn - self.slip;
        let rising = to > from;
        let number = if rising { turns(from).floor() + 1.0 } else { turns(from).ceil() - 1.0 };
        let passed = if rising { edge(number) <= to } else { edge(number) >= to };
        passed.then(|| (edge(number), !rising))
    }

    /// Passes the flag's edge: latches, stops if that is set, and goes on.
    fn meet(&mut self, edge: f64, closing: bool, until: u64) {
        self.now_us = self.moment_of(edge, until);
        let latch = if closing { LATCH_CLOSING } else { LATCH_OPENING };
        if self.values[SW_MODE] & latch != 0 && self.events & LATCHED == 0 {
            self.values[XLATCH] = edge.round() as i32 as u32;
            self.events |= LATCHED;
        }
        if closing && self.values[SW_MODE] & STOP_LEFT != 0 {
            self.events |= STOPPED_LEFT;
            let (place, speed) = self.motion();
            let soft = self.values[SW_MODE] & SOFT_STOP != 0;
            let acceleration = (f64::from(self.values[AMAX]) * ACCELERATION_UNIT).max(1.0);
            self.restart(if soft {
                Ramp::new(place, speed, Aim::Speed(0.0), speed.abs(), acceleration)
            } else {
                Ramp::resting(edge)
            });
        }
        if self.now_us < until {
            self.advance(until);
        }
    }

    /// The first microsecond at which the count has reached `place`; at least one from now.
    fn moment_of(&self, place: f64, until: u64) -> u64 {
        let rising = self.ramp.after(self.seconds_at(until)).0 > self.motion().0;
        let (mut early, mut late) = (self.now_us, until);
        while early + 1 < late {
            let middle = early + (late - early) / 2;
            let there = self.ramp.after(self.seconds_at(middle)).0;
            if (there >= place) == rising { late = middle } else { early = middle }
        }
        late
    }

    fn hold_fast(&mut self, (place, speed): (f64, f64)) {
        if let Some(turns) = self.troubles.stall_after
            && speed.abs() > 1e-6
        {
            self.troubles.stall_after = None;
            self.held_at = Some(place + speed.signum() * turns * self.turn);
        }
    }

    fn stall(&mut self, held: f64) {
        self.held_at = None;
        if self.values[SW_MODE] & STALL_STOPS != 0 {
            self.events |= STALLED;
            self.restart(Ramp::resting(held));
        } else {
            // Nothing notices: the count goes on, the wheel stays behind.
            self.slip += held - self.motion().0;
        }
    }
}

fn bit(set: bool, mask: u32) -> u32 {
    if set { mask } else { 0 }
}

fn between(from: f64, place: f64, to: f64) -> bool {
    (from.min(to)..=from.max(to)).contains(&place) && from != to
}
