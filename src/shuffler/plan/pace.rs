//! How long the mechanism takes, so that a plan can be weighed before a card moves.

use super::{MOST_SLOTS, Plan};
use crate::shuffler::card_path::wheel::{TIMINGS, Wheel};

const FEED_US: u32 = TIMINGS.feed.get() as u32 * 1000;
const LOAD_US: u32 = TIMINGS.load.get() as u32 * 1000;
const EJECT_US: u32 = TIMINGS.eject.get() as u32 * 1000;
const DIVERT_US: u32 = TIMINGS.divert.get() as u32 * 1000;
const DOOR_US: u32 = TIMINGS.door.get() as u32 * 1000;

/// The wheel's times, by distance.
#[derive(Debug, Clone, Copy)]
pub struct Pace {
    wheel: Wheel,
    one_way: bool,
    turn_us: [u32; MOST_SLOTS / 2 + 1],
}

impl Pace {
    /// The times of `wheel`.
    pub fn new(wheel: &Wheel) -> Self {
        let mut turn_us = [0; MOST_SLOTS / 2 + 1];
        for (slots, time) in (0..).zip(&mut turn_us) {
            *time = wheel.turn_us(slots);
        }
        Self { wheel: *wheel, one_way: false, turn_us }
    }

    /// The same wheel turning forwards only, as simple carousels do. To be measured against.
    pub fn one_way(wheel: &Wheel) -> Self {
        Self { one_way: true, ..Self::new(wheel) }
    }

    /// The time to turn from one slot to another, the shorter way.
    pub fn turn_us(&self, from: u8, to: u8) -> u32 {
        if self.one_way {
            return self.wheel.turn_us((to + self.wheel.slots - from) % self.wheel.slots);
        }
        let apart = from.abs_diff(to);
        let apart = apart.min(self.wheel.slots.abs_diff(apart));
        self.turn_us.get(usize::from(apart)).copied().unwrap_or(u32::MAX / 4)
    }

    /// The time from one card loaded to the next, when its slot is elsewhere. The next
    /// card is staged meanwhile, so a short way costs nothing.
    pub fn load_us(&self, from: u8, to: u8) -> u32 {
        FEED_US.max(LOAD_US + self.turn_us(from, to))
    }

    /// The mean of that between slots picked at random among `slots` in a row.
    pub fn mean_load_us(&self, slots: u8) -> u32 {
        let slots = u32::from(slots).max(1);
        let pairs = (1..slots).map(|apart| {
            let way = (apart.min(u32::from(self.wheel.slots).abs_diff(apart))) as u8; // below a turn
            2 * (slots - apart) * (self.load_us(0, way) / 8)
        });
        let same = slots * (self.load_us(0, 0) / 8);
        (same + pairs.sum::<u32>()) / (slots * slots) * 8
    }

    /// The whole cycle of `plan` with every card it was drawn for, the look at its end and the
    /// door's opening included, as the reference mechanism would run it, in microseconds.
    ///
    /// It consumes the plan, because counting goes through its passes.
    pub fn cycle_us(&self, mut plan: Plan, mut at: u8) -> u32 {
        let mut total = DIVERT_US + self.wheel.turn_us(self.wheel.slots) + DOOR_US;
        for pass in 1..=plan.passes() {
            if pass > 1 {
                plan.next_pass(plan.count());
            }
            let mut held = [0_u32; MOST_SLOTS];
            total += FEED_US.saturating_sub(LOAD_US); // the first card, staged
            for slot in (0..plan.count()).map_while(|fed| plan.slot(fed)) {
                total += self.load_us(at, slot);
                at = slot;
                if let Some(held) = held.get_mut(usize::from(slot)) {
                    *held += 1;
                }
            }
            for slot in plan.visits() {
                total += self.turn_us(at, slot)
                    + held.get(usize::from(slot)).copied().unwrap_or(0) * EJECT_US;
                at = slot;
            }
        }
        total
    }

    /// The time below which no plan of `cards` cards and `passes` passes can be: every card is fed
    /// and ejected, and the wheel is always where it must be.
    pub fn floor_us(&self, cards: u16, passes: u8) -> u32 {
        let handled = u32::from(cards) * u32::from(passes);
        DIVERT_US + DOOR_US + handled * (FEED_US + EJECT_US)
    }
}
