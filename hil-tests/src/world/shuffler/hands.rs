//! The operator's hands: load, take, open, shut, clear, repair.

use croupier::shuffler::event::{Beam, Contact};

use super::card::{Card, CardId};
use super::mechanism::{Mechanism, Step};

/// Where a card can be hidden in a machine that is off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HidingPlace {
    /// In a slot of the wheel, on top of what lies there.
    Slot(u8),
    /// Between wheel and delivery tray, under the exit's beam.
    Exit,
    /// In the delivery tray.
    Delivery,
}

impl Mechanism {
    /// Opens new cards and puts them into the feed tray, behind what lies there.
    pub fn load_new(&mut self, cards: impl IntoIterator<Item = Card>, now: u64) -> Vec<CardId> {
        let opened = self.places.open(cards);
        self.load_from_table(&opened, now);
        opened
    }

    /// Puts cards from the table into the feed tray, behind what lies there.
    pub fn load_from_table(&mut self, cards: &[CardId], now: u64) {
        let wanted: std::collections::BTreeSet<_> = cards.iter().collect();
        self.places.table.retain(|card| !wanted.contains(card));
        self.places.tray.extend(cards);
        self.feel(now);
        self.places.assert_each_once();
    }

    /// Takes the delivered stack, the first card first.
    pub fn take_delivery(&mut self, now: u64) -> Vec<CardId> {
        let stack: Vec<CardId> = self.places.delivery.drain(..).collect();
        self.lay_on_table(stack, now)
    }

    /// Takes what lies in the feed tray.
    pub fn take_feed(&mut self, now: u64) -> Vec<CardId> {
        let stack: Vec<CardId> = self.places.tray.drain(..).collect();
        self.lay_on_table(stack, now)
    }

    /// Draws the first card of the chute.
    pub fn draw(&mut self, now: u64) -> Option<CardId> {
        let card = self.places.delivery.pop_front()?;
        self.plan(now, Step::Drawn(true));
        self.plan(now + self.passage(), Step::Drawn(false));
        self.lay_on_table(vec![card], now).first().copied()
    }

    /// Opens or shuts the lid.
    pub fn lid(&mut self, open: bool, now: u64) {
        self.touch(Contact::LidOpen, open, now);
    }

    /// Opens or shuts the door of the delivery tray.
    pub fn door(&mut self, open: bool, now: u64) {
        self.touch(Contact::DoorOpen, open, now);
    }

    /// Hides a card in a machine that is off; nothing notices before the power comes on.
    pub fn plant(&mut self, card: Card, place: HidingPlace, now: u64) -> CardId {
        let planted = self.places.open([card]);
        self.places.table.retain(|card| !planted.contains(card));
        match place {
            HidingPlace::Slot(slot) => self.places.enter(slot, planted.iter().copied()),
            HidingPlace::Exit => {
                self.places.exit.extend(&planted);
                self.set(Beam::Exit, true, now);
            }
            HidingPlace::Delivery => self.places.delivery.extend(&planted),
        }
        self.feel(now);
        self.places.assert_each_once();
        planted[0]
    }

    /// Takes every card out of the path, and frees what is stuck. Needs an open lid.
    pub fn clear_path(&mut self, now: u64) -> Vec<CardId> {
        assert!(self.contacts[Contact::LidOpen as usize], "the lid is in the way");
        self.steps.clear();
        let places = &mut self.places;
        let parts = [&mut places.throat, &mut places.mouth, &mut places.exit, &mut places.rail];
        let found: Vec<CardId> = parts.into_iter().flat_map(std::mem::take).collect();
        (self.jammed, self.clinging) = (false, None);
        (self.turning, self.homed) = (false, false);
        self.clear_beams(now);
        self.lay_on_table(found, now)
    }

    /// Cleans and mends what no operator may: beams, dust, the motion controller.
    pub fn repair(&mut self, now: u64) {
        for (place, stuck) in self.stuck.iter_mut().enumerate() {
            if let Some(shown) = stuck.take()
                && shown != self.beams[place]
            {
                let beam = croupier::shuffler::event::Beam::ALL[place];
                let event = croupier::shuffler::event::Event::Beam(beam, self.beams[place]);
                self.noticed.push_back((now, event));
            }
        }
        (self.dust, self.silent, self.slipped) = (0.0, false, 0);
        self.no_vane = false;
        self.see_slot(now);
    }

    /// Service's hand blocks a beam of the path and frees it. Of the slot beam the vane is the
    /// proof: cards in the wheel would hide it, and are taken out.
    pub fn try_beam(&mut self, beam: Beam, now: u64) {
        assert!(self.contacts[Contact::LidOpen as usize], "the lid is in the way");
        if beam != Beam::Slot {
            self.set(beam, true, now);
            self.set(beam, false, now);
            return;
        }
        let mut found = Vec::new();
        for slot in 0..self.wheel().slots {
            while let Some(card) = self.places.leave(slot) {
                found.push(card);
            }
        }
        self.lay_on_table(found, now);
        self.see_slot(now);
    }

    fn lay_on_table(&mut self, cards: Vec<CardId>, now: u64) -> Vec<CardId> {
        self.places.table.extend(&cards);
        self.feel(now);
        self.places.assert_none_missing();
        cards
    }
}
