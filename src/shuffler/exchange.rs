//! Slots for a one-pass plan: exchanged in pairs until the wheel's way grows no shorter.
//!
//! The cards come in one random order and leave in another, so some jumping about cannot
//! be avoided. Slots taken in the order of the feed make loading quick and unloading
//! slow; from there, any two places change slots when that makes the whole quicker, or in
//! the first rounds not much slower, which leads out of dead ends (threshold accepting).
//! The order that comes out is the same whatever slots are chosen.
//!
//! Measured on 52 cards: 19.6 s where slots by place take 21.3 s and the best that ever
//! was found, with a hundred times the tries, 19.4 s.

use zeroize::Zeroize;

use super::pace::Pace;
use super::plan::MOST_SLOTS;
use super::wheel::Wheel;

/// How often all pairs are tried. Further rounds gain less than they take.
const ROUNDS: u32 = 8;
/// What an exchange may cost in the first round; nothing in the last.
const LENIENCE_US: u32 = 60_000;

/// A place, its slot, and the places of the cards fed before and after its own.
#[derive(Clone, Copy, Default)]
struct Place {
    slot: u8,
    fed_before: Option<u8>,
    fed_after: Option<u8>,
}

impl Zeroize for Place {
    fn zeroize(&mut self) {
        self.slot.zeroize();
        self.fed_before.zeroize();
        self.fed_after.zeroize();
    }
}

/// The slots chosen so far.
struct Table {
    pace: Pace,
    /// Where the wheel stands at first.
    at: u8,
    /// The cards' places; behind them, the slots nobody uses.
    places: [Place; MOST_SLOTS],
    count: usize,
}

/// Chooses the slot of each place, for cards whose places are `places` in the order of the
/// feed.
pub(super) fn choose(wheel: &Wheel, places: &[u16], at: u8, slots: &mut [u8; MOST_SLOTS]) {
    let pace = Pace::new(wheel);
    let mut table = Table { pace, at, places: [Place::default(); MOST_SLOTS], count: places.len() };
    let turned = |steps: u8| (at % wheel.slots + steps) % wheel.slots;
    let mut last = None;
    for (fed, place) in (0..).zip(places) {
        let number = *place as u8; // below the number of slots
        if let Some(place) = table.places.get_mut(usize::from(number)) {
            *place = Place { slot: turned(fed), fed_before: last, fed_after: None };
        }
        if let Some(before) = last.and_then(|last: u8| table.places.get_mut(usize::from(last))) {
            before.fed_after = Some(number);
        }
        last = Some(number);
    }
    for (steps, place) in (0..wheel.slots).zip(&mut table.places).skip(places.len()) {
        place.slot = turned(steps);
    }
    // Cards that come out as they lay have slots in a row: no exchange is quicker, and a
    // count (SH-14) need not wait for the tries.
    let rounds = if places.is_sorted() { 0 } else { ROUNDS };
    for left in (0..rounds).rev() {
        table.improve(wheel.slots.into(), LENIENCE_US / ROUNDS * left);
    }
    for (slot, place) in slots.iter_mut().zip(&table.places) {
        *slot = place.slot;
    }
    table.places.zeroize();
}

impl Table {
    /// Tries all pairs once, and keeps an exchange that costs less than `lenience`.
    fn improve(&mut self, slots: usize, lenience: u32) {
        for one in 0..self.count {
            let mut ours = self.around(one);
            for other in one + 1..slots {
                let before = ours + self.around(other);
                self.exchange(one, other);
                let exchanged = self.around(one);
                if exchanged + self.around(other) < before + lenience {
                    ours = exchanged;
                } else {
                    self.exchange(one, other);
                }
            }
        }
    }

    fn exchange(&mut self, one: usize, other: usize) {
        if let Ok([one, other]) = self.places.get_disjoint_mut([one, other]) {
            core::mem::swap(&mut one.slot, &mut other.slot);
        }
    }

    /// The time of every movement to or from the slot of place `number`.
    fn around(&self, number: usize) -> u32 {
        let cards = self.places.get(..self.count).unwrap_or_default();
        let Some(place) = cards.get(number) else { return 0 };
        let (pace, here) = (&self.pace, place.slot);
        let slot = |number: usize| cards.get(number).map(|place| place.slot);
        let fed = |number: Option<u8>| number.and_then(|number| slot(number.into()));
        pace.load_us(fed(place.fed_before).unwrap_or(self.at), here)
            + fed(place.fed_after).map_or(0, |next| pace.load_us(here, next))
            + number.checked_sub(1).and_then(slot).map_or(0, |before| pace.turn_us(before, here))
            + slot(number + 1).map_or(0, |next| pace.turn_us(here, next))
    }
}
