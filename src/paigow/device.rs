//! The generator: machine, record and events joined. Only here is the store used.
//!
//! The machine says what follows from an event. This file keeps in flash what must outlive a
//! power cut, and only then lights and publishes.

use core::num::NonZeroU8;

use heapless::Deque;

use super::check::Check;
use super::machine::{Action, Event, Machine, Refusal, State};
use super::ports::Key;
use super::record::Shuffling;
use super::segments::HIGHEST;
use super::{DeviceEvent, Entry, Fault, NumberStore, Record, Segments, seat};
use crate::node::Refused;
use crate::panel::{KeyEvent, LampTest};
use crate::protocol::generated::croupier::common::{Cleared, Role, Trouble};
use crate::protocol::generated::croupier::paigow::BlankReason;
use crate::protocol::generated::croupier::shuffler::Batch;
use crate::services::CommonServices;
use crate::store::StoreError;
use crate::time::Instant;

/// What the device waits for from its front.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Want {
    /// A number from 1 to this.
    Draw(NonZeroU8),
    /// A check of display and random core.
    Check,
}

/// The generator.
#[derive(Debug)]
pub struct PaiGow {
    /// What it does for the floor like every device.
    pub services: CommonServices,
    pub(super) machine: Machine,
    pub(super) record: Record,
    /// How 'shuffled' is known, and the certificate taken last.
    pub(super) shuffling: Shuffling,
    /// The batch whose certificate opened the round, if one did.
    pub(super) batch: Batch,
    test: LampTest,
    /// The number on the display: set by the machine's actions.
    lit: Segments,
    /// What the front is asked for: by the machine's actions, and by service.
    pub(super) want: Option<Want>,
    pub(super) check: Option<Check>,
    /// The record in flash is not the one in memory.
    pub(super) unsaved: bool,
    presses_refused: u16,
    /// The refusal published last, so that a key storm is published once.
    reported: Option<(Trouble, u16)>,
    events: Deque<DeviceEvent, 8>,
}

impl PaiGow {
    /// The generator after power on, as its store remembers it.
    pub fn new(mut services: CommonServices, store: &mut impl NumberStore) -> Self {
        let (record, unreadable) = match store.load_record() {
            Ok(record) => (record.unwrap_or_default(), None),
            Err(StoreError::Undecodable(_)) => (Record::new(), Some(Fault::Selection)),
            Err(_) => (Record::new(), Some(Fault::Store)),
        };
        // Without it an old certificate would be good again.
        let (shuffling, unknown) = match store.load_shuffling() {
            Ok(shuffling) => (shuffling.unwrap_or_default(), None),
            Err(_) => (Shuffling::default(), Some(Fault::Store)),
        };
        let last = record.last().map(|entry| entry.round);
        let standing = record.standing().map(|entry| entry.number);
        let machine = Machine::resume(last, standing, record.fault.or(unreadable).or(unknown));
        services.in_round = machine.round().is_some();
        let mut paigow = Self {
            services,
            machine,
            record,
            shuffling,
            batch: Batch::None,
            test: LampTest::new(),
            lit: machine.number().and_then(Segments::digit).unwrap_or_default(),
            want: None,
            check: None,
            unsaved: false,
            presses_refused: 0,
            reported: None,
            events: Deque::new(),
        };
        if let State::Faulted(fault) = machine.state() {
            paigow.publish(DeviceEvent::Irregularity(fault.irregularity()));
        }
        paigow
    }

    /// What it is doing.
    pub fn state(&self) -> State {
        self.machine.state()
    }

    /// Its last numbers.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// Presses that drew nothing, since power on.
    pub fn presses_refused(&self) -> u16 {
        self.presses_refused
    }

    /// The next event to publish, the oldest first.
    pub fn take_event(&mut self) -> Option<DeviceEvent> {
        self.events.pop_front()
    }

    /// What the dealer's hand did to a key.
    pub fn key(&mut self, key: Key, event: KeyEvent, now: Instant, store: &mut impl NumberStore) {
        // A refused key is published where the rules ask for it, and changes nothing.
        _ = match (key, event) {
            (Key::LampTest, _) => {
                self.lamp_test(event, now);
                Ok(())
            }
            (_, KeyEvent::Released) => Ok(()),
            (Key::Draw, _) => self.press(now, store),
            (Key::Shuffled, _) => self.shuffled(now, store),
            (Key::BetsClosed, _) => self.bets_closed(now, store),
            (Key::RoundEnd, _) => self.round_end(now, store),
        };
    }

