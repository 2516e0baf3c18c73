//! The wheel: how many slots, how deep, how fast, and how long each movement takes.
//!
//! Rules and simulated worlds both read their times here, so a deadline and the movement
//! it watches cannot drift apart. Lengths and speeds are those of common table mechanisms:
//! a card's short side, 63.5 mm, passes a beam at 0.75 m/s in 85 ms.

use crate::time::Millis;

/// The wheel of one model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Wheel {
    /// How many slots it has.
    pub slots: u8,
    /// The cards a slot takes; the first in is the first out.
    pub capacity: u8,
    /// Its greatest speed, in turns a minute.
    pub turns_a_minute: u16,
    /// How it gathers speed, in turns per second per second.
    pub acceleration: u16,
}

impl Wheel {
    /// The single-deck model: a slot for each card, and two to spare beyond a deck. Light:
    /// at some 0.002 kg m² this acceleration takes 1.3 N m, a small geared stepper's.
    pub const SINGLE_DECK: Self =
        Self { slots: 54, capacity: 1, turns_a_minute: 120, acceleration: 100 };
    /// The multi-deck model; with eight decks aboard some 0.01 kg m² and 2.5 N m.
    pub const MULTI_DECK: Self =
        Self { slots: 40, capacity: 12, turns_a_minute: 120, acceleration: 40 };
    /// The continuous model: the same wheel.
    pub const CONTINUOUS: Self = Self::MULTI_DECK;

    /// The cards it holds at most.
    pub const fn cards(&self) -> u16 {
        self.slots as u16 * self.capacity as u16
    }

    /// The shortest way from one slot to another, in slots; forwards is positive.
    pub const fn way(&self, from: u8, to: u8) -> i8 {
        let slots = self.slots as i16;
        let ahead = (to as i16 - from as i16).rem_euclid(slots);
        (if ahead * 2 > slots { ahead - slots } else { ahead }) as i8 // at most half of 255
    }

    /// How long the wheel takes to turn by `slots` slots and stand, in microseconds.
    ///
    /// It speeds up and slows down evenly, and goes at its greatest speed between.
    pub const fn turn_us(&self, slots: u8) -> u32 {
        // In millionths of a turn: half the way is covered while speeding up.
        let way = slots as u64 * 1_000_000 / self.slots as u64;
        let speed = self.turns_a_minute as u64 * 1_000_000 / 60;
        let acceleration = self.acceleration as u64 * 1_000_000;
        let ramps = speed * speed / acceleration;
        let time = if way <= ramps {
            2 * (way * 1_000_000 / self.acceleration as u64).isqrt()
        } else {
            (speed * 1_000_000 / acceleration) + way * 1_000_000 / speed
        };
        time as u32 // a turn takes less than a minute
    }

    /// How far it has come, in thousandths of a slot, so long after it set out to turn by `slots`.
    pub const fn way_after(&self, slots: u8, us: u32) -> u32 {
        let (whole, time) = (slots as u32 * 1000, self.turn_us(slots));
        if us >= time {
            return whole;
        }
        if us > time / 2 {
            return whole - self.way_after(slots, time - us);
        }
        let (speed, acceleration) = (self.turns_a_minute as u64, self.acceleration as u64);
        let ramp = speed * 1_000_000 / 60 / acceleration;
        let us = us as u64;
        // In millionths of a turn.
        let way = if us < ramp {
            acceleration * us * us / 2_000_000
        } else {
            speed * (us - ramp / 2) / 60
        };
        (way * self.slots as u64 / 1000) as u32 // less than `whole`
    }

    /// How long a slot takes to pass at the greatest speed, in microseconds.
    pub const fn slot_us(&self) -> u32 {
        60_000_000 / (self.turns_a_minute as u32 * self.slots as u32)
    }

    /// How long the rim's vane shades the slot beam at that speed: it is three quarters of a
    /// slot wide.
    pub const fn vane_us(&self) -> u32 {
        self.slot_us() * 3 / 4
    }

    /// How long one card does: the beam goes askew through a slot and a half.
    pub const fn shade_us(&self) -> u32 {
        self.slot_us() * 3 / 2
    }
}

