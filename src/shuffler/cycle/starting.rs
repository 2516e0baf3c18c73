//! How a cycle begins: who may ask for what, what must be true first, and the order.

use super::Wanted;
use crate::entropy::MOST_CARDS;
use crate::profile::Play;
use crate::protocol::generated::croupier::common::{Result as Outcome, Role, Trouble};
use crate::protocol::generated::croupier::shuffler::{Batch, Purpose, Task};
use crate::shuffler::batch;
use crate::shuffler::batch::certificate::Certificate;
use crate::shuffler::card_path::event::{Contact, Outlet};
use crate::shuffler::card_path::sweep::Sweep;
use crate::shuffler::continuous::Continuous;
use crate::shuffler::device::{Job, Shuffler, State};
use crate::shuffler::events::DeviceEvent;
use crate::shuffler::fault::{Cut, Fault};
use crate::shuffler::model::Model;
use crate::shuffler::record::ShufflerStore;

impl Shuffler {
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
        if by == Role::Controller && task != Task::Abort {
            return Outcome::NotAuthorised;
        }
        match task {
            Task::None => Outcome::OutOfRange,
            Task::Start => {
                let job = Job { purpose, colour: batch::named(batch), by };
                self.start(job, now_ms, store)
            }
            Task::Abort if self.state.is_busy() => {
                self.stop_with(Fault::Interrupted(Cut::Stopped), store);
                Outcome::Accepted
            }
            Task::Abort if self.is_proving() => {
                self.end_proof();
                Outcome::Accepted
            }
            Task::Release => self.release(now_ms, store),
            Task::Store
                if self.state == State::Ready && self.ledger.certificate.certified().is_some() =>
            {
                self.state = State::Stored;
                Outcome::Accepted
            }
            Task::Empty => self.empty(by, now_ms, store),
            Task::NextRound | Task::GiveBack => self.turn_round(task, now_ms, store),
            Task::Dealt => self.dealt(store),
            Task::Abort | Task::Store => Outcome::OutOfTurn,
        }
    }

    fn start(&mut self, job: Job, now_ms: u64, store: &mut impl ShufflerStore) -> Outcome {
        if let Err(refused) = self.may_start(job) {
            return refused;
        }
        if let Err(refused) = self.put_aside_fault(job.by, store) {
            return refused;
        }
        let before = self.ledger;
        self.ledger.moving = true;
        self.ledger.certificate = Certificate::None;
        self.save(store);
        if self.unsaved {
            self.ledger = before;
            return Outcome::StoreFailed;
        }
        self.job = job;
        self.begin(now_ms, store);
        Outcome::Accepted
    }

    fn may_start(&self, job: Job) -> Result<(), Outcome> {
        match self.state {
            State::Idle | State::Stopped(_) => {}
            State::Ready | State::Stored | State::Releasing => return Err(Outcome::OutOfTurn),
            _ => return Err(Outcome::Busy),
        }
        let (Some(profile), Some(total)) = (self.profile(), self.batch_total()) else {
            return Err(Outcome::WrongProfile);
        };
        let wheel = self.model.wheel();
        let fits = usize::from(total) <= MOST_CARDS
            && if wheel.capacity == 1 {
                total <= wheel.slots.into()
            } else {
                total <= wheel.cards()
            };
        let suits = match job.purpose {
            Purpose::None => return Err(Outcome::OutOfRange),
            Purpose::FullBatch | Purpose::CountOnly => self.model != Model::Continuous,
            Purpose::PartialBatch => {
                let short = matches!(&profile.play, Play::Shoe(shoe) if shoe.short_shoe.is_some());
                short && self.model != Model::Continuous
            }
            Purpose::Continuous => self.model == Model::Continuous,
        };
        if !fits || !suits {
            return Err(Outcome::WrongProfile);
        }
        let open = self.contact(Contact::LidOpen) || self.contact(Contact::DoorOpen);
        let cards = self.contact(Contact::FeedLoaded) || !self.is_surely_empty();
        if open || self.contact(Contact::DeliveryLoaded) || !cards || !self.path.is_clear() {
            return Err(Outcome::OutOfTurn);
        }
        Ok(())
    }

    /// A fault that the asker may clear is cleared by the full reshuffle it asks for.
    fn put_aside_fault(&mut self, by: Role, store: &mut impl ShufflerStore) -> Result<(), Outcome> {
        match self.state {
            State::Stopped(fault) if fault.is_grave() => Err(Outcome::Malfunction),
            State::Stopped(fault) if !may_clear(by, fault.cleared_by()) => {
                Err(Outcome::NotAuthorised)
            }
            State::Stopped(_) if !self.path.is_clear() => Err(Outcome::OutOfTurn),
            State::Stopped(fault) => {
                self.cleared(fault, by, store);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    pub(in crate::shuffler) fn is_surely_empty(&self) -> bool {
        let inventory = &self.ledger.inventory;
        inventory.certain && inventory.inside == 0
    }

    pub(in crate::shuffler) fn begin(&mut self, now_ms: u64, store: &mut impl ShufflerStore) {
        self.told = None;
        if self.path.at().is_some() {
            return self.prepare(now_ms, store);
        }
        self.state = State::Homing;
        self.path.home(now_ms);
        self.publish_progress(now_ms);
    }

    /// The wheel knows where it is: what is inside comes out first, unless surely nothing is.
    pub(in crate::shuffler) fn prepare(&mut self, now_ms: u64, store: &mut impl ShufflerStore) {
        let emptying = self.job.purpose == Purpose::None;
        if self.is_surely_empty() && !emptying {
            return self.ask_order(now_ms, store);
        }
        // To be shuffled again they go back to the others in the feed tray.
        let outlet = if emptying { Outlet::Delivery } else { Outlet::Return };
        self.sweep(outlet, now_ms);
    }

    pub(in crate::shuffler) fn sweep(&mut self, outlet: Outlet, now_ms: u64) {
        let mut sweep = Sweep::new(self.model.wheel().slots, outlet);
        sweep.begin(&mut self.path, now_ms);
        self.state = State::Emptying(sweep);
        self.publish_progress(now_ms);
    }

    pub(in crate::shuffler) fn ask_order(&mut self, now_ms: u64, store: &mut impl ShufflerStore) {
        match self.job.purpose {
            Purpose::CountOnly => {
                let count = self.batch_total().unwrap_or(0);
                let at = self.path.at().unwrap_or(0);
                let planned = self.cycle.plan.lay_out_as_they_lie(count, at);
                self.run(planned.map_err(|_| Fault::Store), now_ms, store);
            }
            Purpose::Continuous => {
                let total = self.batch_total().unwrap_or(0);
                let loaded = self.contact(Contact::FeedLoaded);
                self.continuous = Some(Continuous::new(self.model.wheel(), total, loaded));
                self.state = State::Circulating;
                self.circulate(None, now_ms, store);
            }
            _ => self.state = State::Drawing,
        }
    }

    /// The cards an order is drawn for: always a whole batch, for fewer may come (SH-28).
    pub(in crate::shuffler) fn cards_to_draw(&self) -> Option<u16> {
        self.batch_total()
    }

    /// The order it asked for, or why there is none, planned in one go. A chip plans [in
    /// steps](Self::plan_on).
    pub fn ordered(
        &mut self,
        drawn: Result<&[u16], Fault>,
        now_ms: impl Fn() -> u64,
        store: &mut impl ShufflerStore,
    ) {
        self.take_order(drawn, now_ms(), store);
        while self.plan_on(now_ms(), store) {}
    }

    /// The order it asked for, or why there is none. It is planned by [`Self::plan_on`].
    pub fn take_order(
        &mut self,
        drawn: Result<&[u16], Fault>,
        now_ms: u64,
        store: &mut impl ShufflerStore,
    ) {
        match self.state {
            State::Drawing => {
                let at = self.path.at().unwrap_or(0);
                let total = self.batch_total().map(usize::from);
                let planned = drawn.and_then(|order| {
                    let whole = Some(order).filter(|order| Some(order.len()) == total);
                    let plan = whole.map(|order| self.cycle.plan.begin(order, at));
                    plan.and_then(Result::ok).ok_or(Fault::Random(0))
                });
                if planned.is_err() || !self.cycle.plan.is_choosing() {
                    self.run(planned, now_ms, store);
                }
            }
            State::Circulating => {
                let taken = match (drawn, &mut self.continuous) {
                    (Ok(order), Some(continuous)) => continuous.ordered(order),
                    (Err(fault), _) => Err(fault),
                    _ => Ok(()),
                };
                match taken {
                    Ok(()) => self.circulate(None, now_ms, store),
                    Err(fault) => self.stop_with(fault, store),
                }
            }
            _ => {}
        }
    }

    /// Goes on planning for less than a millisecond, and begins the cycle when that is done;
    /// whether there is more to plan.
    pub fn plan_on(&mut self, now_ms: u64, store: &mut impl ShufflerStore) -> bool {
        if self.state != State::Drawing || !self.cycle.plan.is_choosing() {
            return false;
        }
        self.cycle.plan.choose_on();
        let more = self.cycle.plan.is_choosing();
        if !more {
            self.run(Ok(()), now_ms, store);
        }
        more
    }

    /// Begins the cycle that was planned.
    fn run(&mut self, planned: Result<(), Fault>, now_ms: u64, store: &mut impl ShufflerStore) {
        if let Err(fault) = planned {
            return self.stop_with(fault, store);
        }
        let full = self.job.purpose == Purpose::FullBatch;
        let partial = self.job.purpose == Purpose::PartialBatch;
        let barred = self
            .profile()
            .filter(|_| full)
            .and_then(|profile| self.batches.barred(profile, self.model.kind()));
        let wanted = Wanted {
            cards: self.batch_total().filter(|_| !partial),
            colour: self.job.colour,
            barred,
            count_only: self.job.purpose == Purpose::CountOnly,
        };
        let loaded = self.contact(Contact::FeedLoaded);
        self.cycle.begin(wanted, loaded);
        self.state = State::Cycling;
        self.proceed(None, now_ms, store);
    }

    /// Lets the stack go (SH-33: only when a dealer asks).
    fn release(&mut self, now_ms: u64, store: &mut impl ShufflerStore) -> Outcome {
        if !matches!(self.state, State::Ready | State::Stored) {
            return Outcome::OutOfTurn;
        }
        if let Some(certified) = self.ledger.certificate.certified() {
            if self.life_over(certified.colour, now_ms) {
                self.stop_with(Fault::DeckLifeOver, store);
                return Outcome::DeckLifeOver;
            }
            let turn =
                |profile| self.batches.may_play(certified.colour, profile, self.model.kind());
            if !self.profile().is_none_or(turn) {
                self.publish(DeviceEvent::notice(Trouble::SameBatchAgain, 0));
                return Outcome::OutOfTurn;
            }
            let before = self.batches;
            self.batches.play(certified.colour);
            if store.keep_batches(&self.batches).is_err() {
                self.batches = before;
                return Outcome::StoreFailed;
            }
            self.services.in_round = true;
            self.ledger.inventory.out = certified.cards;
            self.withdraw_certificate(certified);
        }
        self.let_go(store);
        Outcome::Accepted
    }

    /// Unlocks the door until the tray is empty.
    pub(in crate::shuffler) fn let_go(&mut self, store: &mut impl ShufflerStore) {
        self.end_proof();
        self.state = State::Releasing;
        self.save(store);
    }

    fn empty(&mut self, by: Role, now_ms: u64, store: &mut impl ShufflerStore) -> Outcome {
        if matches!(self.state, State::Stopped(_)) {
            if by != Role::Floorperson {
                return Outcome::NotAuthorised;
            }
            if let Err(refused) = self.put_aside_fault(by, store) {
                return refused;
            }
        } else if self.state == State::Circulating {
            self.continuous = None;
            self.path.stop();
        } else if self.state != State::Idle {
            return Outcome::OutOfTurn;
        }
        if self.contact(Contact::LidOpen) || self.contact(Contact::DoorOpen) {
            return Outcome::OutOfTurn;
        }
        self.ledger.moving = true;
        self.save(store);
        self.job = Job { purpose: Purpose::None, colour: None, by };
        self.begin(now_ms, store);
        Outcome::Accepted
    }

    fn dealt(&mut self, store: &mut impl ShufflerStore) -> Outcome {
        if !self.batches.in_play {
            return Outcome::OutOfTurn;
        }
        let before = self.batches;
        self.batches.dealt();
        if store.keep_batches(&self.batches).is_err() {
            self.batches = before;
            return Outcome::StoreFailed;
        }
        self.services.in_round = false;
        Outcome::Accepted
    }
}

/// Whether this role may clear what that one is asked to.
pub(in crate::shuffler) fn may_clear(by: Role, asked: Role) -> bool {
    match asked {
        Role::Dealer => {
            matches!(by, Role::Device | Role::Dealer | Role::Floorperson | Role::Service)
        }
        Role::Floorperson => matches!(by, Role::Floorperson | Role::Service),
        Role::Service => by == Role::Service,
        _ => false,
    }
}
