//! The reader: rules, record and events joined. Only here is the store used.
//!
//! Machine, check, lesson, floor and house say what follows from an event and what is to be kept.
//! This file keeps in flash what must outlive a power cut, and only then has lamps lit and events
//! published.

use heapless::Deque;

use super::check::{Check, Found, Progress};
use super::inputs::Done;
use super::lamps::Lit;
use super::lesson::Teaching;
use super::machine::{Action, Event, Machine, State};
use super::nest::NestEvent;
use super::ports::{Eye, Key};
use super::{DeviceEvent, Fault, Label, ReaderStore, Record};
use crate::node::Refused;
use crate::panel::{KeyEvent, LampTest};
use crate::protocol::generated::croupier::common::{
    CheckVerdict, InspectionRequest, Role, Trouble,
};
use crate::protocol::generated::croupier::reader::{Lesson, UpCard};
use crate::services::CommonServices;
use crate::store::StoreError;
use crate::time::Instant;

/// A change of the record that a role asks for, and what is published once it is kept.
pub(super) struct Change {
    pub(super) record: Record,
    pub(super) event: DeviceEvent,
}

/// The reader.
#[derive(Debug)]
pub struct Reader {
    /// What it does for the floor like every device.
    pub services: CommonServices,
    pub(super) machine: Machine,
    pub(super) record: Record,
    pub(super) brand: Option<Label>,
    pub(super) check: Option<Check>,
    pub(super) last_check: CheckVerdict,
    pub(super) teaching: Option<Teaching>,
    pub(super) last_lesson: Lesson,
    /// The trouble that the last check by service ended.
    pub(super) repaired: Option<Trouble>,
    /// A card came home in a check or a lesson and was not looked at yet.
    pub(super) fresh_card: bool,
    pub(super) test: LampTest,
    /// What the round says: set by the machine's actions.
    pub(super) lit: Lit,
    /// The record in flash is not the one in memory.
    unsaved: bool,
    /// What was published and is not published again until it changes.
    pub(super) reported_due: bool,
    pub(super) reported_dirty: bool,
    /// The round of the last light, until that was reported as wrong.
    pub(super) light_of: Option<u16>,
    /// When the card at home came, until it is published as forgotten.
    pub(super) home_since: Option<Instant>,
    /// The last time seen: it never runs backwards.
    pub(super) now: Instant,
    pub(super) events: Deque<DeviceEvent, 16>,
}

impl Reader {
    /// The reader after power on, as its store remembers it.
    pub fn new(services: CommonServices, store: &mut impl ReaderStore) -> Self {
        let (record, lost) = match store.load_record() {
            Ok(record) => (record.unwrap_or_default(), None),
            Err(_) => (Record::default(), Some(Fault::Store)),
        };
        let fault = record.fault.or(lost);
        let mut reader = Self {
            services,
            machine: Machine::resume(&record, fault),
            record,
            brand: None,
            check: None,
            last_check: record.last_check(),
            teaching: None,
            last_lesson: Lesson::None,
            repaired: None,
            fresh_card: false,
            test: LampTest::new(),
            lit: Lit::NONE,
            unsaved: fault != record.fault,
            reported_due: false,
            reported_dirty: false,
            light_of: None,
            home_since: None,
            now: Instant::START,
            events: Deque::new(),
        };
        reader.record.fault = fault;
        let passed_ms = record.passed.map_or(0, |passed| passed.at.utc_ms);
        reader.services.clock.not_before(passed_ms);
        reader.services.in_round = reader.machine.in_round();
        if let Some(fault) = fault {
            reader.publish(DeviceEvent::Irregularity(fault.irregularity()));
        }
        reader
    }

    /// What it is doing.
    pub fn state(&self) -> State {
        self.machine.state()
    }

    /// What it keeps.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// The brand in force.
    pub fn brand(&self) -> Option<Label> {
        self.brand
    }

    /// The fault, if it is out of service for one.
    pub fn fault(&self) -> Option<Fault> {
        match self.state() {
            State::Faulted(fault) => Some(fault),
            _ => None,
        }
    }

    /// The eye takes up the brand that was kept, if one was.
    pub fn take_up_brand(
        &mut self,
        eye: &mut impl Eye,
        now: Instant,
        store: &mut impl ReaderStore,
    ) {
        let taken = eye.take_up(|brand| {
            store.load_brand(brand).map_err(|error| match error {
                StoreError::Undecodable(_) => Fault::Brand,
                _ => Fault::Store,
            })
        });
        self.knows(taken, now, store);
    }

