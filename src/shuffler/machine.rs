//! The shuffler's rules: which state follows which event. No I/O, no clock, no store, no chip.
//!
//! An event comes with its [`Moment`]. What must be done because of it is an [`Action`];
//! actions are done in their order, and all of them before a motor moves; only a plain save may
//! come last, and later. An action that must be in flash first is answered by [`Event::Saved`] or
//! [`Event::SaveFailed`], and the machine takes no other event before that answer. So a cycle
//! begins, a certificate is issued and a stack is released only after flash knows of it (SH-22).
//!
//! This file says what follows what. How a cycle begins, ends and stops is in
//! [`cycle`](super::cycle), contacts are in [`card_path`](super::card_path), release and batch
//! clocks in [`batch`](super::batch), circulation in [`continuous`](super::continuous), and
//! what flash must have first in `commit`.

use heapless::Deque;

use super::DeviceEvent;
use super::batch::stub::StubCount;
use super::batch::{Batches, Life};
use super::card_path::event::{self as mechanism, Contact};
use super::card_path::path::{Path, Report};
use super::card_path::sweep::Sweep;
use super::commit::Awaited;
use super::continuous::Continuous;
use super::cycle::count::Receipt;
use super::cycle::service_check::ServiceCheck;
use super::cycle::{Cycle, Ended};
use super::fault::{Cut, Fault};
use super::model::Model;
pub use super::moment::Moment;
use super::record::Record;
use crate::cards::BackColour;
use crate::node::Refused;
use crate::protocol::generated::croupier::common::{NextStep, Role, Trouble};
use crate::protocol::generated::croupier::shuffler::{Purpose, Task};

/// What can happen to the shuffler.
#[derive(Debug, Clone, Copy)]
pub enum Event<'a> {
    /// The mechanism noticed something.
    Noticed(mechanism::Event),
    /// Time has passed; a deadline may be due.
    TimePassed,
    /// A person, a key or the controller asks for something.
    Asked(Task, Job),
    /// The order it asked for, or why there is none.
    Order(Result<&'a [u16], Fault>),
    /// There is time for a step of planning.
    PlanOn,
    /// New cards of this colour were opened.
    Opened(BackColour, Life),
    /// A floorperson says that a batch has left the table.
    Retired(BackColour),
    /// Another game, number of decks or way of dealing may be in force.
    Ruled,
    /// A stub was counted by hand.
    StubCounted(StubCount),
    /// A role clears this trouble.
    Clear(Trouble, Role),
    /// What the check of the random core or of the store found.
    Checked(Result<(), Fault>),
    /// Something outside the mechanism failed.
    Failed(Fault),
    /// What had to be committed is in flash.
    Saved,
    /// It could not be saved.
    SaveFailed,
}

/// What the shuffler is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Nothing; no stack waits.
    Idle,
    /// The wheel looks for its home.
    Homing,
    /// The wheel turns once past the slot beam: first, or after this sweep.
    Looking(Option<Sweep>),
    /// Every slot is emptied.
    Emptying(Sweep),
    /// The random core is asked for an order.
    Drawing,
    /// A cycle is under way.
    Cycling,
    /// A stack waits behind the locked door; the certificate says whether it is shuffled.
    Ready,
    /// The same, put away for an idle table (SH-25).
    Stored,
    /// The door is unlocked until the stack has been taken and the door is shut.
    Releasing,
    /// One batch circulates.
    Circulating,
    /// Stopped until its role clears it.
    Stopped(Fault),
}

impl State {
    /// Whether motors may be running.
    pub const fn is_busy(self) -> bool {
        matches!(
            self,
            Self::Homing
                | Self::Looking(_)
                | Self::Emptying(_)
                | Self::Drawing
                | Self::Cycling
                | Self::Circulating
        )
    }
}

/// What must be done because of an event, besides moving the mechanism.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Save the record after the other actions, or soon; if that fails, try again later.
    Save,
    /// Save the record before anything else, and answer.
    Commit,
    /// Save the batches before anything else, and answer.
    CommitBatches,
    /// Save the batches after the other actions, or soon; if that fails, try again later.
    SaveBatches,
    /// Write the record, read record and batches back, and answer what was found.
    ProveStore,
    /// Publish this.
    Publish(DeviceEvent),
    /// Whether a batch is in play: from its release until its shoe or round is over.
    SetInRound(bool),
}

