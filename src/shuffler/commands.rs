//! The shuffler behind its node: the commands it takes, its responses, its status.

use super::batch::stub::StubCount;
use super::batch::{self, Life};
use super::card_path::event::Contact;
use super::device::Shuffler;
use super::events::DeviceEvent;
use super::machine::{Event, State};
use super::model::Model;
use super::record::ShufflerStore;
use crate::node::{Command, Device, ProgressSummary, Refused, Reply, StatusSummary};
use crate::protocol::codec::Request;
use crate::protocol::generated::croupier::common::{
    Activity, ClearRequest, ClearResponse, Condition, NextStep, Role, Trouble,
};
use crate::protocol::generated::croupier::shuffler::{
    BatchOpenedRequest, BatchOpenedResponse, BatchRetiredRequest, BatchRetiredResponse,
    CommandRequest, CommandResponse, CountGetRequest, CountGetResponse, InventoryGetRequest,
    InventoryGetResponse, Phase, Purpose, StubCountedRequest, StubCountedResponse, StubResult,
    Task,
};
use crate::services::ProfileStore;
use crate::time::Instant;

use super::ports::Key;

impl Shuffler {
    /// The dealer pressed a key. What it asks for depends on the model and on circulation.
    pub fn press(
        &mut self,
        key: Key,
        now: Instant,
        store: &mut impl ShufflerStore,
    ) -> Result<(), Refused> {
        let circulating = self.state() == State::Circulating;
        let (task, purpose) = match key {
            Key::Start if circulating => (Task::NextRound, Purpose::None),
            Key::Start if self.machine.model == Model::Continuous => {
                (Task::Start, Purpose::Continuous)
            }
            Key::Start => (Task::Start, Purpose::FullBatch),
            Key::Release if circulating => (Task::GiveBack, Purpose::None),
            Key::Release => (Task::Release, Purpose::None),
            Key::Stop => (Task::Abort, Purpose::None),
            Key::Dealt => (Task::Dealt, Purpose::None),
            Key::LampTest => return Err(Refused::OutOfTurn),
        };
        self.command(task, purpose, super::Batch::None, Role::Device, now, store)
    }

    fn clear(
        &mut self,
        command: &Command<'_>,
        reply: &mut Reply,
        store: &mut impl ShufflerStore,
    ) -> Result<(), Refused> {
        let now = command.now;
        let ClearRequest { trouble, .. } = command.decode()?;
        self.apply(Event::Clear(trouble, command.role), now, store)?;
        reply.say(&ClearResponse::default())
    }

    fn open_batch(
        &mut self,
        command: &Command<'_>,
        reply: &mut Reply,
        store: &mut impl ShufflerStore,
    ) -> Result<(), Refused> {
        let now = command.now;
        let asked: BatchOpenedRequest = command.decode()?;
        let chosen = self.services.chosen.ok_or(Refused::WrongProfile)?;
        let profile = chosen.game.profile();
        let Some(colour) = batch::named(asked.batch).filter(|_| asked.decks == chosen.decks) else {
            self.publish(DeviceEvent::notice(Trouble::UnequalBatch, asked.decks.into()));
            return Err(Refused::OutOfRange);
        };
        // Without the time of day an age means nothing (CM-09).
        let opened_ms = self.services.clock.utc_ms(now).ok_or(Refused::OutOfTurn)?;
        let hours = batch::hours(profile, chosen.dealing);
        let life = Life { opened_ms, decks: asked.decks, hours };
        self.apply(Event::Opened(colour, life), now, store)?;
        let minutes_left = self.batches().minutes_left(colour, opened_ms).unwrap_or(u16::MAX);
        reply.say(&BatchOpenedResponse { minutes_left, ..BatchOpenedResponse::default() })
    }

    fn retire_batch(
        &mut self,
        command: &Command<'_>,
        reply: &mut Reply,
        store: &mut impl ShufflerStore,
    ) -> Result<(), Refused> {
        let BatchRetiredRequest { batch, .. } = command.decode()?;
        let colour = batch::named(batch).ok_or(Refused::OutOfRange)?;
        self.apply(Event::Retired(colour), command.now, store)?;
        reply.say(&BatchRetiredResponse::default())
    }

    fn count_stub(
        &mut self,
        command: &Command<'_>,
        reply: &mut Reply,
        store: &mut impl ShufflerStore,
    ) -> Result<(), Refused> {
        let StubCountedRequest { found, misdealt, .. } = command.decode()?;
        let count = StubCount { found, misdealt, by: command.role };
        let StubResult { next_step, by_analogy, .. } = count.result(self.services.chosen)?;
        self.apply(Event::StubCounted(count), command.now, store)?;
        reply.say(&StubCountedResponse { next_step, by_analogy, ..Default::default() })
    }

