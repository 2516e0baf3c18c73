//! The reader: rules, record and events joined. Only here is the store used.
//!
//! The machine, the check and the lesson say what follows from an event. This file keeps in
//! flash what must outlive a power cut, and only then lights and publishes.

use heapless::Deque;

use super::check::{Check, Found, Progress};
use super::inputs::Done;
use super::lamps::Lit;
use super::lesson::Teaching;
use super::machine::{Action, Event, Machine, State};
use super::nest::NestEvent;
use super::ports::Key;
use super::record::KeptRound;
use super::{DeviceEvent, Fault, Label, ReaderStore, Record};
use crate::node::Refused;
use crate::panel::{KeyEvent, LampTest};
use crate::profile::ReaderKind;
use crate::protocol::generated::croupier::common::{
    CheckVerdict, InspectionRequest, Role, Trouble,
};
use crate::protocol::generated::croupier::reader::{Lesson, Reading, UpCard};
use crate::services::CommonServices;
use crate::time::Instant;

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
    events: Deque<DeviceEvent, 16>,
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
            machine: Machine::resume(record.round.map(KeptRound::resumed), fault),
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

    /// The next event to publish, the oldest first.
    pub fn take_event(&mut self) -> Option<DeviceEvent> {
        self.events.pop_front()
    }

    /// The fault, if it is out of service for one.
    pub fn fault(&self) -> Option<Fault> {
        match self.state() {
            State::Faulted(fault) => Some(fault),
            _ => None,
        }
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
        let mode = self.mode(now);
        let (machine, action) = self.machine.after(event, mode, now);
        self.machine = machine;
        let masque = matches!(self.kind(), Some(ReaderKind::Masque { .. }));
        let round = KeptRound::of(machine.round()).filter(|_| !masque);
        let binds = round != self.record.round;
        // One write ends the round and latches the fault, so that no power cut falls between.
        if self.record.take(round, &action) {
            self.save(store);
            if self.unsaved && binds && self.fault().is_none() {
                self.fail(Fault::Store, now, store);
                return Err(Refused::StoreFailed);
            }
        }
        let done = self.act(action);
        self.busy_in_round();
        done
    }

    /// Lights and publishes what `action` says.
    fn act(&mut self, action: Action) -> Result<(), Refused> {
        match action {
            Action::None => {}
            Action::Refuse(why) => return Err(why),
            Action::Armed(round, up_card, by) => self.publish_armed(round, up_card, by),
            Action::Inserted(quick) => {
                self.lit = Lit::NONE;
                self.publish_insertion(true);
                if let Some(since) = quick {
                    self.publish_quick_repeat(since);
                }
            }
            Action::TooSoon => {
                self.lit = Lit::says(Reading::Notice);
                return Err(Refused::OutOfTurn);
            }
            Action::Removed => self.publish_insertion(false),
            Action::Light(word) => self.lit = Lit::says(word),
            Action::CallFloor => self.lit = Lit::says(Reading::CannotRead),
            Action::Publish(word, trouble) => self.publish_verdict(word, trouble),
            Action::Closed(round, by) => {
                self.lit = Lit::NONE;
                self.publish_closed(&round, by);
            }
            Action::SecondQuestion(by) => {
                if by == Role::Device {
                    self.lit = Lit::says(Reading::Notice);
                }
                self.publish_floor(Trouble::SecondQuestion, 0);
                return Err(Refused::OutOfTurn);
            }
            Action::Stop(fault) => self.stop(fault),
            Action::Resume(fault) => self.publish_repaired(fault),
        }
        Ok(())
    }

    /// Dark and latched.
    fn stop(&mut self, fault: Fault) {
        self.repaired = None;
        self.lit = Lit::NONE;
        self.test = LampTest::new();
        self.services.lamp_test = false;
        self.publish(DeviceEvent::Irregularity(fault.irregularity()));
        self.end_check_and_lesson();
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
            let utc_ms = self.services.clock.utc_ms(now).unwrap_or(0);
            self.keep(self.record.inspected(&check, utc_ms), store)?;
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
    pub(super) fn keep_brand<S: ReaderStore>(
        &mut self,
        store: &mut S,
        keep: impl FnOnce(&mut S) -> Result<Label, Fault>,
    ) -> Result<Label, Fault> {
        self.record = self.record.uninspected();
        self.save(store);
        if self.unsaved { Err(Fault::Store) } else { keep(store) }
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

    /// The node takes events many times a second; should it not, the oldest gives way.
    pub(super) fn publish(&mut self, event: DeviceEvent) {
        if self.events.is_full() {
            self.events.pop_front();
        }
        let _ = self.events.push_back(event.with_clause(&self.services)); // there is room now
    }
}
