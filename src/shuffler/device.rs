//! The shuffler: its machine with a store, common services, a lamp test and events to publish.
//!
//! Only this file touches the store. It hands every event to the [`Machine`], does the
//! actions that come out of it in their order, and answers those that must be in flash
//! first. Moves of the mechanism are taken by the loop afterwards.

use heapless::Deque;

use super::batch::Batches;
use super::card_path::event::{self as mechanism, Contact};
use super::continuous::Continuous;
use super::cycle::Cycle;
use super::cycle::count::Receipt;
use super::events::DeviceEvent;
use super::fault::Fault;
use super::machine::{Action, Event, Job, Machine, State, Want};
use super::model::Model;
use super::moment::{Moment, batch_total};
use super::record::{Record, ShufflerStore};
use super::shown::Shown;
use super::{Batch, Phase, batch};
use crate::node::Refused;
use crate::panel::{KeyEvent, LampTest};
use crate::profile::Profile;
use crate::protocol::generated::croupier::common::Role;
use crate::protocol::generated::croupier::shuffler::{Purpose, Task};
use crate::services::CommonServices;
use crate::time::Instant;

/// The shuffler.
pub struct Shuffler {
    /// What every device has: profile, day clock, attestation.
    pub services: CommonServices,
    pub(super) machine: Machine,
    test: LampTest,
    /// The record in flash is not the one in memory.
    unsaved: bool,
    /// Nor are the batches.
    unsaved_batches: bool,
    /// When the last event happened.
    now: Instant,
    events: Deque<DeviceEvent, 16>,
}

impl Shuffler {
    /// The shuffler after power on, as its store remembers it.
    pub fn new(services: CommonServices, model: Model, store: &mut impl ShufflerStore) -> Self {
        let (record, batches) = (store.load_record(), store.load_batches());
        let readable = record.is_ok() && batches.is_ok();
        let record = record.ok().flatten().unwrap_or(Record::NEW);
        let batches = batches.ok().flatten().unwrap_or_default();
        let moment = moment(&services, Instant::START);
        let mut shuffler = Self {
            services,
            machine: Machine::resume(model, record, batches, readable, &moment),
            test: LampTest::new(),
            unsaved: false,
            unsaved_batches: false,
            now: Instant::START,
            events: Deque::new(),
        };
        // A batch that was in play when the power went still is (CM-07).
        shuffler.services.in_round = shuffler.batches().in_play;
        // Nothing was asked for yet that could be refused.
        _ = shuffler.carry_out(&moment, store);
        shuffler
    }

    /// What it is doing.
    pub fn state(&self) -> State {
        self.machine.state
    }

    /// What it keeps through a power cut.
    pub fn record(&self) -> &Record {
        &self.machine.record
    }

    /// The life of each batch, and the one played last.
    pub fn batches(&self) -> &Batches {
        &self.machine.batches
    }

    /// The last count that came to its end.
    pub fn receipt(&self) -> Option<&Receipt> {
        self.machine.receipt.as_ref()
    }

    /// The cycle under way.
    pub fn cycle(&self) -> Option<&Cycle> {
        self.machine.running()
    }

    /// Whether no order is kept anywhere in it (SH-42).
    pub fn is_forgotten(&self) -> bool {
        self.machine.cycle.is_forgotten() && self.machine.continuous.is_none()
    }

    /// Continuous operation, while it goes on.
    pub fn circulation(&self) -> Option<&Continuous> {
        self.machine.continuous.as_ref()
    }

    /// Phase, pass, cards done and cards to do.
    pub fn progress(&self) -> (Phase, u8, u16, u16) {
        self.machine.progress()
    }

