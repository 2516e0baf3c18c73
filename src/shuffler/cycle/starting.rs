//! How a cycle begins: what must be true first, and the order.

use super::Wanted;
use crate::entropy::MOST_CARDS;
use crate::node::Refused;
use crate::profile::Play;
use crate::protocol::generated::croupier::common::Role;
use crate::protocol::generated::croupier::shuffler::Purpose;
use crate::shuffler::batch::certificate::Certificate;
use crate::shuffler::card_path::event::Contact;
use crate::shuffler::commit::Awaited;
use crate::shuffler::continuous::Continuous;
use crate::shuffler::fault::Fault;
use crate::shuffler::machine::{Job, Machine, Moment, State, Want};
use crate::shuffler::model::Model;

impl Machine {
    /// Begins a job once the record that cards move is in flash.
    pub(in crate::shuffler) fn start(&mut self, job: Job, moment: &Moment) -> Result<(), Refused> {
        if self.waits() {
            return Err(self.refuse_beside_stack(job.purpose, job.by));
        }
        self.may_start(job, moment)?;
        if let Some(fault) = self.lacks(job.purpose, job.colour, moment) {
            return Err(self.decline(fault, moment));
        }
        let fault = self.fault_put_aside(job.by)?;
        let before = self.record;
        self.record.put_aside(fault);
        self.record.moving = true;
        self.record.certificate = Certificate::None;
        self.commit_record(Awaited::Start { job, before, fault });
        Ok(())
    }

    fn may_start(&self, job: Job, moment: &Moment) -> Result<(), Refused> {
        match self.state {
            State::Idle | State::Stopped(_) => {}
            State::Releasing => return Err(Refused::OutOfTurn),
            _ => return Err(Refused::Busy),
        }
        let profile = moment.profile().ok_or(Refused::WrongProfile)?;
        if !profile.takes(self.model.kind()) {
            return Err(Refused::WrongProfile);
        }
        let total = moment.batch_total().ok_or(Refused::WrongProfile)?;
        let wheel = self.model.wheel();
        let fits = usize::from(total) <= MOST_CARDS
            && if wheel.capacity == 1 {
                total <= wheel.slots.into()
            } else {
                total <= wheel.cards()
            };
        let suits = match job.purpose {
            Purpose::None => return Err(Refused::OutOfRange),
            Purpose::FullBatch | Purpose::CountOnly => self.model != Model::Continuous,
            Purpose::PartialBatch => {
                let short = matches!(&profile.play, Play::Shoe(shoe) if shoe.short_shoe.is_some());
                short && self.model != Model::Continuous
            }
            Purpose::Continuous => self.model == Model::Continuous,
        };
        if !fits || !suits {
            return Err(Refused::WrongProfile);
        }
        let cards = self.contact(Contact::FeedLoaded) || !self.is_surely_empty();
        if self.is_open().is_some()
            || self.contact(Contact::DeliveryLoaded)
            || !cards
            || !self.path.is_clear()
        {
            return Err(Refused::OutOfTurn);
        }
        Ok(())
    }

    /// Brings out every card inside, once that is in flash. Refused, it changes nothing.
    pub(in crate::shuffler) fn empty(&mut self, by: Role) -> Result<(), Refused> {
        match self.state {
            State::Stopped(_) if by != Role::Floorperson => return Err(Refused::NotAuthorised),
            State::Circulating if self.is_emptying() => return Err(Refused::Busy),
            State::Idle if !self.path.is_clear() => return Err(Refused::OutOfTurn),
            State::Stopped(_) | State::Circulating | State::Idle => {}
            _ => return Err(Refused::OutOfTurn),
        }
        if self.is_open().is_some() {
            return Err(Refused::OutOfTurn);
        }
        let fault = self.fault_put_aside(by)?;
        let before = self.record;
        self.record.put_aside(fault);
        self.record.moving = true;
        let job = Job { purpose: Purpose::None, colour: None, by };
        self.commit_record(Awaited::Start { job, before, fault });
        Ok(())
    }

    /// Begins the job: the wheel must know where it stands, and no card be under way.
    pub(in crate::shuffler) fn begin(&mut self, moment: &Moment) {
        if let Some(continuous) = &mut self.continuous {
            continuous.end();
            return self.circulate(None, moment);
        }
        if self.path.at().is_some() {
            return self.prepare(moment);
        }
        self.state = State::Homing;
        self.path.home(moment.now);
    }

