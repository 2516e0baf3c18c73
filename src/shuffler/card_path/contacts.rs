//! Lid, door and trays: what a contact that opens or closes means.

use super::event::{Beam, Contact};
use crate::protocol::generated::croupier::common::Role;
use crate::shuffler::fault::{Cut, Fault, Station};
use crate::shuffler::machine::{Machine, Moment, State};

impl Machine {
    /// A contact opened or closed, or is seen for the first time.
    pub(in crate::shuffler) fn touched(&mut self, contact: Contact, closed: bool, moment: &Moment) {
        let place = self.contacts.get_mut(contact as usize);
        let before = place.is_some_and(|place| core::mem::replace(place, closed));
        match (contact, closed) {
            (Contact::LidOpen, true) if !before => self.opened(Cut::Lid, moment),
            (Contact::LidOpen, false) if before => self.lid_shut(moment),
            (Contact::DoorOpen, true) if !before => self.opened(Cut::Door, moment),
            (Contact::FeedLoaded, loaded) => self.feed_tray_changed(loaded, moment),
            (Contact::DeliveryLoaded, loaded) => self.chute_changed(loaded, moment),
            _ => {}
        }
        self.see_release();
    }

    /// Cards laid beside a stack that waits are harmless to it: 590.5(g)(2) has the cards from the
    /// table put into the device first, and only then the stored batch removed (SH-25).
    fn feed_tray_changed(&mut self, loaded: bool, moment: &Moment) {
        self.cycle.tray_changed(loaded);
        if let Some(continuous) = &mut self.continuous {
            continuous.tray_changed(loaded);
        }
        if self.state.is_busy() {
            self.proceed(None, moment);
        }
    }

    /// What is open.
    pub(in crate::shuffler) fn is_open(&self) -> Option<Cut> {
        let places = [(Contact::LidOpen, Cut::Lid), (Contact::DoorOpen, Cut::Door)];
        places.into_iter().find(|(contact, _)| self.contact(*contact)).map(|(_, cut)| cut)
    }

    /// The lid or the door was opened. A card may have been taken out, or left in; behind a door
    /// that is open for a release, only past the exit's beam.
    fn opened(&mut self, cut: Cut, moment: &Moment) {
        let released = (self.state, cut) == (State::Releasing, Cut::Door);
        self.record.inventory.certain &= released;
        match (self.state, cut) {
            // In a continuous machine the dealer's hand is at the chute all the time.
            (State::Circulating, Cut::Door) => {}
            _ if self.state.is_busy() || self.waits() => {
                self.stop_with(Fault::Interrupted(cut), moment);
            }
            (_, Cut::Lid) => {
                self.path.stop();
                self.drop_check();
            }
            _ => {}
        }
    }

    /// The lid was shut. A beam that is blocked although hands could clear the path twice in a row
    /// does not see any more (SH-23); the first time a card may have been forgotten.
    fn lid_shut(&mut self, moment: &Moment) {
        let beams = [Beam::Mouth, Beam::Throat, Beam::Exit];
        let blocked = beams.into_iter().find(|beam| self.path.is_blocked(*beam));
        let rests = match self.state {
            State::Idle => true,
            State::Stopped(fault) => !fault.is_grave(),
            _ => false,
        };
        match blocked.filter(|_| rests) {
            Some(beam) if self.shut_blocked => self.stop_with(Fault::Sensor(beam), moment),
            found => self.shut_blocked = found.is_some(),
        }
    }

    /// A card or motor moved that had no order to.
    pub(in crate::shuffler) fn disturbed(&mut self, fault: Fault, moment: &Moment) {
        // Past throat and exit a card may have come into the wheel, pushed or fed.
        self.record.inventory.certain &= fault == Fault::Jam(Station::Mouth);
        match self.state {
            // People reach in now.
            State::Stopped(_) => self.doubt_check(fault),
            State::Releasing => {}
            // Cards laid into the tray may slide as far as the mouth; no start until they are back.
            State::Idle | State::Ready | State::Stored if fault == Fault::Jam(Station::Mouth) => {}
            _ if self.contact(Contact::LidOpen) => {}
            _ => self.stop_with(fault, moment),
        }
    }

    /// The release is over once the stack was taken and the door is shut.
    fn see_release(&mut self) {
        let taken = !self.contact(Contact::DeliveryLoaded) && !self.contact(Contact::DoorOpen);
        if self.state == State::Releasing && taken {
            self.state = State::Idle;
            self.record.inventory.delivered = 0;
            self.save();
        }
    }

    /// Whether the game may not be changed: cards move, wait, or may be inside (CM-07).
    pub(in crate::shuffler) fn binds_game(&self) -> bool {
        match self.state {
            State::Idle => self.record.inventory.inside > 0,
            State::Stopped(_) => !self.is_surely_empty(),
            _ => true,
        }
    }

    /// Whether the door is locked: while cards move, wait for a release, or may be taken only
    /// by a floorperson (SH-08).
    pub(in crate::shuffler) fn is_locked(&self) -> bool {
        match self.state {
            State::Idle | State::Releasing => false,
            // A stuck card would be torn; a wrong deck is taken by the floorperson.
            State::Stopped(fault) => {
                self.cleared_by(fault) != Role::Dealer || self.path.is_blocked(Beam::Exit)
            }
            _ => true,
        }
    }
}
