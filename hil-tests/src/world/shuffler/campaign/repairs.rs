//! What people do when the device has stopped: what its next step says, by whom it says.

use croupier::cards::BackColour;
use croupier::protocol::generated::croupier::common::{NextStep, Role};
use croupier::protocol::generated::croupier::shuffler::{Purpose, Task};
use croupier::shuffler::{Fault, State};

use super::crew::{Crew, MOST_TRIES, Shuffled, Stuck};
use super::results::{Helper, note};
use crate::world::shuffler::Card;
use crate::world::shuffler::hands::HidingPlace;

impl Crew {
    /// Does what the stopped device asks for; its cards lie in the feed tray afterwards.
    pub(super) fn attend(&mut self, colour: BackColour) -> Result<Shuffled, Stuck> {
        self.keep_time();
        let State::Stopped(fault) = self.table.shuffler.state() else {
            self.look_inside(colour);
            return Ok(Shuffled::Certified);
        };
        let dealt = self.pile(colour).len();
        self.judge.stopped(&self.table, colour, dealt);
        let status = self.table.status();
        note(&mut self.judge.results.helpers, helper(status.cleared_by));
        if status.cleared_by == Role::Service {
            self.call_service(fault);
        }
        match (status.next_step, fault) {
            (NextStep::RemoveDeck | NextStep::ChangeDeck, _) => self.replace(colour, fault)?,
            (_, Fault::SameBatchAgain) => {
                self.clear(fault, Role::Floorperson);
                self.unload(colour);
                return Ok(Shuffled::OtherTurn);
            }
            (NextStep::SetClock, _) => {
                self.clear(fault, Role::Floorperson);
                self.look_inside(colour);
            }
            (NextStep::OpenBatch, _) => self.replace(colour, fault)?,
            (_, Fault::CoverCards) => {
                self.look_inside(colour);
                self.empty_out(colour)?;
                self.put_back_loose(colour);
            }
            _ => self.look_inside(colour),
        }
        Ok(Shuffled::Certified)
    }

    /// Opens the lid, takes out what is stuck, and puts all cards into the feed tray, face down.
    pub(super) fn look_inside(&mut self, colour: BackColour) {
        self.clear_path();
        self.take_what_can_be_had();
        self.put_back_loose(colour);
    }

    /// Takes what lies in the feed tray, and behind the door if it is not locked.
    fn take_what_can_be_had(&mut self) {
        let now = self.table.now();
        self.table.mechanism.take_feed(now);
        self.table.settle();
        if !self.is_locked() && !self.table.mechanism.places.delivery.is_empty() {
            self.take_stack();
        }
    }

    fn put_back_loose(&mut self, colour: BackColour) {
        let cards = self.loose(colour);
        self.turn_cards(&cards);
        self.table.put_back(&cards);
    }

    fn clear_path(&mut self) {
        let now = self.table.now();
        self.table.mechanism.lid(true, now);
        self.table.settle();
        let now = self.table.now();
        self.table.mechanism.clear_path(now);
        self.table.settle();
        let now = self.table.now();
        self.table.mechanism.lid(false, now);
        self.table.mechanism.door(false, now);
        self.table.settle();
    }

    /// Service cleans and mends everything, and clears what only it may clear.
    fn call_service(&mut self, fault: Fault) {
        self.clear_path();
        let now = self.table.now();
        self.table.mechanism.repair(now);
        self.table.settle();
        if let Fault::Sensor(beam) = fault {
            self.table.mechanism.lid(true, now);
            self.table.settle();
            self.table.mechanism.try_beam(beam, self.table.now());
            self.table.settle();
            self.table.mechanism.lid(false, self.table.now());
            self.table.settle();
        }
        self.clear(fault, Role::Service);
    }

    fn clear(&mut self, fault: Fault, by: Role) {
        if let Err(refused) = self.table.clear(fault.trouble(), by) {
            self.note_refusal("CLEAR", refused);
        }
    }

    /// The floorperson takes the batch away, all of it, and brings new cards.
    fn replace(&mut self, colour: BackColour, fault: Fault) -> Result<(), Stuck> {
        self.clear_path();
        self.clear(fault, Role::Floorperson);
        self.empty_out(colour)?;
        let cards = self.loose(colour);
        self.remove(&cards);
        self.change(colour);
        self.load(colour);
        Ok(())
    }

    /// Brings every card out of the machine onto the table.
    pub(super) fn empty_out(&mut self, colour: BackColour) -> Result<(), Stuck> {
        for _ in 0..MOST_TRIES {
            self.take_what_can_be_had();
            if let Err(refused) = self.table.ask(Task::Empty, Purpose::None, Role::Floorperson) {
                self.note_refusal("EMPTY", refused);
                self.clear_path();
                continue;
            }
            let State::Stopped(fault) = self.table.shuffler.state() else {
                self.take_stack();
                return Ok(());
            };
            self.judge.stopped(&self.table, colour, self.total);
            note(&mut self.judge.results.helpers, helper(fault.cleared_by()));
            self.call_service(fault);
        }
        Err(self.give_up("EMPTY"))
    }

    /// Makes good what happened unseen: a stack that is certified no more, a
    /// power cut, a stop behind the door.
    pub(super) fn recover(&mut self, colour: BackColour) -> Result<(), Stuck> {
        match self.table.shuffler.state() {
            State::Stopped(_) => self.attend(colour).map(|_| ()),
            _ => Ok(()),
        }
    }

    /// The controller sets the day clock as soon as it sees that it is not set.
    pub(super) fn keep_time(&mut self) {
        let now = self.table.moment();
        if self.table.shuffler.services.clock.utc_ms(now).is_none()
            && let Err(refused) = self.table.set_clock(Role::Controller)
        {
            self.note_refusal("CLOCK_SET", refused);
        }
    }

    /// The table closes: the power is off for the night, and strange hands may be at work.
    pub(super) fn night(&mut self, colour: BackColour) {
        self.power_ons += 1;
        self.judge.results.power_ons += 1;
        if self.power_ons.is_multiple_of(self.plant_every) {
            self.plant(colour);
        }
        self.table.cut_power();
        self.table.settle();
        self.keep_time();
        if matches!(self.table.shuffler.state(), State::Stopped(_)) {
            // The stack behind the door is not shuffled any more, or a card is in the way.
            self.look_inside(colour);
        }
    }

    /// Hides a card in the machine: of this colour mostly, of another sometimes.
    fn plant(&mut self, colour: BackColour) {
        let colour = if self.rng.u8(..4) == 0 { colour.other() } else { colour };
        let wheel = *self.table.mechanism.wheel();
        let slot = self.rng.u8(..wheel.slots);
        let held = self.table.mechanism.places.slots[usize::from(slot)].len();
        let place = match self.rng.u8(..4) {
            0 => HidingPlace::Delivery,
            1 => HidingPlace::Exit,
            _ if held < usize::from(wheel.capacity) => HidingPlace::Slot(slot),
            _ => HidingPlace::Exit,
        };
        let now = self.table.now();
        let card = self.table.mechanism.plant(Card::new(colour), place, now);
        self.judge.planted(card);
    }
}

const fn helper(role: Role) -> Helper {
    match role {
        Role::Service => Helper::Service,
        Role::Floorperson => Helper::Floorperson,
        _ => Helper::Dealer,
    }
}
