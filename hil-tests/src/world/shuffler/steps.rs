//! What each movement of the mechanism does to the cards, and which sensor notices.

use croupier::shuffler::event::{Axis, Beam, Contact, Event, Outlet};

use super::mechanism::{Mechanism, Step, us};

impl Mechanism {
    pub(super) fn happen(&mut self, step: Step, at: u64) {
        match step {
            Step::MouthBlocked(cards) => {
                let picked = cards.min(self.places.tray.len());
                self.places.mouth.extend(self.places.tray.drain(..picked));
                self.set(Beam::Mouth, !self.places.mouth.is_empty(), at);
            }
            Step::Seen => {
                if self.shows(Beam::Mouth) {
                    self.noticed.push_back((at, Event::Seen(self.eye())));
                }
            }
            Step::MouthFree => self.set(Beam::Mouth, false, at),
            Step::Staged => {
                self.places.throat.append(&mut self.places.mouth);
                self.set(Beam::Throat, !self.places.throat.is_empty(), at);
            }
            Step::Loaded => {
                let cards = std::mem::take(&mut self.places.throat);
                self.places.enter(self.at, cards);
                self.set(Beam::Throat, false, at);
            }
            Step::ExitBlocked(cards) => {
                for _ in 0..cards {
                    let card = self.places.leave(self.at);
                    self.places.exit.extend(card);
                }
                self.set(Beam::Exit, true, at);
            }
            Step::ExitFree => {
                match self.outlet {
                    Outlet::Return => self.places.tray.extend(self.places.exit.drain(..)),
                    Outlet::Delivery => self.places.delivery.extend(self.places.exit.drain(..)),
                }
                self.set(Beam::Exit, false, at);
            }
            Step::SlotShaded(shaded) => self.set(Beam::Slot, shaded, at),
            Step::Drawn(blocked) => self.set(Beam::Draw, blocked, at),
            Step::BackedUp => self.backed_up(at),
            Step::Shaken => self.clinging = self.clinging.filter(|_| !self.fate.happens(0.8)),
            Step::Turned(_) | Step::Homed | Step::Stalled(_) => self.wheel_stands(step, at),
            Step::Diverted(outlet) => {
                self.outlet = outlet;
                self.diverting = false;
                self.noticed.push_back((at, Event::Diverted));
            }
            Step::Unanswered => self.noticed.push_back((at, Event::Unanswered)),
        }
    }

    /// What was not yet in the wheel lies in front of the tray's cards again, as it came.
    fn backed_up(&mut self, at: u64) {
        if !self.jammed {
            let (mouth, throat) = (&mut self.places.mouth, &mut self.places.throat);
            for card in throat.drain(..).chain(mouth.drain(..)).rev() {
                self.places.tray.push_front(card);
            }
        }
        self.set(Beam::Mouth, !self.places.mouth.is_empty(), at);
        self.set(Beam::Throat, !self.places.throat.is_empty(), at);
    }

    fn wheel_stands(&mut self, step: Step, at: u64) {
        let event = match step {
            Step::Turned(to) => {
                self.at = (to + self.slipped) % self.wheel.slots;
                Event::Turned(to)
            }
            Step::Stalled(axis) => {
                self.homed &= axis != Axis::Wheel;
                Event::Stalled(axis)
            }
            _ => {
                (self.at, self.slipped, self.homed) = (0, 0, true);
                Event::Homed
            }
        };
        self.turning = false;
        self.see_slot(at);
        self.noticed.push_back((at, event));
    }

    /// Contacts that feel cards follow where the cards are.
    pub(super) fn feel(&mut self, at: u64) {
        self.touch(Contact::FeedLoaded, !self.places.tray.is_empty(), at);
        self.touch(Contact::DeliveryLoaded, !self.places.delivery.is_empty(), at);
    }

    pub(super) fn touch(&mut self, contact: Contact, closed: bool, at: u64) {
        if self.contacts[contact as usize] != closed {
            self.contacts[contact as usize] = closed;
            self.noticed.push_back((at, Event::Contact(contact, closed)));
        }
    }

    /// Whether the beam seems blocked.
    pub(super) fn shows(&self, beam: Beam) -> bool {
        self.stuck[beam as usize].unwrap_or(self.beams[beam as usize])
    }

    pub(super) fn set(&mut self, beam: Beam, blocked: bool, at: u64) {
        let seemed = self.shows(beam);
        self.beams[beam as usize] = blocked;
        if self.shows(beam) != seemed {
            self.noticed.push_back((at, Event::Beam(beam, !seemed)));
        }
    }

    /// The beam shows the same from now on, whatever is in it.
    pub(super) fn stick(&mut self, beam: Beam, blocked: bool, at: u64) {
        let seemed = self.shows(beam);
        self.stuck[beam as usize] = Some(blocked);
        if blocked != seemed {
            self.noticed.push_back((at, Event::Beam(beam, blocked)));
        }
    }

    pub(super) fn clear_beams(&mut self, at: u64) {
        for beam in [Beam::Mouth, Beam::Throat, Beam::Exit] {
            self.set(beam, false, at);
        }
    }

    pub(super) fn passage(&self) -> u64 {
        us(self.timings.passage)
    }
}
