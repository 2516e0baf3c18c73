//! The plan: from a drawn order to slots, so that the wheel brings out exactly that order.
//!
//! Each card fed gets the slot its final place calls for. Where every card has a slot of
//! its own, one pass does it: the slots are unloaded in the order of their places. More
//! cards take two passes, a radix sort: the places are cut into **blocks**, one slot each
//! in the second pass, and the blocks into **ranges**. The first pass collects, for each
//! range, the cards of each **rank** within their block; unloaded range by range and rank
//! by rank onto the feed tray, they meet their block's slot in the order of their rank, and
//! a slot gives back first what came first. No randomness but the drawn order takes part.
//!
//! If fewer cards come than were drawn for, the same slots still give a uniform order of
//! those that came: dropping cards from a random order leaves a random order (SH-28).
//!
//! Which slot stands for which place is free, and chosen to spare the wheel its way:
//! `exchange` for one pass, `shape` for two.

mod exchange;
pub mod pace;
mod shape;

use heapless::Vec;
use zeroize::{Zeroize, ZeroizeOnDrop};

use super::card_path::wheel::Wheel;
use crate::entropy::MOST_CARDS;
use exchange::Exchange;
use shape::{Cutting, Shape};

/// The most slots of any wheel.
pub const MOST_SLOTS: usize = 54;

/// Why an order cannot be planned; then the machine begins no cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Unplannable {
    /// No cards, or more than the wheel takes in two passes.
    Cards,
    /// Not each card once.
    NoOrder,
}

/// How places become slots.
#[allow(clippy::large_enum_variant)] // there is one plan, and it has its place
enum Route {
    /// One pass, for which slots are being chosen.
    Choosing(Exchange),
    /// Two passes, for which the cut is being chosen.
    Cutting(Cutting),
    /// One pass; the slot of each place.
    Direct([u8; MOST_SLOTS]),
    /// Two passes.
    Radix(Shape),
}

/// A plan for one order. It is an order, so it is wiped when dropped and never printed.
pub struct Plan {
    wheel: Wheel,
    count: u16,
    /// The final place of each card, in the order this pass feeds them.
    places: [u16; MOST_CARDS],
    route: Route,
    pass: u8,
}

impl Plan {
    /// No plan yet, and a place for one. An order is laid out in it and never moved, so that
    /// no copy is left in memory.
    pub const fn blank(wheel: Wheel) -> Self {
        let (places, route) = ([u16::MAX; MOST_CARDS], Route::Direct([0; MOST_SLOTS]));
        Self { wheel, count: 0, places, route, pass: 1 }
    }

    /// The plan for `order`, in a place of its own. Devices use [`Plan::lay_out`].
    pub fn new(wheel: Wheel, order: &[u16], at: u8) -> Result<Self, Unplannable> {
        let mut plan = Self::blank(wheel);
        plan.lay_out(order, at)?;
        Ok(plan)
    }

    /// Plans for `order`, which says for each place the card that comes there, counted as
    /// fed; the wheel stands with slot `at` at the feed.
    pub fn lay_out(&mut self, order: &[u16], at: u8) -> Result<(), Unplannable> {
        self.begin(order, at)?;
        while self.is_choosing() {
            self.choose_on();
        }
        Ok(())
    }

    /// Begins to plan for `order`. It is laid out when [nothing is left to
    /// choose](Self::is_choosing).
    pub fn begin(&mut self, order: &[u16], at: u8) -> Result<(), Unplannable> {
        self.lay_out_places(order.len(), (0..).zip(order.iter().copied()))?;
        self.choose_slots(at)
    }

    /// Whether slots are still being chosen, by [`choose_on`](Self::choose_on).
    pub const fn is_choosing(&self) -> bool {
        matches!(self.route, Route::Choosing(_) | Route::Cutting(_))
    }

