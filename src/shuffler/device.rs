//! The shuffler: what the mechanism notices and what people ask, in; what it does, out.
//!
//! This file holds the device together and says which state follows which event. How a
//! cycle begins is in `starting`, how it ends in `ending`, what is asked over the wire in
//! `commands`.

use heapless::Deque;

use super::batch::Batches;
use super::card_path::event::{Action, Contact, Event};
use super::card_path::path::{Path, Report};
use super::card_path::sweep::Sweep;
use super::continuous::Continuous;
use super::cycle::count::Receipt;
use super::cycle::{Cycle, Ended};
use super::events::DeviceEvent;
use super::fault::{Cut, Fault, Station};
use super::model::Model;
use super::record::{Ledger, ShufflerStore};
use crate::cards::BackColour;
use crate::panel::LampTest;
use crate::profile::Profile;
use crate::protocol::generated::croupier::common::{Role, Trouble};
use crate::protocol::generated::croupier::shuffler::Purpose;
use crate::services::CommonServices;
use crate::store::StoreError;

/// What it is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Nothing; no stack waits.
    Idle,
    /// The wheel looks for its home.
    Homing,
    /// Whatever is inside is brought out.
    Emptying(Sweep),
    /// The random core is asked for an order.
    Drawing,
    /// A cycle is under way.
    Cycling,
    /// A stack waits behind the locked door; the certificate says whether it is shuffled.
    Ready,
    /// The same, put away for an idle table (SH-25).
    Stored,
    /// The door is unlocked until the stack was taken and the door shut.
    Releasing,
    /// One batch circulates.
    Circulating,
    /// Stopped until somebody clears it.
    Stopped(Fault),
}

impl State {
    /// Whether motors may be running.
    pub const fn is_busy(self) -> bool {
        matches!(
            self,
            Self::Homing | Self::Emptying(_) | Self::Drawing | Self::Cycling | Self::Circulating
        )
    }
}

/// What a cycle is for, and who asked for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Job {
    pub purpose: Purpose,
    pub colour: Option<BackColour>,
    pub by: Role,
}

/// What the device waits for from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Want {
    /// An order of so many cards.
    Order(u16),
    /// A check of the random core.
    Check,
}

/// A check that service asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Check {
    Wanted,
    Failed,
    Passed(Trouble),
}

/// The shuffler.
pub struct Shuffler {
    /// What it does for the floor like every device.
    pub services: CommonServices,
    pub(super) model: Model,
    pub(super) state: State,
    pub(super) path: Path,
    pub(super) job: Job,
    pub(super) cycle: Cycle,
    pub(super) continuous: Option<Continuous>,
    pub(super) ledger: Ledger,
    pub(super) batches: Batches,
    pub(super) contacts: [bool; 4],
    pub(super) receipt: Option<Receipt>,
    pub(super) check: Option<Check>,
    /// Slots that are tried while a stack waits.
    pub(super) proof: Option<Sweep>,
    pub(super) test: LampTest,
    /// What is in flash is not what is in memory.
    pub(super) unsaved: bool,
    pub(super) told: Option<(u64, super::Phase, u8)>,
    events: Deque<DeviceEvent, 16>,
}

impl Shuffler {
    /// The shuffler after power on, as its store remembers it.
    pub fn new(services: CommonServices, model: Model, store: &mut impl ShufflerStore) -> Self {
        let mut unreadable = None;
        let mut note = |why: StoreError| {
            let _ = unreadable.insert(why);
        };
        let ledger = store.load_ledger().unwrap_or_else(|why| {
            note(why);
            None
        });
        let batches = store.load_batches().unwrap_or_else(|why| {
            note(why);
            None
        });
        let mut shuffler = Self {
            services,
            model,
            state: State::Idle,
            path: Path::new(model.wheel()),
            job: Job { purpose: Purpose::None, colour: None, by: Role::Device },
            cycle: Cycle::idle(model.wheel()),
            continuous: None,
            ledger: ledger.unwrap_or(Ledger::NEW),
            batches: batches.unwrap_or_default(),
            contacts: [false; 4],
            receipt: None,
            check: None,
            proof: None,
            test: LampTest::new(),
            unsaved: false,
            told: None,
            events: Deque::new(),
        };
        shuffler.wake(unreadable.is_some(), store);
        shuffler
    }