    /// The dealer pressed the key.
    fn press(&mut self, now: Instant, store: &mut impl NumberStore) -> Result<(), Refused> {
        // A lamp test never ends in a number (PG-20).
        if self.test.is_running() {
            return Err(self.refuse(Refusal::EarlyPress));
        }
        self.apply(Event::Press, now, store)
    }

    /// The lamp-test key: not while a number stands, and not on a display at fault.
    fn lamp_test(&mut self, event: KeyEvent, now: Instant) {
        let broken = matches!(self.state(), State::Faulted(Fault::Display(_)));
        if event == KeyEvent::Pressed && (self.machine.has_drawn() || broken) {
            return;
        }
        self.test = self.test.after(event, now);
        self.services.lamp_test = self.test.is_running();
        if self.services.lamp_test {
            let round = self.machine.round().unwrap_or(0);
            self.publish(DeviceEvent::blanked(round, BlankReason::LampTest));
        }
    }

    /// What it waits for.
    pub fn want(&self) -> Option<Want> {
        self.want
    }

    /// Whether no number is being drawn or lit: a moment for what takes time.
    pub fn is_at_rest(&self) -> bool {
        !matches!(self.state(), State::Lighting(..)) && self.want.is_none()
    }

    /// The number it asked for, or why there is none.
    pub fn drawn(
        &mut self,
        drawn: Result<NonZeroU8, Fault>,
        now: Instant,
        store: &mut impl NumberStore,
    ) {
        self.want = None;
        let most = self.positions();
        let drawn = drawn.and_then(|number| match most {
            Some(most) if number <= most => Ok(number),
            _ => Err(Fault::Selection),
        });
        _ = self.apply(drawn.map_or_else(Event::Failed, Event::Drawn), now, store);
    }

    /// What the display must show at `now`.
    pub fn lit(&self, now: Instant) -> Segments {
        if self.test.is_running() {
            return if self.test.is_lit(now) { Segments::ALL } else { Segments::NONE };
        }
        self.lit
    }

    /// The display was set to `lit`, and whether it follows.
    pub fn shown(
        &mut self,
        lit: Segments,
        seen: Result<(), Fault>,
        now: Instant,
        store: &mut impl NumberStore,
    ) {
        match (seen, self.state()) {
            (Err(fault), _) => self.fail(fault, now, store),
            (Ok(()), State::Lighting(_, number)) if lit.number() == Some(number) => {
                _ = self.apply(Event::Lit, now, store);
            }
            _ => {}
        }
    }

    /// Something failed. A check that had passed says no more about the device as it is now.
    pub fn fail(&mut self, fault: Fault, now: Instant, store: &mut impl NumberStore) {
        self.check = self.check.filter(|check| *check != Check::Passed);
        _ = self.apply(Event::Failed(fault), now, store);
    }

    /// Tries again to keep what could not be kept.
    pub fn save_again(&mut self, store: &mut impl NumberStore) {
        if self.unsaved {
            self.save(store);
        }
    }

    /// The highest number that may be drawn, if one may.
    pub(super) fn positions(&self) -> Option<NonZeroU8> {
        self.services.chosen.as_ref().and_then(seat::positions)
    }

    /// Takes an event and does all that follows from it here.
    pub(super) fn apply(
        &mut self,
        event: Event,
        now: Instant,
        store: &mut impl NumberStore,
    ) -> Result<(), Refused> {
        let (machine, action) = self.machine.after(event, now);
        self.machine = machine;
        let done = self.act(action, now, store);
        self.services.in_round = self.machine.round().is_some();
        done
    }