    /// Goes on choosing slots, for less than a millisecond.
    pub fn choose_on(&mut self) {
        match &mut self.route {
            Route::Choosing(exchange) => {
                exchange.step();
                self.take_chosen();
            }
            Route::Cutting(cutting) => {
                let places = self.places.get(..usize::from(self.count)).unwrap_or_default();
                if let Some(shape) = cutting.step(places) {
                    self.route = Route::Radix(shape);
                }
            }
            Route::Direct(_) | Route::Radix(_) => {}
        }
    }

    /// Plans to change nothing: the cards come out as they lay (SH-14).
    pub fn lay_out_as_they_lie(&mut self, count: u16, at: u8) -> Result<(), Unplannable> {
        self.lay_out_places(count.into(), (0..count).map(|card| (card, card)))?;
        self.choose_slots(at)?;
        if let Route::Cutting(cutting) = &self.route {
            self.route = Route::Radix(cutting.uncut());
        }
        Ok(())
    }

    /// The same order without sparing the wheel: slots by place, or a plain radix sort. Only to
    /// be measured against.
    pub fn thoughtless(wheel: Wheel, order: &[u16]) -> Result<Self, Unplannable> {
        let mut plan = Self::blank(wheel);
        plan.lay_out_places(order.len(), (0..).zip(order.iter().copied()))?;
        if order.len() > usize::from(wheel.slots) {
            plan.route = Route::Radix(Shape::plain(&wheel, plan.count).ok_or(Unplannable::Cards)?);
        } else if let Route::Direct(slots) = &mut plan.route {
            for (place, slot) in (0..).zip(slots) {
                *slot = place;
            }
        }
        Ok(plan)
    }

    /// Notes the place of each card, and that each comes once.
    fn lay_out_places(
        &mut self,
        count: usize,
        order: impl Iterator<Item = (u16, u16)>,
    ) -> Result<(), Unplannable> {
        self.wipe();
        let cards = self.places.get_mut(..count).ok_or(Unplannable::Cards)?;
        for (place, card) in order {
            match cards.get_mut(usize::from(card)) {
                Some(free) if *free == u16::MAX => *free = place,
                _ => return Err(Unplannable::NoOrder),
            }
        }
        self.count = cards.len() as u16; // at most 424
        if self.count == 0 { Err(Unplannable::Cards) } else { Ok(()) }
    }

    fn choose_slots(&mut self, at: u8) -> Result<(), Unplannable> {
        let places = self.places.get(..usize::from(self.count)).unwrap_or_default();
        if self.count > self.wheel.slots.into() {
            let cutting = Cutting::new(&self.wheel, self.count, at);
            self.route = Route::Cutting(cutting.ok_or(Unplannable::Cards)?);
        } else {
            self.route = Route::Choosing(Exchange::new(&self.wheel, places, at));
            self.take_chosen();
        }
        Ok(())
    }

    /// Takes the slots, if all tries were made.
    fn take_chosen(&mut self) {
        if let Route::Choosing(exchange) = &mut self.route
            && exchange.is_done()
        {
            let slots = exchange.slots();
            exchange.zeroize();
            self.route = Route::Direct(slots);
        }
    }

    /// Forgets the order (SH-42).
    pub fn wipe(&mut self) {
        self.places.zeroize();
        self.places.fill(u16::MAX);
        match &mut self.route {
            Route::Direct(slots) => slots.zeroize(),
            Route::Choosing(exchange) => exchange.zeroize(),
            Route::Cutting(_) | Route::Radix(_) => {}
        }
        self.route = Route::Direct([0; MOST_SLOTS]);
        (self.count, self.pass) = (0, 1);
    }

    /// Whether nothing of an order is left in it.
    pub fn is_blank(&self) -> bool {
        let slots = matches!(self.route, Route::Direct(slots) if slots == [0; MOST_SLOTS]);
        slots && self.places.iter().all(|place| *place == u16::MAX)
    }

    /// The wheel whose slots it fills.
    pub const fn wheel(&self) -> &Wheel {
        &self.wheel
    }