    /// What was under way when power failed is over: nothing is shuffled (SH-22, SH-25).
    fn wake(&mut self, unreadable: bool, store: &mut impl ShufflerStore) {
        let interrupted = self.ledger.moving || self.ledger.certificate.certified().is_some();
        if unreadable {
            self.stop_with(Fault::Store, store);
        } else if let Some(fault) = self.ledger.fault {
            self.state = State::Stopped(fault);
            self.path.stop();
            self.publish(DeviceEvent::Irregularity(fault.irregularity(self.profile())));
        } else if interrupted {
            self.stop_with(Fault::Interrupted(Cut::Power), store);
        } else {
            self.path.stop();
        }
    }

    /// What it is doing.
    pub fn state(&self) -> State {
        self.state
    }

    /// What it must remember.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// The two batches.
    pub fn batches(&self) -> &Batches {
        &self.batches
    }

    /// The last count that came to its end.
    pub fn receipt(&self) -> Option<&Receipt> {
        self.receipt.as_ref()
    }

    /// The cycle under way.
    pub fn cycle(&self) -> Option<&Cycle> {
        Some(&self.cycle).filter(|cycle| cycle.is_running())
    }

    /// Whether no order is kept anywhere in it (SH-42).
    pub fn is_forgotten(&self) -> bool {
        self.cycle.is_forgotten() && self.continuous.is_none()
    }

    /// Continuous operation, while it goes on.
    pub fn circulation(&self) -> Option<&Continuous> {
        self.continuous.as_ref()
    }

