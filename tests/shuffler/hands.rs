//! A pair of hands at the rig: cards go in, lid and door are opened, stacks are taken.

use croupier::shuffler::{Beam, Contact, Event, ShufflerStore};

use crate::harness::{Card, Rig};

impl<S: ShufflerStore> Rig<S> {
    pub fn put_in(&mut self, cards: Vec<Card>) {
        self.world.tray.extend(cards);
        let says = self.world.tray_contact();
        self.sense(Event::Contact(Contact::FeedLoaded, says));
    }

    pub fn set_lid(&mut self, open: bool) {
        self.lid = open;
        self.sense(Event::Contact(Contact::LidOpen, open));
    }

    pub fn set_door(&mut self, open: bool) {
        self.door = open;
        self.sense(Event::Contact(Contact::DoorOpen, open));
    }

    /// The dealer opens the door if it is not locked, and takes the stack.
    pub fn take_stack(&mut self) -> Vec<Card> {
        assert!(!self.shown().door_locked, "{:?}", self.shuffler.state());
        self.set_door(true);
        let stack = std::mem::take(&mut self.world.delivery);
        self.sense(Event::Contact(Contact::DeliveryLoaded, false));
        self.set_door(false);
        stack
    }

    /// The lid is opened, cards stuck on the path are put back into the tray, the lid shut.
    pub fn clear_by_hand(&mut self) {
        if !self.lid {
            self.set_lid(true);
        }
        self.world.stuck = false;
        self.world.mishap = None;
        self.world.pending.clear();
        let exit_blocked = self.world.blocked[Beam::Exit as usize];
        if exit_blocked && let Some(card) = self.world.slots[usize::from(self.world.at)].pop_front()
        {
            self.world.path.push(card);
        }
        while let Some(card) = self.world.path.pop() {
            self.world.tray.push_front(card);
        }
        for beam in [Beam::Mouth, Beam::Throat, Beam::Exit] {
            if self.world.blocked[beam as usize] {
                self.world.blocked[beam as usize] = false;
                self.sense(Event::Beam(beam, false));
            }
        }
        self.set_lid(false);
        self.settle_contacts();
    }

    /// Whatever happened: people clear it, feed every card, and shuffle once more in full.
    pub fn recover(&mut self) {
        self.world.mishap = None;
        self.run();
        self.clear_by_hand();
        self.run();
        if !self.world.delivery.is_empty() {
            let stack = self.take_stack();
            self.put_in(stack);
        }
        self.shuffle();
    }
}
