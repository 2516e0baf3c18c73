//! The order of the cards: drawn whole before a card moves, and made nowhere else.

use core::cell::Cell;
use core::num::NonZeroU32;

use zeroize::{Zeroize, ZeroizeOnDrop};

use super::sampler::{DrawFault, Recycler, Refill};

/// The most cards in an order: eight decks with a joker each.
pub const MOST_CARDS: usize = 424;

/// Where an order is laid out. It stays there, so that no copy is left in memory.
pub struct OrderBuffer([u16; MOST_CARDS]);

impl OrderBuffer {
    /// An empty buffer.
    pub const fn new() -> Self {
        Self([0; MOST_CARDS])
    }

    #[cfg(test)]
    pub(super) fn is_blank(&self) -> bool {
        self.0.iter().all(|&card| card == 0)
    }
}

impl Default for OrderBuffer {
    fn default() -> Self {
        Self::new()
    }
}

/// An order of cards: which card, from zero up, comes to each place.
///
/// Only the random core makes one, and only of a whole request that passed. It can be
/// neither copied nor printed, and is wiped when dropped.
pub struct Order<'buffer>(&'buffer mut [u16]);

impl Order<'_> {
    /// The cards, in the order of their places.
    pub const fn cards(&self) -> &[u16] {
        self.0
    }
}

impl Drop for Order<'_> {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl ZeroizeOnDrop for Order<'_> {}

/// An order still being drawn; dropped on a fault, it takes what it holds along.
pub(super) struct Unfinished<'buffer>(Order<'buffer>);

impl<'buffer> Unfinished<'buffer> {
    /// `count` cards in the order of a new pack, if the buffer can take them.
    pub(super) fn lay_out(buffer: &'buffer mut OrderBuffer, count: usize) -> Option<Self> {
        let cards = buffer.0.get_mut(..count).filter(|cards| !cards.is_empty())?;
        for (place, card) in (0..).zip(cards.iter_mut()) {
            *card = place;
        }
        Some(Self(Order(cards)))
    }

    /// Draws the order: a card for the last place, then for the one before (Fisher-Yates).
    pub(super) fn draw<const FLOOR: u32, const WIDTH: u32, R: Refill>(
        &mut self,
        sampler: &mut Recycler<FLOOR, WIDTH>,
        bits: &mut R,
    ) -> Result<(), DrawFault<R::Stop>> {
        shuffle(self.0.0, sampler, bits)
    }

    /// The order, now that its request has passed.
    pub(super) fn finish(self) -> Order<'buffer> {
        self.0
    }
}

/// Brings `cards` into an order drawn from `bits`. All orders are equally likely.
///
/// For the proof of exactness and for comparison with other shufflers; the devices get
/// their orders from the random core, whose bits are fresh and accounted for.
pub fn shuffle<const FLOOR: u32, const WIDTH: u32, R: Refill>(
    cards: &mut [u16],
    sampler: &mut Recycler<FLOOR, WIDTH>,
    bits: &mut R,
) -> Result<(), DrawFault<R::Stop>> {
    sampler.lend(|hand| {
        let mut left = Cell::from_mut(cards).as_slice_of_cells();
        while let [rest @ .., last] = left
            && !rest.is_empty()
        {
            let count = NonZeroU32::MIN.saturating_add(rest.len() as u32);
            let drawn = hand.draw(count, bits)?;
            let picked = left.get(drawn as usize).ok_or(DrawFault::Broken)?;
            picked.set(last.replace(picked.get()));
            left = rest;
        }
        Ok(())
    })
}