    /// The game in force.
    pub fn profile(&self) -> Option<&'static Profile> {
        self.services.chosen.map(|chosen| chosen.game.profile())
    }

    /// The cards of a full batch.
    pub fn batch_total(&self) -> Option<u16> {
        let chosen = self.services.chosen?;
        chosen.game.profile().batch_total(chosen.decks)
    }

    /// Whether a contact is closed: something open, or cards lying there.
    pub fn contact(&self, contact: Contact) -> bool {
        self.contacts.get(contact as usize).is_some_and(|closed| *closed)
    }

    /// The next thing the mechanism must do, the oldest first.
    pub fn next_action(&mut self) -> Option<Action> {
        self.path.next_action()
    }

    /// The next thing to tell, the oldest first.
    pub fn take_event(&mut self) -> Option<DeviceEvent> {
        self.events.pop_front()
    }

    /// Whether nothing moves and nothing is about to: a moment for what takes time.
    pub fn is_at_rest(&self) -> bool {
        let idle = !self.state.is_busy() || self.state == State::Circulating;
        idle && self.deadline().is_none() && self.want().is_none() && !self.is_proving()
    }

    /// When [`Shuffler::pass_time`] must be called at the latest.
    pub fn deadline(&self) -> Option<u64> {
        self.path.deadline()
    }

    /// What it waits for.
    pub fn want(&self) -> Option<Want> {
        match (self.state, self.check) {
            (State::Drawing, _) if self.cycle.plan.is_choosing() => None,
            (State::Drawing, _) => self.cards_to_draw().map(Want::Order),
            (State::Circulating, _) => self.continuous.as_ref()?.cards_to_draw().map(Want::Order),
            (State::Stopped(_), Some(Check::Wanted)) => Some(Want::Check),
            _ => None,
        }
    }

    /// The mechanism noticed something at `at_ms`.
    pub fn sense(&mut self, event: Event, at_ms: u64, store: &mut impl ShufflerStore) {
        if let Event::Contact(contact, closed) = event {
            return self.touched(contact, closed, at_ms, store);
        }
        if let Some(continuous) = &mut self.continuous {
            continuous.drawn(event);
        }
        let report = self.path.sense(event, at_ms);
        if report.is_some() || matches!(self.state, State::Circulating) {
            self.proceed(report, at_ms, store);
        }
    }

    /// Time has passed.
    pub fn pass_time(&mut self, now_ms: u64, store: &mut impl ShufflerStore) {
        if let Some(report) = self.path.pass_time(now_ms) {
            self.proceed(Some(report), now_ms, store);
        }
    }

    /// Goes on with what is under way.
    pub(super) fn proceed(
        &mut self,
        report: Option<Report>,
        now_ms: u64,
        store: &mut impl ShufflerStore,
    ) {
        match (self.state, report) {
            (State::Homing, Some(Report::Homed)) => self.prepare(now_ms, store),
            (State::Homing | State::Drawing, Some(Report::Failed(fault))) => {
                self.stop_with(fault, store);
            }
            (State::Emptying(mut sweep), Some(report)) => {
                let swept = sweep.step(report, &mut self.path, now_ms);
                self.state = State::Emptying(sweep);
                match swept {
                    Ok(false) => {}
                    Ok(true) => self.swept(sweep, now_ms, store),
                    Err(fault) => self.stop_with(fault, store),
                }
            }
            (State::Cycling, report) => match self.cycle.step(report, &mut self.path, now_ms) {
                None => self.publish_progress(now_ms),
                Some(Ended::Out) => self.all_out(now_ms, store),
                Some(Ended::Failed(fault)) => self.stop_with(fault, store),
            },
            (State::Circulating, report) => self.circulate(report, now_ms, store),
            (State::Ready | State::Stored, Some(report)) if self.is_proving() => {
                self.prove(report, now_ms, store);
            }
            // A card where none should be, or a motor that moved by itself.
            (_, Some(Report::Failed(fault))) => self.disturbed(fault, store),
            _ => {}
        }
    }

    fn touched(
        &mut self,
        contact: Contact,
        closed: bool,
        now: u64,
        store: &mut impl ShufflerStore,
    ) {
        let place = self.contacts.get_mut(contact as usize);
        let before = place.is_some_and(|place| core::mem::replace(place, closed));
        match (contact, closed) {
            (Contact::LidOpen, true) if !before => self.opened(Cut::Lid, store),
            (Contact::DoorOpen, true) if !before => self.opened(Cut::Door, store),
            (Contact::FeedLoaded, loaded) => {
                self.cycle.tray_changed(loaded);
                if let Some(continuous) = &mut self.continuous {
                    continuous.tray_changed(loaded);
                }
                if loaded && self.ledger.certificate.disturb() {
                    self.save(store);
                    self.publish(DeviceEvent::notice(Trouble::NotSecure, 0));
                }
                if self.state.is_busy() {
                    self.proceed(None, now, store);
                }
            }
            _ => {}
        }
        self.see_release(store);
    }

    /// The lid or the door was opened.
    fn opened(&mut self, cut: Cut, store: &mut impl ShufflerStore) {
        match (self.state, cut) {
            // In a continuous machine the dealer's hand is at the chute all the time.
            (State::Circulating, Cut::Door) => {}
            (state, _) if state.is_busy() => self.stop_with(Fault::Interrupted(cut), store),
            (State::Ready | State::Stored, _) => self.stop_with(Fault::Interrupted(cut), store),
            (_, Cut::Lid) => {
                // Somebody may have taken a card out, or left one in.
                self.ledger.inventory.certain = false;
                self.path.stop();
                self.save(store);
            }
            _ => {}
        }
    }

    /// Something moved that should not.
    fn disturbed(&mut self, fault: Fault, store: &mut impl ShufflerStore) {
        match self.state {
            // People have their hands in there.
            State::Stopped(_) | State::Releasing => {}
            // Cards laid into the tray may slide as far as the mouth; no start until they are back.
            State::Idle if fault == Fault::Jam(Station::Mouth) => {}
            _ if self.contact(Contact::LidOpen) => {}
            _ => self.stop_with(fault, store),
        }
    }

    /// Once the stack was taken and the door is shut, that is that.
    fn see_release(&mut self, store: &mut impl ShufflerStore) {
        let taken = !self.contact(Contact::DeliveryLoaded) && !self.contact(Contact::DoorOpen);
        if self.state == State::Releasing && taken {
            self.state = State::Idle;
            self.ledger.inventory.delivered = 0;
            self.save(store);
        }
    }

    pub(super) fn save(&mut self, store: &mut impl ShufflerStore) {
        self.unsaved = store.keep_ledger(&self.ledger).is_err();
    }

    /// Tries again to keep what could not be kept.
    pub fn save_again(&mut self, store: &mut impl ShufflerStore) {
        if self.unsaved {
            self.save(store);
        }
    }

    /// The node takes events many times a second; should it not, the oldest gives way.
    pub(super) fn publish(&mut self, events: DeviceEvent) {
        if self.events.is_full() {
            self.events.pop_front();
        }
        let _ = self.events.push_back(events); // there is room now
    }
}