    fn act(
        &mut self,
        action: Action,
        now: Instant,
        store: &mut impl NumberStore,
    ) -> Result<(), Refused> {
        match action {
            Action::None => {}
            Action::Refuse(why) => return Err(self.refuse(why)),
            // Without positions the number will be refused: a fault, not a wait for ever.
            Action::Draw => self.want = Some(Want::Draw(self.positions().unwrap_or(HIGHEST))),
            Action::Light(number) => self.lit = Segments::digit(number).unwrap_or_default(),
            Action::Keep(round, number) => return self.keep(round, number, now, store),
            Action::Publish(..) => {
                if let Some(entry) = self.record.standing().copied() {
                    self.publish(DeviceEvent::number(&entry));
                }
            }
            Action::Close(round) => return self.close(round, now, store),
            Action::Stop(fault) => self.stop(fault, store),
            Action::Disarm(_) => self.publish(DeviceEvent::revoked()),
            Action::Resume(fault) => {
                self.publish(DeviceEvent::Cleared(Cleared {
                    trouble: fault.trouble(),
                    by: Role::Service,
                    ..Cleared::default()
                }));
            }
        }
        self.reported = None;
        Ok(())
    }

    /// Stores a number before it is shown, and only then lets it be lit (PG-09, PG-17).
    fn keep(
        &mut self,
        round: u16,
        number: NonZeroU8,
        now: Instant,
        store: &mut impl NumberStore,
    ) -> Result<(), Refused> {
        let utc_ms = self.services.clock.utc_ms(now).unwrap_or(0);
        let positions = self.positions().unwrap_or(HIGHEST);
        self.record.write(Entry { round, number, positions, utc_ms });
        if store.keep_record(&self.record).is_err() {
            self.record.strike();
            self.fail(Fault::Store, now, store);
            return Err(Refused::StoreFailed);
        }
        self.apply(Event::Saved, now, store)
    }

    /// Ends the round; if that cannot be kept the number would come back, so it is a fault.
    fn close(
        &mut self,
        round: u16,
        now: Instant,
        store: &mut impl NumberStore,
    ) -> Result<(), Refused> {
        (self.reported, self.lit) = (None, Segments::NONE);
        if !self.record.in_play {
            return Ok(());
        }
        self.record.in_play = false;
        if store.keep_end(&self.record).is_err() {
            self.fail(Fault::Store, now, store);
            return Err(Refused::StoreFailed);
        }
        self.publish(DeviceEvent::blanked(round, BlankReason::RoundEnded));
        Ok(())
    }

    /// Dark and latched. The number, if one stood, never comes back: the shaker decides.
    fn stop(&mut self, fault: Fault, store: &mut impl NumberStore) {
        let round = self.record.standing().map_or(0, |entry| entry.round);
        self.record.in_play = false;
        self.record.fault = Some(fault);
        (self.check, self.want, self.lit) = (None, None, Segments::NONE);
        self.test = LampTest::new();
        self.services.lamp_test = false;
        self.save(store);
        self.publish(DeviceEvent::blanked(round, BlankReason::Fault));
        self.publish(DeviceEvent::Irregularity(fault.irregularity()));
    }

    pub(super) fn save(&mut self, store: &mut impl NumberStore) {
        self.unsaved = store.keep_record(&self.record).is_err();
    }

    /// Publishes a refusal that the floor should know of, and counts a press that draws nothing; others
    /// are only answered.
    pub(super) fn refuse(&mut self, why: Refusal) -> Refused {
        let report = match why {
            Refusal::OutOfTurn => return Refused::OutOfTurn,
            Refusal::Busy => return Refused::Busy,
            Refusal::Faulted => return Refused::Malfunction,
            Refusal::EarlyPress => (Trouble::EarlyPress, 0),
            Refusal::SecondPress => (Trouble::SecondPress, 0),
            Refusal::TooSoon(_) => (Trouble::RoundTooShort, 0),
            Refusal::NotByKey => (Trouble::NotByKey, 0),
            Refusal::Doubtful(doubt) => (Trouble::CertificateRefused, doubt as u16),
        };
        let pressed = matches!(why, Refusal::EarlyPress | Refusal::SecondPress);
        self.presses_refused = self.presses_refused.saturating_add(pressed.into());
        if self.reported.replace(report) != Some(report) {
            self.publish(DeviceEvent::refused(why, report));
        }
        match why {
            Refusal::NotByKey | Refusal::Doubtful(_) => Refused::NotCertified,
            _ => Refused::OutOfTurn,
        }
    }

    /// The node takes events many times a second; should it not, the oldest gives way.
    pub(super) fn publish(&mut self, event: DeviceEvent) {
        if self.events.is_full() {
            self.events.pop_front();
        }
        let _ = self.events.push_back(event.with_clause(&self.services)); // there is room now
    }
}