    /// The wheel knows where it is. A batch goes in at once if the look that ended the last one
    /// still stands; whatever else begins with a look.
    pub(in crate::shuffler) fn prepare(&mut self, moment: &Moment) {
        let batch = !matches!(self.job.purpose, Purpose::None | Purpose::Continuous);
        if batch && self.is_surely_empty() {
            return self.ask_order(moment);
        }
        self.look(None, moment);
    }

    pub(super) fn ask_order(&mut self, moment: &Moment) {
        let total = moment.batch_total().unwrap_or(0);
        match self.job.purpose {
            Purpose::CountOnly => {
                let at = self.path.at().unwrap_or(0);
                let planned = self.cycle.plan.lay_out_as_they_lie(total, at);
                self.run(planned.map_err(|_| Fault::Store), moment);
            }
            Purpose::Continuous => {
                let loaded = self.contact(Contact::FeedLoaded);
                self.record.unshuffled = false;
                self.continuous = Some(Continuous::new(self.model.wheel(), total, loaded));
                self.state = State::Circulating;
                self.circulate(None, moment);
            }
            _ => self.state = State::Drawing,
        }
    }

    /// What it waits for from the random core, where `total` is a full batch.
    pub fn want(&self, total: Option<u16>) -> Option<Want> {
        match (self.state, self.check.wants_core()) {
            (State::Drawing, _) if self.cycle.plan.is_choosing() => None,
            // Always a whole batch, for fewer may come (SH-28).
            (State::Drawing, _) => total.map(Want::Order),
            (State::Circulating, _) => self.continuous.as_ref()?.cards_to_draw().map(Want::Order),
            (State::Stopped(_), true) => Some(Want::Check),
            _ => None,
        }
    }

    /// The order it asked for, or why there is none. It is planned by [`Self::plan_on`].
    pub(in crate::shuffler) fn take_order(
        &mut self,
        drawn: Result<&[u16], Fault>,
        moment: &Moment,
    ) {
        match self.state {
            State::Drawing => {
                let at = self.path.at().unwrap_or(0);
                let total = moment.batch_total().map(usize::from);
                let planned = drawn.and_then(|order| {
                    let whole = Some(order).filter(|order| Some(order.len()) == total);
                    let plan = whole.map(|order| self.cycle.plan.begin(order, at));
                    plan.and_then(Result::ok).ok_or(Fault::Random(0))
                });
                if planned.is_err() || !self.is_planning() {
                    self.run(planned, moment);
                }
            }
            State::Circulating => {
                let taken = match (drawn, &mut self.continuous) {
                    (Ok(order), Some(continuous)) => continuous.ordered(order),
                    (Err(fault), _) => Err(fault),
                    _ => Ok(()),
                };
                match taken {
                    Ok(()) => self.circulate(None, moment),
                    Err(fault) => self.stop_with(fault, moment),
                }
            }
            _ => {}
        }
    }

    /// Whether the order is being planned.
    pub fn is_planning(&self) -> bool {
        self.state == State::Drawing && self.cycle.plan.is_choosing()
    }

    /// Goes on planning for less than a millisecond, and begins the cycle when that is done.
    pub(in crate::shuffler) fn plan_on(&mut self, moment: &Moment) {
        if !self.is_planning() {
            return;
        }
        self.cycle.plan.choose_on();
        if !self.is_planning() {
            self.run(Ok(()), moment);
        }
    }

    /// Begins the cycle that was planned.
    fn run(&mut self, planned: Result<(), Fault>, moment: &Moment) {
        if let Err(fault) = planned {
            return self.stop_with(fault, moment);
        }
        let full = self.job.purpose == Purpose::FullBatch;
        let partial = self.job.purpose == Purpose::PartialBatch;
        // A floorperson may have the batch shuffled again that was released last (SH-17).
        let in_turn = full && self.job.by != Role::Floorperson;
        let barred = moment
            .rules(self.model.kind())
            .filter(|_| in_turn)
            .and_then(|rules| self.batches.barred(&rules));
        let wanted = Wanted {
            cards: moment.batch_total().filter(|_| !partial),
            colour: self.job.colour,
            barred,
            count_only: self.job.purpose == Purpose::CountOnly,
        };
        let loaded = self.contact(Contact::FeedLoaded);
        self.cycle.begin(wanted, loaded);
        self.state = State::Cycling;
        self.proceed(None, moment);
    }
}