/// What a cycle is for, and who asked for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Job {
    /// The kind of cycle; `None` empties the machine.
    pub purpose: Purpose,
    /// The batch that was asked for; `None` lets the first back decide.
    pub colour: Option<BackColour>,
    /// Whose authority asked; the device's own keys ask as `Device`.
    pub by: Role,
}

/// What the machine waits for from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Want {
    /// An order of this many cards.
    Order(u16),
    /// A check of the random core.
    Check,
}

/// Actions of one event: ten at most, when the count of a batch in play is wrong.
type Outbox = Deque<Action, 12>;

/// The machine.
pub struct Machine {
    pub(super) model: Model,
    pub(super) state: State,
    pub(super) path: Path,
    pub(super) job: Job,
    pub(super) cycle: Cycle,
    pub(super) continuous: Option<Continuous>,
    pub(super) record: Record,
    pub(super) batches: Batches,
    pub(super) contacts: [bool; 4],
    /// The lid was shut last with a beam blocked.
    pub(super) shut_blocked: bool,
    /// Cards that EMPTY must bring out of a machine that circulated.
    pub(super) expected: Option<u16>,
    pub(super) receipt: Option<Receipt>,
    pub(super) check: ServiceCheck,
    pub(super) awaited: Option<Awaited>,
    outbox: Outbox,
}

impl Machine {
    /// The machine after power on, with what was saved, if all of it could be read. What was
    /// under way when power failed is over: nothing is shuffled (SH-22, SH-25).
    pub fn resume(
        model: Model,
        record: Record,
        batches: Batches,
        readable: bool,
        moment: &Moment,
    ) -> Self {
        let mut machine = Self {
            model,
            state: State::Idle,
            path: Path::new(model.wheel()),
            job: Job { purpose: Purpose::None, colour: None, by: Role::Device },
            cycle: Cycle::idle(model.wheel()),
            continuous: None,
            record,
            batches,
            contacts: [false; 4],
            shut_blocked: false,
            expected: None,
            receipt: None,
            check: ServiceCheck::NONE,
            awaited: None,
            outbox: Outbox::new(),
        };
        machine.wake(readable, moment);
        machine
    }

    /// Takes an event, or refuses what it asks for. Actions and moves come out after it.
    pub fn apply(&mut self, event: Event<'_>, moment: &Moment) -> Result<(), Refused> {
        match (event, self.awaited) {
            (Event::Saved, Some(awaited)) => {
                self.saved(awaited, moment);
                return Ok(());
            }
            (Event::SaveFailed, Some(awaited)) => {
                self.save_failed(awaited, moment);
                return Err(Refused::StoreFailed);
            }
            (_, Some(_)) => return Err(Refused::Busy),
            (_, None) => {}
        }
        match event {
            Event::Asked(task, job) => self.asked(task, job, moment)?,
            Event::Opened(colour, life) => self.open_batch(colour, life),
            Event::Retired(colour) => self.retire(colour)?,
            Event::StubCounted(count) => self.stub_counted(count, moment)?,
            Event::Clear(trouble, by) => self.clear(trouble, by, moment)?,
            Event::Noticed(event) => self.noticed(event, moment),
            Event::TimePassed => {
                let report = self.path.pass_time(moment.now);
                self.go_on(report, moment);
            }
            Event::Order(drawn) => self.take_order(drawn, moment),
            Event::PlanOn => self.plan_on(moment),
            Event::Ruled => self.follow_profile(moment),
            Event::Checked(found) => self.checked(found),
            Event::Failed(fault) => {
                if !matches!(self.state, State::Stopped(open) if open.is_grave()) {
                    self.stop_with(fault, moment);
                }
                self.doubt_check(fault);
            }
            Event::Saved | Event::SaveFailed => {}
        }
        Ok(())
    }

    /// What a person or the controller asks for.
    fn asked(&mut self, task: Task, job: Job, moment: &Moment) -> Result<(), Refused> {
        if job.by == Role::Controller && task != Task::Abort {
            return Err(Refused::NotAuthorised);
        }
        match task {
            Task::None => return Err(Refused::OutOfRange),
            Task::Start => self.start(job, moment)?,
            Task::Abort if self.stop_check() => {}
            Task::Abort if self.state.is_busy() || self.waits() => {
                self.stop_with(Fault::Interrupted(Cut::Stopped), moment);
            }
            Task::Release => self.release(job.by, moment)?,
            Task::Store => self.put_away(moment)?,
            Task::Empty => self.empty(job.by)?,
            Task::NextRound | Task::GiveBack => self.turn_round(task, moment)?,
            Task::Dealt => self.dealt(moment)?,
            Task::Abort => return Err(Refused::OutOfTurn),
        }
        Ok(())
    }