    /// The cards it was drawn for.
    pub const fn count(&self) -> u16 {
        self.count
    }

    /// Passes it takes: how often each card goes through the wheel.
    pub const fn passes(&self) -> u8 {
        match self.route {
            Route::Direct(_) | Route::Choosing(_) => 1,
            Route::Cutting(_) | Route::Radix(_) => 2,
        }
    }

    /// The pass it is in, from 1.
    pub const fn pass(&self) -> u8 {
        self.pass
    }

    /// The slot for the card that is fed as number `fed` of this pass, from 0.
    pub fn slot(&self, fed: u16) -> Option<u8> {
        let place = *self.places.get(..usize::from(self.count))?.get(usize::from(fed))?;
        // In a later pass fewer cards may come than were drawn for (SH-28).
        if place == u16::MAX { None } else { self.slot_of(place) }
    }

    fn slot_of(&self, place: u16) -> Option<u8> {
        match &self.route {
            Route::Direct(slots) => slots.get(usize::from(place)).copied(),
            Route::Choosing(_) | Route::Cutting(_) => None,
            Route::Radix(shape) => Some(shape.slot(self.pass, place)),
        }
    }

    /// The slot to be unloaded as number `visit` of this pass, from 0.
    pub fn visit(&self, visit: u8) -> Option<u8> {
        match &self.route {
            Route::Direct(slots) if u16::from(visit) < self.count => {
                slots.get(usize::from(visit)).copied()
            }
            Route::Direct(_) | Route::Choosing(_) | Route::Cutting(_) => None,
            Route::Radix(shape) => shape.visit(self.pass, visit),
        }
    }

    /// A slot that no card of this plan ever goes to, for what is not counted (SH-26).
    pub fn spare_slot(&self, number: u8) -> Option<u8> {
        let used = |slot: &u8| match &self.route {
            Route::Direct(slots) => {
                slots.get(..usize::from(self.count)).is_some_and(|slots| slots.contains(slot))
            }
            Route::Choosing(_) | Route::Cutting(_) => true,
            Route::Radix(shape) => shape.uses(*slot),
        };
        (0..self.wheel.slots).filter(|slot| !used(slot)).nth(number.into())
    }

    /// Goes to the next pass, of `fed` cards as they now lie on the feed tray.
    ///
    /// They lie as the slots were unloaded, and in each slot as they were fed.
    pub fn next_pass(&mut self, fed: u16) {
        let mut before = self.places;
        self.places.fill(u16::MAX);
        let cards = before.get(..usize::from(fed.min(self.count))).unwrap_or_default();
        // Each card's slot is computed once: the cards wait for this.
        let mut slots = [0_u8; MOST_CARDS];
        let mut starts = [0_u16; MOST_SLOTS];
        for (place, slot) in cards.iter().zip(&mut slots) {
            *slot = self.slot_of(*place).unwrap_or_default();
            if let Some(start) = starts.get_mut(usize::from(*slot)) {
                *start += 1;
            }
        }
        let mut next = 0;
        for slot in (0..=u8::MAX).map_while(|visit| self.visit(visit)) {
            if let Some(start) = starts.get_mut(usize::from(slot)) {
                next += core::mem::replace(start, next);
            }
        }
        for (place, slot) in cards.iter().zip(&slots) {
            if let Some(start) = starts.get_mut(usize::from(*slot))
                && let Some(lies) = self.places.get_mut(usize::from(*start))
            {
                *lies = *place;
                *start += 1;
            }
        }
        self.pass += 1;
        before.zeroize();
        slots.zeroize();
    }

    /// Every visit of this pass.
    pub fn visits(&self) -> Vec<u8, MOST_SLOTS> {
        (0..=u8::MAX).map_while(|visit| self.visit(visit)).take(MOST_SLOTS).collect()
    }
}

impl Drop for Plan {
    fn drop(&mut self) {
        self.wipe();
    }
}

impl ZeroizeOnDrop for Plan {}