    /// The eye knows this brand, or why it knows none.
    pub fn knows(
        &mut self,
        brand: Result<Option<Label>, Fault>,
        now: Instant,
        store: &mut impl ReaderStore,
    ) {
        match brand {
            Ok(brand) => self.brand = brand,
            Err(fault) => self.fail(fault, now, store),
        }
    }

    /// What the dealer's hand did to a key.
    pub fn key(&mut self, key: Key, event: KeyEvent, now: Instant, store: &mut impl ReaderStore) {
        if self.check.is_some() && event == KeyEvent::Pressed {
            _ = self.found(Found::Pressed(key), now, store);
            return;
        }
        let open = self.machine.round().map(|round| round.number);
        let number = open.unwrap_or(self.machine.next_number());
        // A refused key changes nothing and says nothing: the dealer sees it.
        _ = match (key, event) {
            (Key::LampTest, _) => {
                self.lamp_test(event, now);
                Ok(())
            }
            (_, KeyEvent::Released) => Ok(()),
            (Key::Ace, _) => self.arm(number, UpCard::Ace, Role::Device, now, store),
            (Key::TenValue, _) => self.arm(number, UpCard::TenValue, Role::Device, now, store),
            (Key::RoundOver, _) => self.end_round(number, Role::Device, now, store),
        };
    }

    /// What the nest noticed.
    pub fn nest(&mut self, event: NestEvent, now: Instant, store: &mut impl ReaderStore) {
        if let Some(event) = self.nest_event(event, now) {
            _ = self.apply(event, now, store);
        }
    }

    /// The front did what was waited for.
    pub fn done(&mut self, done: Done, now: Instant, store: &mut impl ReaderStore) {
        match done {
            Done::Saw(sight) => {
                let seen = self.judge_window(sight);
                _ = self.apply(Event::Seen(seen), now, store);
            }
            Done::Examined(read) => {
                self.fresh_card = false;
                _ = self.found(Found::Card(read.unwrap_or(false)), now, store);
            }
            Done::SelfTested(passed) => _ = self.found(Found::SelfTested(passed), now, store),
            Done::Looked(Ok(fine)) => self.looked(fine),
            Done::Made(fine) => self.made(fine),
            Done::Saved(Ok(brand)) => self.use_brand(brand),
            Done::Looked(Err(fault)) | Done::Saved(Err(fault)) => self.fail(fault, now, store),
            Done::Making | Done::Proven => {}
        }
    }

    /// The lamps were set to `lit`; `wrong` is the first that does not follow.
    pub fn shown(
        &mut self,
        lit: Lit,
        wrong: Option<u8>,
        now: Instant,
        store: &mut impl ReaderStore,
    ) {
        match wrong {
            Some(_) if self.fault().is_some() => _ = self.found(Found::Broken, now, store),
            Some(lamp) => self.fail(Fault::Lamp(lamp), now, store),
            None if lit == self.lit && lit != Lit::NONE => {
                _ = self.apply(Event::Lit, now, store);
            }
            None => {}
        }
    }

    /// Something failed.
    pub fn fail(&mut self, fault: Fault, now: Instant, store: &mut impl ReaderStore) {
        _ = self.apply(Event::Failed(fault), now, store);
    }

    /// Time has passed.
    pub fn tick(&mut self, now: Instant, store: &mut impl ReaderStore) {
        if now < self.now {
            self.fail(Fault::Clock, now, store);
        }
        self.now = self.now.max(now);
        if self.unsaved {
            self.save(store);
        }
        if self.check.is_some_and(|check| check.is_late(now)) {
            _ = self.found(Found::Broken, now, store);
        }
        _ = self.apply(Event::Tick, now, store);
        self.remind(now);
    }

    /// Takes an event: keeps what must outlive a power cut, then does what follows.
    pub(super) fn apply(
        &mut self,
        event: Event,
        now: Instant,
        store: &mut impl ReaderStore,
    ) -> Result<(), Refused> {
        let (machine, actions) = self.machine.after(event, self.mode(now), now);
        self.machine = machine;
        let mut done = Ok(());
        for action in actions {
            // One write ends the round and latches the fault, so that no power cut falls between.
            if let Action::Save(save) = action {
                self.record = self.record.with(&save);
                self.save(store);
                if self.unsaved && self.fault().is_none() {
                    self.fail(Fault::Store, now, store);
                    return Err(Refused::StoreFailed);
                }
            }
            done = done.and(self.act(action));
        }
        self.busy_in_round();
        done
    }