/// How long movements take and how long they are waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timings {
    /// A card's passage through a beam.
    pub passage: Millis,
    /// `Feed` until the card is staged.
    pub feed: Millis,
    /// `Load` until the throat is free; the wheel may turn from then on.
    pub load: Millis,
    /// `Eject` until the exit is free; the wheel may turn from then on.
    pub eject: Millis,
    /// `Divert` until `Diverted`.
    pub divert: Millis,
    /// The door of the delivery tray, from shut to open.
    pub door: Millis,
    /// A card must block the mouth within this time.
    pub pick: Millis,
    /// The same for the second try, with more torque.
    pub boosted_pick: Millis,
    /// A card that blocks a beam longer than this is stuck.
    pub blocked: Millis,
    /// A card that blocks a beam longer than this is two, or lies askew.
    pub double: Millis,
    /// A card that left the mouth must be staged, and a loaded one gone, within this time.
    pub entry: Millis,
    /// A card that blocks the exit longer than this is stuck, and the wheel is shaken.
    pub exit_blocked: Millis,
    /// A card must come out of its slot within this time.
    pub exit: Millis,
    /// `BackUp` takes this long.
    pub back_up: Millis,
    /// `Shake` takes this long.
    pub shake: Millis,
    /// The wheel must stand within its own time and this.
    pub turn_slack: Millis,
    /// The wheel must find its home within this time.
    pub home: Millis,
}

/// The times of the reference mechanism.
pub const TIMINGS: Timings = Timings {
    passage: Millis::new(85),
    feed: Millis::new(150),
    load: Millis::new(100),
    eject: Millis::new(110),
    divert: Millis::new(200),
    door: Millis::new(1000),
    pick: Millis::new(400),
    boosted_pick: Millis::new(1000),
    blocked: Millis::new(170),
    double: Millis::new(110),
    entry: Millis::new(1000),
    exit_blocked: Millis::new(300),
    exit: Millis::new(200),
    back_up: Millis::new(250),
    shake: Millis::new(300),
    turn_slack: Millis::new(150),
    home: Millis::new(10_000),
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortest_way_is_never_more_than_half_a_turn_and_always_arrives() {
        for wheel in [Wheel::SINGLE_DECK, Wheel::MULTI_DECK] {
            for from in 0..wheel.slots {
                for to in 0..wheel.slots {
                    let by = wheel.way(from, to);
                    let arrived = (i16::from(from) + i16::from(by)).rem_euclid(wheel.slots.into());
                    assert_eq!(arrived, i16::from(to));
                    assert!(by.unsigned_abs() <= wheel.slots / 2);
                }
            }
        }
    }

    #[test]
    fn a_longer_way_takes_longer_and_a_turn_takes_its_speed_and_one_ramp() {
        for wheel in [Wheel::SINGLE_DECK, Wheel::MULTI_DECK] {
            assert_eq!(wheel.turn_us(0), 0);
            for slots in 1..wheel.slots {
                assert!(wheel.turn_us(slots) > wheel.turn_us(slots - 1));
            }
            // 120 turns a minute are 500 ms a turn; 2 turns/s at 40 turns/s² are 50 ms.
            let ramp = 2_000_000 / u32::from(wheel.acceleration);
            assert_eq!(wheel.turn_us(wheel.slots), 500_000 + ramp);
        }
    }

    #[test]
    fn the_way_grows_with_time_and_ends_when_the_turn_does() {
        for wheel in [Wheel::SINGLE_DECK, Wheel::MULTI_DECK] {
            for slots in 1..=wheel.slots {
                let (time, whole) = (wheel.turn_us(slots), u32::from(slots) * 1000);
                let ways = (0..=time).step_by(500).map(|us| wheel.way_after(slots, us));
                assert!(ways.clone().is_sorted(), "{slots}");
                assert!(ways.clone().zip(ways.skip(1)).all(|(one, next)| next - one <= 60));
                assert_eq!(wheel.way_after(slots, time), whole);
                assert!(wheel.way_after(slots, time / 2).abs_diff(whole / 2) <= 55, "{slots}");
            }
        }
    }
}
