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
use super::machine::{Action, Event, Job, Machine, Moment, State, Want, batch_total};
use super::model::Model;
use super::record::{Record, ShufflerStore};
use super::shown::Shown;
use super::{Batch, Phase, batch};
use crate::panel::{KeyEvent, LampTest};
use crate::profile::Profile;
use crate::protocol::generated::croupier::common::{Result as Outcome, Role};
use crate::protocol::generated::croupier::shuffler::{Purpose, Task};
use crate::services::CommonServices;

/// The shuffler.
pub struct Shuffler {
    /// What it does for the floor like every device.
    pub services: CommonServices,
    pub(super) machine: Machine,
    test: LampTest,
    /// The record in flash is not the one in memory.
    unsaved: bool,
    /// When the last event happened.
    now_ms: u64,
    events: Deque<DeviceEvent, 16>,
}

impl Shuffler {
    /// The shuffler after power on, as its store remembers it.
    pub fn new(services: CommonServices, model: Model, store: &mut impl ShufflerStore) -> Self {
        let (record, batches) = (store.load_record(), store.load_batches());
        let readable = record.is_ok() && batches.is_ok();
        let record = record.ok().flatten().unwrap_or(Record::NEW);
        let batches = batches.ok().flatten().unwrap_or_default();
        let moment = moment(&services, 0);
        let mut shuffler = Self {
            services,
            machine: Machine::resume(model, record, batches, readable, &moment),
            test: LampTest::new(),
            unsaved: false,
            now_ms: 0,
            events: Deque::new(),
        };
        shuffler.carry_out(Outcome::Accepted, &moment, store);
        shuffler
    }

    /// What it is doing.
    pub fn state(&self) -> State {
        self.machine.state
    }

    /// What it must remember.
    pub fn record(&self) -> &Record {
        &self.machine.record
    }

    /// The two batches.
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

    /// Whether slots are being tried behind a waiting stack.
    pub fn is_proving(&self) -> bool {
        self.machine.proof.is_some()
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

    /// Whether nothing moves and nothing is about to: a moment for what takes time.
    pub fn is_at_rest(&self) -> bool {
        let idle = !self.state().is_busy() || self.state() == State::Circulating;
        idle && self.deadline().is_none() && self.want().is_none() && !self.is_proving()
    }

    /// When [`Shuffler::pass_time`] must be called at the latest.
    pub fn deadline(&self) -> Option<u64> {
        self.machine.path.deadline()
    }

    /// What it waits for.
    pub fn want(&self) -> Option<Want> {
        self.machine.want(self.batch_total())
    }

    /// What must be shown and locked at `now_ms`.
    pub fn shown(&self, now_ms: u64) -> Shown {
        let shown = self.machine.shown(self.services.chosen);
        if self.test.is_running() { shown.in_lamp_test(self.test.is_lit(now_ms)) } else { shown }
    }

    /// The lamp-test key.
    pub fn lamp_test(&mut self, event: KeyEvent, now_ms: u64) {
        self.test = self.test.after(event, now_ms);
        self.services.lamp_test = self.test.is_running();
    }

    /// The mechanism noticed something at `at_ms`.
    pub fn sense(&mut self, event: mechanism::Event, at_ms: u64, store: &mut impl ShufflerStore) {
        self.apply(Event::Noticed(event), at_ms, store);
    }

    /// Time has passed.
    pub fn pass_time(&mut self, now_ms: u64, store: &mut impl ShufflerStore) {
        self.apply(Event::TimePassed, now_ms, store);
    }

    /// Does what a person or the controller asks for. The device's own keys ask as `Device`.
    pub fn command(
        &mut self,
        task: Task,
        purpose: Purpose,
        batch: Batch,
        by: Role,
        now_ms: u64,
        store: &mut impl ShufflerStore,
    ) -> Outcome {
        let job = Job { purpose, colour: batch::named(batch), by };
        self.apply(Event::Asked(task, job), now_ms, store)
    }

    /// The order it asked for, or why there is none. It is planned by [`Self::plan_on`].
    pub fn take_order(
        &mut self,
        drawn: Result<&[u16], Fault>,
        now_ms: u64,
        store: &mut impl ShufflerStore,
    ) {
        self.apply(Event::Order(drawn), now_ms, store);
    }

    /// Goes on planning for less than a millisecond, and begins the cycle when that is done;
    /// whether there is more to plan.
    pub fn plan_on(&mut self, now_ms: u64, store: &mut impl ShufflerStore) -> bool {
        if self.machine.is_planning() {
            self.apply(Event::PlanOn, now_ms, store);
        }
        self.machine.is_planning()
    }

    /// What the check of the random core found.
    pub fn checked(&mut self, found: Result<(), Fault>, store: &mut impl ShufflerStore) {
        self.apply(Event::Checked(found), self.now_ms, store);
    }

    /// Something outside the mechanism failed.
    pub fn fail(&mut self, fault: Fault, store: &mut impl ShufflerStore) {
        self.apply(Event::Failed(fault), self.now_ms, store);
    }

    /// Tries again to save what could not be saved.
    pub fn save_again(&mut self, store: &mut impl ShufflerStore) {
        if self.unsaved {
            let record = self.machine.record;
            self.save(&record, store);
        }
    }

    /// Takes an event and does all that follows from it here.
    pub(super) fn apply(
        &mut self,
        event: Event<'_>,
        now_ms: u64,
        store: &mut impl ShufflerStore,
    ) -> Outcome {
        self.now_ms = now_ms;
        let moment = moment(&self.services, now_ms);
        let outcome = self.machine.apply(event, &moment);
        self.carry_out(outcome, &moment, store)
    }

    /// Does the actions; what came of the event, once flash has what it had to have.
    fn carry_out(
        &mut self,
        mut outcome: Outcome,
        moment: &Moment,
        store: &mut impl ShufflerStore,
    ) -> Outcome {
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
                Action::Save(record) => {
                    self.save(&record, store);
                    continue;
                }
                Action::Commit(record) => self.save(&record, store),
                Action::CommitBatches => store.keep_batches(self.batches()).is_ok(),
            };
            let answer = if saved { Event::Saved } else { Event::SaveFailed };
            outcome = self.machine.apply(answer, moment);
        }
        outcome
    }

    fn save(&mut self, record: &Record, store: &mut impl ShufflerStore) -> bool {
        self.unsaved = store.keep_record(record).is_err();
        !self.unsaved
    }

    /// The node takes events many times a second; should it not, the oldest gives way.
    pub(super) fn publish(&mut self, event: DeviceEvent) {
        if self.events.is_full() {
            self.events.pop_front();
        }
        let _ = self.events.push_back(event); // there is room now
    }
}

fn moment(services: &CommonServices, now_ms: u64) -> Moment {
    Moment { now_ms, utc_ms: services.clock.utc_ms(now_ms), chosen: services.chosen }
}