    /// The game in force.
    pub fn profile(&self) -> Option<&'static Profile> {
        self.services.chosen.map(|chosen| chosen.game.profile())
    }

    /// The cards of a full batch.
    pub fn batch_total(&self) -> Option<u16> {
        batch_total(self.services.chosen)
    }

    /// Whether a contact is closed: something open, or cards lying there.
    pub fn contact(&self, contact: Contact) -> bool {
        self.machine.contact(contact)
    }

    /// The next thing the mechanism must do, the oldest first.
    pub fn next_action(&mut self) -> Option<mechanism::Action> {
        self.machine.next_move()
    }

    /// The next event to publish, the oldest first.
    pub fn take_event(&mut self) -> Option<DeviceEvent> {
        self.events.pop_front()
    }

    /// Whether nothing moves and nothing is about to, so that a page may be erased.
    pub fn is_at_rest(&self) -> bool {
        let idle = !self.state().is_busy() || self.state() == State::Circulating;
        idle && self.deadline().is_none() && self.want().is_none()
    }

    /// When [`Shuffler::pass_time`] must be called at the latest.
    pub fn deadline(&self) -> Option<Instant> {
        self.machine.deadline()
    }

    /// What it waits for from the random core.
    pub fn want(&self) -> Option<Want> {
        self.machine.want(self.batch_total())
    }

    /// What must be shown and locked at `now`.
    pub fn shown(&self, now: Instant) -> Shown {
        let shown = self.machine.shown(&moment(&self.services, now));
        if self.test.is_running() { shown.in_lamp_test(self.test.is_lit(now)) } else { shown }
    }

    /// The lamp-test key was pressed or released.
    pub fn lamp_test(&mut self, event: KeyEvent, now: Instant) {
        self.test = self.test.after(event, now);
        self.services.lamp_test = self.test.is_running();
    }

    /// The mechanism noticed `event` at the time `at`.
    pub fn sense(&mut self, event: mechanism::Event, at: Instant, store: &mut impl ShufflerStore) {
        self.take(Event::Noticed(event), at, store);
    }

    /// It is `now`: a deadline may be due.
    pub fn pass_time(&mut self, now: Instant, store: &mut impl ShufflerStore) {
        self.take(Event::TimePassed, now, store);
    }

    /// Does what a person or the controller asks for. The device's own keys ask as `Device`.
    pub fn command(
        &mut self,
        task: Task,
        purpose: Purpose,
        batch: Batch,
        by: Role,
        now: Instant,
        store: &mut impl ShufflerStore,
    ) -> Result<(), Refused> {
        let job = Job { purpose, colour: batch::named(batch), by };
        self.apply(Event::Asked(task, job), now, store)
    }

    /// The order it asked for, or why there is none. It is planned by [`Self::plan_on`].
    pub fn take_order(
        &mut self,
        drawn: Result<&[u16], Fault>,
        now: Instant,
        store: &mut impl ShufflerStore,
    ) {
        self.take(Event::Order(drawn), now, store);
    }

    /// Goes on planning for less than a millisecond, and begins the cycle when that is done;
    /// whether there is more to plan.
    pub fn plan_on(&mut self, now: Instant, store: &mut impl ShufflerStore) -> bool {
        if self.machine.is_planning() {
            self.take(Event::PlanOn, now, store);
        }
        self.machine.is_planning()
    }

    /// What the check of the random core found.
    pub fn checked(&mut self, found: Result<(), Fault>, store: &mut impl ShufflerStore) {
        self.take(Event::Checked(found), self.now, store);
    }

    /// Something outside the mechanism failed.
    pub fn fail(&mut self, fault: Fault, store: &mut impl ShufflerStore) {
        self.take(Event::Failed(fault), self.now, store);
    }

    /// Saves what flash does not have yet: it could not be saved, or an event had something else
    /// to write. One at a time.
    pub fn save_again(&mut self, store: &mut impl ShufflerStore) {
        if self.unsaved {
            self.save(store);
        } else if self.unsaved_batches {
            self.save_batches(store);
        }
    }

    /// Takes an event that asks for nothing: what happened cannot be refused.
    pub(super) fn take(&mut self, event: Event<'_>, now: Instant, store: &mut impl ShufflerStore) {
        // If flash refuses what follows from it, the machine has stopped for that.
        _ = self.apply(event, now, store);
    }

    /// Takes an event and does all that follows from it here.
    pub(super) fn apply(
        &mut self,
        event: Event<'_>,
        now: Instant,
        store: &mut impl ShufflerStore,
    ) -> Result<(), Refused> {
        self.now = now;
        let moment = moment(&self.services, now);
        let taken = self.machine.apply(event, &moment);
        let kept = self.carry_out(&moment, store);
        taken.and(kept)
    }

    /// Does the actions; refused if flash would not take what it had to have first.
    ///
    /// Flash is written once for an event, which takes a third of a millisecond: a record that
    /// may wait is saved [later](Self::save_again) if something else was committed.
    fn carry_out(
        &mut self,
        moment: &Moment,
        store: &mut impl ShufflerStore,
    ) -> Result<(), Refused> {
        let mut kept = Ok(());
        let (mut committed, mut to_save, mut batches_to_save) = (false, false, false);
        while let Some(action) = self.machine.next_action() {
            let saved = match action {
                Action::Publish(event) => {
                    self.publish(event);
                    continue;
                }
                Action::SetInRound(in_round) => {
                    self.services.in_round = in_round;
                    continue;
                }
                Action::Save => {
                    to_save = true;
                    continue;
                }
                Action::Commit => {
                    to_save = false;
                    self.save(store)
                }
                Action::SaveBatches => {
                    batches_to_save = true;
                    continue;
                }
                Action::CommitBatches => self.save_batches(store),
                Action::ProveStore => {
                    let proved = self.is_kept(store);
                    let found = if proved { Ok(()) } else { Err(Fault::Store) };
                    _ = self.machine.apply(Event::Checked(found), moment);
                    continue;
                }
            };
            committed = true;
            let answer = if saved { Event::Saved } else { Event::SaveFailed };
            kept = self.machine.apply(answer, moment);
        }
        // One write at once, the other soon.
        let later = committed || to_save;
        if to_save && committed {
            self.unsaved = true;
        } else if to_save {
            self.save(store);
        }
        if batches_to_save && later {
            self.unsaved_batches = true;
        } else if batches_to_save {
            self.save_batches(store);
        }
        kept
    }

    fn save_batches(&mut self, store: &mut impl ShufflerStore) -> bool {
        self.unsaved_batches = store.keep_batches(self.batches()).is_err();
        !self.unsaved_batches
    }

    fn save(&mut self, store: &mut impl ShufflerStore) -> bool {
        self.unsaved = store.keep_record(&self.machine.record).is_err();
        !self.unsaved
    }

    /// Whether the store takes the record and gives back what it was given.
    fn is_kept(&mut self, store: &mut impl ShufflerStore) -> bool {
        let batches = *self.batches();
        self.save(store)
            && store.keep_batches(&batches).is_ok()
            && store.load_record().is_ok_and(|kept| kept == Some(self.machine.record))
            && store.load_batches().is_ok_and(|kept| kept == Some(batches))
    }

    /// The node takes events many times a second; if it does not, the oldest is dropped.
    pub(super) fn publish(&mut self, event: DeviceEvent) {
        if self.events.is_full() {
            self.events.pop_front();
        }
        let _ = self.events.push_back(event.with_clause(&self.services)); // there is room now
    }
}

fn moment(services: &CommonServices, now: Instant) -> Moment {
    Moment { now, utc_ms: services.clock.utc_ms(now), chosen: services.chosen }
}