    fn noticed(&mut self, event: mechanism::Event, moment: &Moment) {
        if let mechanism::Event::Contact(contact, closed) = event {
            return self.touched(contact, closed, moment);
        }
        if let Some(continuous) = &mut self.continuous {
            continuous.noticed(event);
        }
        self.note_beam(event);
        let report = self.path.sense(event, moment.now);
        self.go_on(report, moment);
    }

    fn go_on(&mut self, report: Option<Report>, moment: &Moment) {
        if report.is_some() || self.state == State::Circulating {
            self.proceed(report, moment);
        }
    }

    /// Goes on with what is under way.
    pub(super) fn proceed(&mut self, report: Option<Report>, moment: &Moment) {
        match (self.state, report) {
            (State::Homing, Some(Report::Cleared)) => self.path.home(moment.now),
            (State::Homing, Some(Report::Homed)) => self.prepare(moment),
            (State::Homing | State::Drawing, Some(Report::Failed(fault))) => {
                self.stop_with(fault, moment);
            }
            (State::Looking(swept), Some(report)) => self.looked(swept, report, moment),
            (State::Emptying(mut sweep), Some(report)) => {
                let swept = sweep.step(report, &mut self.path, moment.now);
                self.state = State::Emptying(sweep);
                match swept {
                    Ok(false) => {}
                    Ok(true) => self.look(Some(sweep), moment),
                    Err(fault) => self.stop_with(fault, moment),
                }
            }
            (State::Cycling, report) => match self.cycle.step(report, &mut self.path, moment.now) {
                None => {}
                Some(Ended::Out) => self.look(None, moment),
                Some(Ended::Failed(fault)) => self.cycle_failed(fault, moment),
            },
            (State::Circulating, report) => self.circulate(report, moment),
            (State::Stopped(_), Some(report)) if self.is_checking_wheel() => {
                self.check_on(report, moment);
            }
            // A card where none should be, or a motor that moved without an order.
            (_, Some(Report::Failed(fault))) => self.disturbed(fault, moment),
            _ => {}
        }
    }

    /// The next action, the oldest first.
    pub fn next_action(&mut self) -> Option<Action> {
        self.outbox.pop_front()
    }

    /// The next thing the mechanism must do, the oldest first. Nothing moves while an action
    /// is left to do, or its answer is awaited.
    pub fn next_move(&mut self) -> Option<mechanism::Action> {
        if self.awaited.is_some() || !self.outbox.is_empty() {
            return None;
        }
        self.path.next_action()
    }

    #[inline(never)] // called from many places
    pub(super) fn push(&mut self, action: Action) {
        let pushed = self.outbox.push_back(action);
        debug_assert!(pushed.is_ok(), "more actions than an event can have");
    }

    #[inline(never)] // called from many places
    pub(super) fn publish(&mut self, event: DeviceEvent) {
        self.push(Action::Publish(event));
    }

    #[inline(never)] // called from many places
    pub(super) fn notice(&mut self, trouble: Trouble, detail: u16) {
        self.publish(DeviceEvent::notice(trouble, detail));
    }

    /// Publishes what must be done first.
    pub(super) fn advise(&mut self, trouble: Trouble, next_step: NextStep, detail: u16) {
        self.publish(DeviceEvent::advice(trouble, next_step, detail));
    }

    #[inline(never)] // called from many places
    pub(super) fn save(&mut self) {
        self.push(Action::Save);
    }

    /// Whether a contact is closed: something open, or cards lying there.
    pub(super) fn contact(&self, contact: Contact) -> bool {
        self.contacts.get(contact as usize).is_some_and(|closed| *closed)
    }

    /// Whether a stack waits behind the locked door.
    pub(super) fn waits(&self) -> bool {
        matches!(self.state, State::Ready | State::Stored)
    }

    /// The cycle under way.
    pub(super) fn running(&self) -> Option<&Cycle> {
        Some(&self.cycle).filter(|cycle| cycle.is_running())
    }

    /// Whether the wheel is known to be empty.
    pub(super) fn is_surely_empty(&self) -> bool {
        let inventory = &self.record.inventory;
        inventory.certain && inventory.inside == 0
    }
}
