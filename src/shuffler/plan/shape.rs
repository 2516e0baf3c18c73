//! The shape of a two-pass plan: how places are cut into blocks, ranges and ranks.
//!
//! A block is as many places as a slot of the second pass will hold; a range is as many
//! blocks as there may be cards in a slot of the first. The second pass then moves only
//! within a range at a time, which is what makes it quick. For each number of cards the
//! lengths with the least expected travel are taken. Where the blocks have room for more than
//! the cards, the first may begin with some of its ranks missing: of five such cuts the one
//! that is quickest for the order at hand is taken. Any of them gives the same order.

use super::pace::Pace;
use crate::shuffler::card_path::wheel::Wheel;

/// The lengths, and where on the wheel each pass begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shape {
    slots: u8,
    /// Places in a block.
    block: u8,
    /// Places missing in the first block.
    cut: u8,
    /// Blocks in a range.
    range: u8,
    /// Blocks in all.
    blocks: u8,
    /// The first slot, the same in both passes: so their unused slots are the same.
    first: u8,
    /// Blocks are dealt out to the ranges in turn, so that a range is all over the wheel.
    scattered: bool,
}

impl Shape {
    /// The shape for `count` cards that spares the wheel most, when slot `at` stands at the
    /// feed; `None` if two passes cannot do it.
    pub(super) fn for_cards(wheel: &Wheel, pace: &Pace, count: u16, at: u8) -> Option<Self> {
        let mut best: Option<(u32, Self)> = None;
        for block in 1..=wheel.capacity {
            let blocks = count.div_ceil(block.into());
            let Some(blocks) = u8::try_from(blocks).ok().filter(|blocks| *blocks <= wheel.slots)
            else {
                continue;
            };
            for ranges in blocks.div_ceil(wheel.capacity)..=wheel.slots / block {
                let range = blocks.div_ceil(ranges.max(1));
                let used = blocks.div_ceil(range) * block;
                let loads = pace.mean_load_us(used) + pace.mean_load_us(range);
                let visits = u32::from(used + blocks) * pace.turn_us(0, 1);
                let cost = u32::from(count) * loads + visits;
                if best.is_none_or(|(least, _)| cost < least) {
                    let (slots, first) = (wheel.slots, at % wheel.slots);
                    let shape =
                        Self { slots, block, cut: 0, range, blocks, first, scattered: false };
                    best = Some((cost, shape));
                }
            }
        }
        best.map(|(_, shape)| shape)
    }

    /// The plain radix sort: any slots will do. Only to be measured against.
    pub(super) fn plain(wheel: &Wheel, count: u16) -> Option<Self> {
        let (block, range) = (wheel.capacity, wheel.capacity);
        let blocks = u8::try_from(count.div_ceil(block.into())).ok()?;
        let slots = wheel.slots;
        let shape = Self { slots, block, cut: 0, range, blocks, first: 0, scattered: true };
        let fits = blocks <= wheel.slots && shape.first_pass_slots() <= wheel.slots;
        fits.then_some(shape)
    }

    /// How long the wheel takes in the first pass to load cards with these final places.
    fn loads_us(&self, pace: &Pace, places: &[u16]) -> u32 {
        let slots = places.iter().map(|place| self.slot(1, *place));
        let mut at = self.first;
        slots.map(|slot| pace.load_us(core::mem::replace(&mut at, slot), slot)).sum()
    }

    /// The slots of the first pass.
    const fn first_pass_slots(&self) -> u8 {
        self.blocks.div_ceil(self.range) * self.block
    }

    /// The slot in `pass` for the card whose final place is `place`.
    pub(super) const fn slot(&self, pass: u8, place: u16) -> u8 {
        let place = place + self.cut as u16;
        let (block, rank) = (place / self.block as u16, place % self.block as u16);
        if pass != 1 {
            self.turned(block)
        } else if self.scattered {
            let ranges = self.blocks.div_ceil(self.range) as u16;
            self.turned(rank * ranges + block % ranges)
        } else {
            self.turned(block / self.range as u16 * self.block as u16 + rank)
        }
    }

    /// The slot unloaded as number `visit` of `pass`.
    pub(super) const fn visit(&self, pass: u8, visit: u8) -> Option<u8> {
        let slots = if pass == 1 { self.first_pass_slots() } else { self.blocks };
        if visit < slots { Some(self.turned(visit as u16)) } else { None }
    }

    /// Whether cards go to `slot` in either pass.
    pub(super) fn uses(&self, slot: u8) -> bool {
        let steps = (slot + self.slots - self.first) % self.slots;
        steps < self.first_pass_slots().max(self.blocks)
    }

    const fn turned(&self, steps: u16) -> u8 {
        ((self.first as u16 + steps) % self.slots as u16) as u8 // a slot's number
    }
}

/// Cuts that are tried: none, and the last as large as there is room for.
const CUTS: u16 = 5;

/// A shape whose cut is being chosen, one try in a [step](Self::step) of some 40,000
/// instructions.
pub(super) struct Cutting {
    pace: Pace,
    shape: Shape,
    /// Places the blocks have beyond the cards.
    room: u16,
    tried: u16,
    /// The time of the quickest cut so far, and the cut.
    best: (u32, u8),
}

impl Cutting {
    /// Of the shape for `count` cards, when slot `at` stands at the feed; `None` if two passes
    /// cannot do it.
    pub(super) fn new(wheel: &Wheel, count: u16, at: u8) -> Option<Self> {
        let pace = Pace::new(wheel);
        let shape = Shape::for_cards(wheel, &pace, count, at)?;
        let room = (u16::from(shape.blocks) * u16::from(shape.block)).saturating_sub(count);
        Some(Self { pace, shape, room, tried: 0, best: (u32::MAX, 0) })
    }

    /// The shape without a cut.
    pub(super) const fn uncut(&self) -> Shape {
        self.shape
    }

    /// Tries the next cut for cards with these final places; the shape, once all were tried.
    pub(super) fn step(&mut self, places: &[u16]) -> Option<Shape> {
        let cut = (self.room * self.tried / (CUTS - 1)) as u8; // less than a block
        let time = Shape { cut, ..self.shape }.loads_us(&self.pace, places);
        self.best = self.best.min((time, cut));
        self.tried += 1;
        (self.tried == CUTS).then_some(Shape { cut: self.best.1, ..self.shape })
    }
}
