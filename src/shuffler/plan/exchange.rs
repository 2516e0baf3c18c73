//! Slots for a one-pass plan: exchanged in pairs until the wheel's way grows no shorter.
//!
//! The cards come in one random order and leave in another, so the wheel must jump. Slots
//! taken in the order of the feed make loading quick and unloading slow; from there, any two
//! places change slots when that makes the whole quicker, or in the first rounds not much
//! slower, which leads out of dead ends (threshold accepting). The order that comes out is
//! the same whichever slots are chosen.
//!
//! Measured on 52 cards: 19.6 s, where slots by place take 21.3 s; a hundred times the tries
//! found 19.4 s.

use zeroize::Zeroize;

use super::MOST_SLOTS;
use super::pace::Pace;
use crate::shuffler::card_path::wheel::Wheel;

/// How often all pairs are tried. A further round gains less time than it takes.
const ROUNDS: u32 = 8;
/// Pairs tried in a step: some 600 instructions each.
pub(super) const TRIES: u32 = 20;
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

/// The slots chosen so far, and what is tried next.
///
/// All tries together take a chip a tenth of a second, so they come in [steps](Self::step).
pub(super) struct Exchange {
    pace: Pace,
    /// Where the wheel stands at first.
    at: u8,
    /// The cards' places; behind them, the unused slots.
    places: [Place; MOST_SLOTS],
    count: usize,
    slots: usize,
    rounds_left: u32,
    /// The pair that is tried next.
    one: usize,
    other: usize,
}

impl Exchange {
    /// Slots in the order of the feed, for cards whose places are `places` in that order.
    pub(super) fn new(wheel: &Wheel, places: &[u16], at: u8) -> Self {
        // Cards that come out as they lay have slots in a row: no exchange is quicker, and a
        // count (SH-14) need not wait for the tries.
        let rounds_left = if places.is_sorted() { 0 } else { ROUNDS };
        let mut exchange = Self {
            pace: Pace::new(wheel),
            at,
            places: [Place::default(); MOST_SLOTS],
            count: places.len(),
            slots: wheel.slots.into(),
            rounds_left,
            one: 0,
            other: 1,
        };
        let turned = |steps: u8| (at % wheel.slots + steps) % wheel.slots;
        let mut last = None;
        for (fed, place) in (0..).zip(places) {
            let number = *place as u8; // below the number of slots
            if let Some(place) = exchange.places.get_mut(usize::from(number)) {
                *place = Place { slot: turned(fed), fed_before: last, fed_after: None };
            }
            let before = last.and_then(|last: u8| exchange.places.get_mut(usize::from(last)));
            if let Some(before) = before {
                before.fed_after = Some(number);
            }
            last = Some(number);
        }
        for (steps, place) in (0..wheel.slots).zip(&mut exchange.places).skip(places.len()) {
            place.slot = turned(steps);
        }
        exchange
    }

    /// Whether every try was made.
    pub(super) const fn is_done(&self) -> bool {
        self.rounds_left == 0
    }

    /// The slot of each place.
    pub(super) fn slots(&self) -> [u8; MOST_SLOTS] {
        self.places.map(|place| place.slot)
    }

    /// Tries the next [`TRIES`] pairs at most; how many.
    pub(super) fn step(&mut self) -> u32 {
        let mut tries = 0;
        while tries < TRIES && !self.is_done() {
            tries += self.try_row(TRIES - tries);
        }
        tries
    }

    /// Tries at most `most` pairs of one place with those after it, and keeps an exchange
    /// that costs less than the round's lenience.
    fn try_row(&mut self, most: u32) -> u32 {
        let lenience = LENIENCE_US / ROUNDS * (self.rounds_left - 1);
        let one = self.one;
        let end = self.slots.min(self.other + most as usize);
        let tries = end.saturating_sub(self.other);
        let mut ours = self.around(one);
        for other in self.other..end {
            let before = ours + self.around(other);
            self.exchange(one, other);
            let exchanged = self.around(one);
            if exchanged + self.around(other) < before + lenience {
                ours = exchanged;
            } else {
                self.exchange(one, other);
            }
        }
        self.other = end;
        if end >= self.slots {
            self.next_row();
        }
        tries as u32 // at most `most`
    }

    fn next_row(&mut self) {
        self.one += 1;
        if self.one >= self.count {
            self.one = 0;
            self.rounds_left -= 1;
        }
        self.other = self.one + 1;
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

impl Zeroize for Exchange {
    fn zeroize(&mut self) {
        self.places.zeroize();
        (self.count, self.rounds_left) = (0, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    /// All tries in one go, as plainly as can be: row by row, round by round.
    fn plainly(wheel: &Wheel, places: &[u16], at: u8) -> [u8; MOST_SLOTS] {
        let mut table = Exchange::new(wheel, places, at);
        let rounds = table.rounds_left;
        for left in (0..rounds).rev() {
            let lenience = LENIENCE_US / ROUNDS * left;
            for one in 0..table.count {
                let mut ours = table.around(one);
                for other in one + 1..usize::from(wheel.slots) {
                    let before = ours + table.around(other);
                    table.exchange(one, other);
                    let exchanged = table.around(one);
                    if exchanged + table.around(other) < before + lenience {
                        ours = exchanged;
                    } else {
                        table.exchange(one, other);
                    }
                }
            }
        }
        table.slots()
    }

    /// Some order of `count` cards.
    fn mixed(count: u16, seed: u32) -> Vec<u16> {
        let mut order: Vec<u16> = (0..count).collect();
        let mut state = seed;
        for last in (1..order.len()).rev() {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            order.swap(last, (state >> 16) as usize % (last + 1));
        }
        order
    }

    #[test]
    fn no_step_tries_more_pairs_than_it_may_and_all_steps_choose_what_one_go_does() {
        let wheel = Wheel::SINGLE_DECK;
        for (count, seed, at) in [(52, 1, 0), (52, 2, 17), (53, 3, 53), (54, 4, 5), (2, 5, 9)] {
            let places = mixed(count, seed);
            let mut exchange = Exchange::new(&wheel, &places, at);
            let mut tries = 0;
            while !exchange.is_done() {
                let step = exchange.step();
                assert!((1..=TRIES).contains(&step) || exchange.is_done(), "{step}");
                tries += step;
            }
            let (cards, slots) = (u32::from(count), u32::from(wheel.slots));
            let pairs: u32 = (0..cards).map(|one| slots - one - 1).sum();
            assert_eq!(tries, if places.is_sorted() { 0 } else { ROUNDS * pairs });
            assert!(exchange.slots() == plainly(&wheel, &places, at), "{count} cards, {seed}");
        }
    }
}