    /// The up-card of a round is given.
    pub(super) fn arm(
        &mut self,
        number: u16,
        up_card: UpCard,
        by: Role,
        now: Instant,
        store: &mut impl ReaderStore,
    ) -> Result<(), Refused> {
        let (ends, arms) = self.arming(number, up_card, by, now)?;
        if let Some(ends) = ends {
            self.apply(ends, now, store)?;
        }
        self.apply(arms, now, store)
    }

    /// A round is over.
    pub(super) fn end_round(
        &mut self,
        number: u16,
        by: Role,
        now: Instant,
        store: &mut impl ReaderStore,
    ) -> Result<(), Refused> {
        let ends = self.ending(number, by)?;
        self.apply(ends, now, store)
    }

    /// Keeps a change that a role asked for, then publishes it.
    pub(super) fn carry_out(
        &mut self,
        change: Change,
        store: &mut impl ReaderStore,
    ) -> Result<(), Refused> {
        self.keep(change.record, store)?;
        if self.record.failures == 0 {
            self.machine.forget_failures();
        }
        self.publish(change.event);
        Ok(())
    }

    /// The clock was set, and had been at `latest_ms` at least. Set back, it ends the check: or the
    /// check would count once more when that time comes again (CM-05).
    pub(super) fn clock_was_set(
        &mut self,
        latest_ms: u64,
        now: Instant,
        store: &mut impl ReaderStore,
    ) {
        if self.services.clock.is_set_back(latest_ms, now) {
            self.record = self.record.uninspected();
            self.save(store);
        }
    }

    /// Begins a check. From here on only a pass makes it inspected again, also after a power cut.
    pub(super) fn begin_check(
        &mut self,
        asked: &InspectionRequest,
        by: Role,
        now: Instant,
        store: &mut impl ReaderStore,
    ) -> Result<(), Refused> {
        self.may_be_checked(by)?;
        self.keep(self.record.uninspected(), store)?;
        self.check = Some(Check::begin(asked.inspector, asked.seal_number, by, now));
        self.fresh_card = false;
        self.busy_in_round();
        Ok(())
    }

    /// Takes the check on. A pass counts only once it is kept.
    pub(super) fn found(
        &mut self,
        found: Found,
        now: Instant,
        store: &mut impl ReaderStore,
    ) -> Result<(), Refused> {
        let check = self.check.ok_or(Refused::OutOfTurn)?;
        let progress = check.after(found, now);
        if progress == Progress::Passed {
            self.keep(self.record.inspected(&check, self.passed_at(now)), store)?;
        }
        self.go_on(&check, progress)?;
        let repaired = progress == Progress::Passed && check.by == Role::Service;
        if repaired && self.fault().is_some() {
            self.apply(Event::Checked, now, store)?;
        }
        Ok(())
    }

    /// Keeps a proven brand. Another brand is another reader, to be inspected before it
    /// answers: so the last check ends first, also if the power goes in between.
    pub(super) fn keep_brand(
        &mut self,
        eye: &mut impl Eye,
        store: &mut impl ReaderStore,
    ) -> Result<Label, Fault> {
        self.record = self.record.uninspected();
        self.save(store);
        if self.unsaved {
            return Err(Fault::Store);
        }
        eye.keep(|brand| store.keep_brand(brand).map_err(|_| Fault::Store))
    }

    pub(super) fn busy_in_round(&mut self) {
        let busy = self.check.is_some() || self.teaching.is_some();
        self.services.in_round = busy || self.machine.in_round();
    }

    /// Keeps `record`. If that fails the one before stands, and is kept again.
    pub(super) fn keep(
        &mut self,
        record: Record,
        store: &mut impl ReaderStore,
    ) -> Result<(), Refused> {
        self.unsaved = store.keep_record(&record).is_err();
        if self.unsaved {
            return Err(Refused::StoreFailed);
        }
        self.record = record;
        Ok(())
    }

    /// Keeps the record; if that fails, it is tried again.
    fn save(&mut self, store: &mut impl ReaderStore) {
        self.unsaved = store.keep_record(&self.record).is_err();
    }
}
