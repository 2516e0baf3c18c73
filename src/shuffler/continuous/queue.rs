//! The queue of a continuous machine: in which order the cards inside will come out.
//!
//! An ideal machine keeps all cards inside in a random order, and puts each card that comes
//! back into a random place of it. This queue does the same with slot numbers: first the slot
//! that gives the next card. A slot gives back first what came first, so a card can
//! take a place only in a slot whose last card comes out before it. Of those, the one whose
//! last card comes closest before it is taken, as in the card game of patience. That leaves
//! the most choice for the cards after it, and 38 slots are nearly always enough for 312
//! cards: patience takes about twice the square root of their number. If no slot fits, the
//! card comes a little later than drawn.
//!
//! The queue knows no card, only how many cards wait in each slot.

use zeroize::{Zeroize, ZeroizeOnDrop};

use crate::entropy::MOST_CARDS;
use crate::shuffler::plan::MOST_SLOTS;

/// Which slot gives the next cards.
pub struct Queue {
    line: [u8; MOST_CARDS],
    length: u16,
    /// Slots that take cards: these, from 0.
    slots: u8,
    capacity: u8,
    /// Places by which cards came later than drawn, added up.
    delayed: u32,
}

impl Queue {
    /// An empty queue over this many slots.
    pub const fn new(slots: u8, capacity: u8) -> Self {
        Self { line: [0; MOST_CARDS], length: 0, slots, capacity, delayed: 0 }
    }

    /// How many cards wait.
    pub const fn len(&self) -> u16 {
        self.length
    }

    /// Whether no card waits.
    pub const fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Places by which cards came later than drawn, added up since the start.
    pub const fn delayed(&self) -> u32 {
        self.delayed
    }

    /// The slot that gives the next card.
    pub fn first(&self) -> Option<u8> {
        self.waiting().first().copied()
    }

    /// The first card has left its slot.
    pub fn take_first(&mut self) {
        if let Some(line) = self.line.get_mut(..usize::from(self.length)) {
            line.rotate_left(line.len().min(1));
            self.length = self.length.saturating_sub(1);
        }
    }

    /// Finds a slot for a card that shall come out after `place` others, and books it there.
    ///
    /// `None` if every slot is full.
    pub fn insert(&mut self, place: u16) -> Option<u8> {
        let place = place.min(self.length);
        // For each slot the place behind its last card, and how many it holds.
        let mut ends = [(0_u16, 0_u8); MOST_SLOTS];
        for (at, slot) in (1..).zip(self.waiting()) {
            if let Some((behind, held)) = ends.get_mut(usize::from(*slot)) {
                (*behind, *held) = (at, *held + 1);
            }
        }
        let open = || {
            let slots = (0_u8..).zip(ends).take(self.slots.into());
            slots.filter(|(_, (_, held))| *held < self.capacity)
        };
        let behind = |(_, (behind, _)): &(u8, (u16, u8))| *behind;
        let fitting = open().filter(|slot| behind(slot) <= place).max_by_key(behind);
        let (slot, (behind, _)) = fitting.or_else(|| open().min_by_key(behind))?;
        self.delayed = self.delayed.saturating_add(behind.saturating_sub(place).into());
        let place = place.max(behind);
        let line = self.line.get_mut(usize::from(place)..=usize::from(self.length))?;
        line.rotate_right(1);
        *line.first_mut()? = slot;
        self.length += 1;
        Some(slot)
    }

    fn waiting(&self) -> &[u8] {
        self.line.get(..usize::from(self.length)).unwrap_or_default()
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        self.line.zeroize();
    }
}

impl ZeroizeOnDrop for Queue {}

/// The places at which new cards join a line of `waiting` old ones, one after the other, so
/// that the whole is in the drawn order: `order` is of all, the old ones first. Written to
/// `places`, which must be as long as there are new cards.
pub fn places_for(order: &[u16], waiting: u16, places: &mut [u16]) {
    // For each new card, all old ones and all earlier new ones that come out before it.
    let mut before = 0_u16;
    let mut seen = Seen::default();
    for card in order {
        let Some(new) = card.checked_sub(waiting) else {
            before += 1;
            continue;
        };
        if let Some(place) = places.get_mut(usize::from(new)) {
            *place = before + seen.below(new);
        }
        seen.add(new);
    }
    seen.words.zeroize();
    seen.counts.zeroize();
}

/// The new cards met so far, as bits: to count those below a number card by card would take
/// the chip ten milliseconds for a whole batch.
#[derive(Default)]
struct Seen {
    /// A bit for each card.
    words: [u32; MOST_CARDS.div_ceil(32)],
    /// How many bits each word has.
    counts: [u8; MOST_CARDS.div_ceil(32)],
}

impl Seen {
    fn add(&mut self, card: u16) {
        let word = usize::from(card / 32);
        if let (Some(bits), Some(count)) = (self.words.get_mut(word), self.counts.get_mut(word)) {
            *bits |= 1 << (card % 32);
            *count += 1;
        }
    }

    fn below(&self, card: u16) -> u16 {
        let word = usize::from(card / 32);
        let lower = self.counts.get(..word).unwrap_or_default();
        let lower: u16 = lower.iter().map(|count| u16::from(*count)).sum();
        let bits = self.words.get(word).copied().unwrap_or(0) & ((1 << (card % 32)) - 1);
        lower + bits.count_ones() as u16 // at most 32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    #[test]
    fn places_are_those_that_counting_each_card_gives() {
        let mut state = 9_u32;
        for (waiting, cards) in [(0, 312), (288, 312), (300, 424), (0, 1), (7, 8), (0, 424)] {
            let mut order: Vec<u16> = (0..cards).collect();
            for last in (1..order.len()).rev() {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                order.swap(last, (state >> 16) as usize % (last + 1));
            }
            let mut places = std::vec![0; usize::from(cards - waiting)];
            places_for(&order, waiting, &mut places);
            for (at, card) in order.iter().enumerate().filter(|(_, card)| **card >= waiting) {
                let earlier = order.iter().take(at).filter(|other| *other < card).count();
                assert_eq!(usize::from(places[usize::from(card - waiting)]), earlier);
            }
        }
    }
}