    /// What must be counted by hand now, if anything (SH-09).
    fn stub_due(&self) -> Option<NextStep> {
        self.machine.stub_due(self.profile()?.round()?)
    }

    fn say_inventory(&self, reply: &mut Reply) -> Result<(), Refused> {
        let inventory = match (self.circulation(), self.cycle()) {
            (Some(continuous), _) => continuous.inventory(),
            (_, Some(cycle)) => super::Inventory {
                inside: cycle.shown_inside(),
                delivered: 0,
                ..self.record().inventory
            },
            _ => self.record().inventory,
        };
        let certified = self.record().certificate.certified();
        reply.say(&InventoryGetResponse {
            batch: batch::to_wire(certified.map(|certified| certified.colour)),
            certificate: self.record().certificate.state(),
            feed: self.contact(Contact::FeedLoaded).into(),
            inside: inventory.inside,
            chute: inventory.delivered,
            out: inventory.out,
            certain: inventory.certain && self.cycle().is_none(),
            ..InventoryGetResponse::default()
        })
    }

    fn say_count(&self, reply: &mut Reply) -> Result<(), Refused> {
        let receipt = self.receipt().ok_or(Refused::NotFound)?;
        let tally = &receipt.tally;
        reply.say(&CountGetResponse {
            utc_ms: receipt.utc_ms,
            purpose: receipt.purpose,
            verdict: tally.verdict(receipt.expected),
            batch: batch::to_wire(receipt.colour),
            decks: receipt.decks,
            expected: receipt.expected.unwrap_or(0),
            fed: tally.fed,
            slotted: tally.slotted,
            ejected: tally.ejected,
            cover_cards: tally.cover_cards,
            foreign_backs: tally.foreign_backs,
            face_up: tally.face_up,
            by: receipt.by,
            ..CountGetResponse::default()
        })
    }

    fn activity(&self) -> Activity {
        match self.state() {
            State::Idle => Activity::Idle,
            State::Homing | State::Looking(_) | State::Emptying(_) | State::Drawing => {
                Activity::Shuffling
            }
            State::Cycling => match self.progress().0 {
                Phase::Feeding => Activity::Feeding,
                Phase::Delivering => Activity::Delivering,
                Phase::Counting => Activity::Counting,
                _ => Activity::Shuffling,
            },
            State::Ready if self.record().certificate.certified().is_some() => Activity::Ready,
            State::Stored => Activity::Stored,
            State::Circulating => Activity::Circulating,
            State::Ready | State::Releasing | State::Stopped(_) => Activity::WaitingPeople,
        }
    }
}

impl<S: ProfileStore + ShufflerStore> Device<S> for Shuffler {
    fn status_summary(&self) -> StatusSummary {
        let common = Device::<S>::status_summary(&self.services);
        let fault = match self.state() {
            State::Stopped(fault) => Some(fault),
            _ => None,
        };
        StatusSummary {
            condition: match fault {
                Some(fault) if fault.is_grave() => Condition::OutOfOrder,
                _ if self.services.lamp_test => Condition::Checking,
                _ if self.services.chosen.is_none() => Condition::NoProfile,
                // No clause asks for a gaming-day check of this device.
                _ => Condition::InService,
            },
            activity: self.activity(),
            next_step: match fault {
                Some(fault) => fault.next_step(self.profile()),
                None => self.stub_due().unwrap_or(common.next_step),
            },
            cleared_by: fault.map_or(common.cleared_by, |fault| self.machine.cleared_by(fault)),
            ..common
        }
    }

    fn progress_summary(&self) -> Option<ProgressSummary> {
        let (phase, pass, done, total) = self.progress();
        Some(ProgressSummary { phase, pass, done, total })
    }

    fn service_switch_closed(&self) -> bool {
        self.services.service_switch
    }

    fn obey(
        &mut self,
        command: &Command<'_>,
        reply: &mut Reply,
        store: &mut S,
    ) -> Result<(), Refused> {
        let now = command.now;
        match command.service {
            CommandRequest::SERVICE => {
                let CommandRequest { task, purpose, batch, .. } = command.decode()?;
                self.command(task, purpose, batch, command.role, now, store)?;
                reply.say(&CommandResponse::default())
            }
            InventoryGetRequest::SERVICE => self.say_inventory(reply),
            CountGetRequest::SERVICE => self.say_count(reply),
            BatchOpenedRequest::SERVICE => self.open_batch(command, reply, store),
            BatchRetiredRequest::SERVICE => self.retire_batch(command, reply, store),
            StubCountedRequest::SERVICE => self.count_stub(command, reply, store),
            ClearRequest::SERVICE => self.clear(command, reply, store),
            _ => {
                let before = self.services.in_round;
                self.services.in_round |= self.machine.binds_game();
                let obeyed = self.services.obey(command, reply, store);
                self.services.in_round = before;
                self.take(Event::Ruled, now, store);
                obeyed
            }
        }
    }
}
