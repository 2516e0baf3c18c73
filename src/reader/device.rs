//! The reader: its rules with a record, common services and events to publish.

use heapless::Deque;

use super::check::{Check, GAMING_DAY_MS};
use super::lesson::Teaching;
use super::machine::{Action, Event, Machine, Refusal, State};
use super::recognise::Brand;
use super::record::KeptRound;
use super::round::Mode;
use super::{DeviceEvent, Fault, ReaderStore, Record};
use crate::cards::Rank;
use crate::panel::LampTest;
use crate::profile::ReaderKind;
use crate::protocol::generated::croupier::common::{CheckVerdict, Result as Outcome, Trouble};
use crate::protocol::generated::croupier::reader::Lesson;
use crate::services::CommonServices;

/// What is known of the brand in force.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Label {
    /// Its number.
    pub id: u16,
    /// SHA-256 of what is kept of it.
    pub hash: [u8; 32],
}

impl Label {
    /// The label of `brand`.
    pub fn of(brand: &Brand) -> Self {
        Self { id: brand.id(), hash: brand.hash() }
    }
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
    /// The record in flash is not the one in memory.
    unsaved: bool,
    /// What was told and is not told again until it changes.
    pub(super) told_due: bool,
    pub(super) told_dirty: bool,
    /// When the card at home came, until it is told as forgotten.
    pub(super) home_since: Option<u64>,
    /// The last time seen: it never runs backwards.
    pub(super) now_ms: u64,
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
            last_check: CheckVerdict::Left,
            teaching: None,
            last_lesson: Lesson::None,
            repaired: None,
            fresh_card: false,
            test: LampTest::new(),
            unsaved: fault != record.fault,
            told_due: false,
            told_dirty: false,
            home_since: None,
            now_ms: 0,
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

    /// The eye knows this brand, or why it knows none.
    pub fn knows(
        &mut self,
        brand: Result<Option<Label>, Fault>,
        now_ms: u64,
        store: &mut impl ReaderStore,
    ) {
        match brand {
            Ok(brand) => self.brand = brand,
            Err(fault) => self.fail(fault, now_ms, store),
        }
    }

    /// The next thing to tell, the oldest first.
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

    /// Milliseconds that the last passed check still counts.
    pub fn inspected_for(&self, now_ms: u64) -> Option<u64> {
        let passed = self.record.passed.filter(|passed| passed.counts)?;
        let age = self.services.clock.utc_ms(now_ms)?.checked_sub(passed.utc_ms)?;
        GAMING_DAY_MS.checked_sub(age).filter(|left| *left > 0)
    }

    /// How it reads now.
    pub fn mode(&self, now_ms: u64) -> Mode {
        let busy = self.check.is_some() || self.teaching.is_some() || self.test.is_running();
        let rules = self.services.chosen.and_then(|chosen| chosen.game.profile().reader());
        // A round that has begun goes on, though the gaming day ends meanwhile.
        let inspected = self.inspected_for(now_ms).is_some() || self.machine.round().is_some();
        match rules.map(|rules| rules.kind) {
            Some(_) if busy || !inspected || self.brand.is_none() => Mode::Closed,
            Some(ReaderKind::Peek { .. }) => Mode::Peek,
            Some(ReaderKind::Masque { .. }) => Mode::Masque,
            None => Mode::Closed,
        }
    }

    pub(super) fn has_tens(&self) -> bool {
        self.services.chosen.is_none_or(|chosen| chosen.game.profile().pack.deck.has(Rank::Ten))
    }

    /// Takes an event and does all that follows from it here.
    pub(super) fn apply(
        &mut self,
        event: Event,
        now_ms: u64,
        store: &mut impl ReaderStore,
    ) -> Outcome {
        let mode = self.mode(now_ms);
        let (machine, action) = self.machine.after(event, mode, now_ms);
        self.machine = machine;
        if let Action::Stop(fault) = action {
            // One write ends the round and latches the fault, so that no power cut falls between.
            self.record.fault = Some(fault);
        }
        let kept = KeptRound::of(machine.round()).filter(|_| mode != Mode::Masque);
        if kept != self.record.round {
            self.record.round = kept;
            self.save(store);
            if self.unsaved && self.fault().is_none() {
                self.fail(Fault::Store, now_ms, store);
                return Outcome::StoreFailed;
            }
        }
        let outcome = self.act(action, store);
        self.busy_in_round();
        outcome
    }

    fn act(&mut self, action: Action, store: &mut impl ReaderStore) -> Outcome {
        match action {
            Action::None | Action::Armed | Action::Light => {}
            Action::Refuse(Refusal::OutOfTurn) => return Outcome::OutOfTurn,
            Action::Refuse(Refusal::Faulted) => return Outcome::Malfunction,
            Action::Inserted => self.publish_insertion(true),
            Action::Removed => self.publish_insertion(false),
            Action::Tell(word, trouble) => self.publish_verdict(word, trouble),
            Action::Closed(round) => self.publish_closed(&round, store),
            Action::SecondQuestion => {
                self.publish_floor(Trouble::SecondQuestion, 0);
                return Outcome::OutOfTurn;
            }
            Action::Stop(fault) => self.stop(fault, store),
            Action::Resume(fault) => self.publish_repaired(fault),
        }
        Outcome::Accepted
    }

    /// Dark and latched.
    fn stop(&mut self, fault: Fault, store: &mut impl ReaderStore) {
        self.record.fault = Some(fault);
        self.repaired = None;
        self.test = LampTest::new();
        self.services.lamp_test = false;
        self.save(store);
        self.publish(DeviceEvent::Irregularity(fault.irregularity()));
        self.end_check_and_lesson();
    }

    /// Keeps a proven brand. Another brand is another reader, to be inspected before it
    /// answers: so the last check ends first, also if the power goes in between.
    pub(super) fn keep_brand<S: ReaderStore>(
        &mut self,
        store: &mut S,
        keep: impl FnOnce(&mut S) -> Result<Label, Fault>,
    ) -> Result<Label, Fault> {
        self.record.passed.iter_mut().for_each(|passed| passed.counts = false);
        self.save(store);
        if self.unsaved { Err(Fault::Store) } else { keep(store) }
    }

    pub(super) fn busy_in_round(&mut self) {
        let busy = self.check.is_some() || self.teaching.is_some();
        self.services.in_round = busy || self.machine.in_round();
    }

    /// Keeps the record; if that fails, it is tried again.
    pub(super) fn save(&mut self, store: &mut impl ReaderStore) {
        self.unsaved = store.keep_record(&self.record).is_err();
    }

    pub(super) fn is_unsaved(&self) -> bool {
        self.unsaved
    }

    /// The node takes events many times a second; should it not, the oldest gives way.
    pub(super) fn publish(&mut self, events: DeviceEvent) {
        if self.events.is_full() {
            self.events.pop_front();
        }
        let _ = self.events.push_back(events); // there is room now
    }
}
