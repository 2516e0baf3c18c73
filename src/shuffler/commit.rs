//! Commits: what flash must have before anything else happens.
//!
//! A cycle begins, a certificate is issued and a batch is released only after that is in
//! flash (SH-22). Until the answer comes the machine takes no other event and lets nothing
//! move.

use super::batch::Batches;
use super::batch::certificate::Certified;
use super::events::DeviceEvent;
use super::fault::Fault;
use super::machine::{Action, Job, Machine, Moment};
use super::record::Record;
use crate::cards::BackColour;
use crate::protocol::generated::croupier::common::Role;
use crate::protocol::generated::croupier::shuffler::{BatchChange as Change, StubResult};

/// What goes on once it is in flash, with what must be restored if it cannot be saved.
#[derive(Debug, Clone, Copy)]
pub(super) enum Awaited {
    /// A job begins, and puts this fault aside.
    Start { job: Job, before: Record, fault: Option<Fault> },
    /// A stub was counted by hand.
    Stub { told: StubResult, before: Record },
    /// A cycle has ended well.
    Ready,
    /// A certified stack is released.
    Release { certified: Certified, before: Batches, early: bool },
    /// The shoe or round is over.
    Dealt { before: Batches },
    /// A floorperson says that a batch was opened or retired.
    Changed { before: Batches, change: Change, colour: BackColour },
}

impl Machine {
    /// Waits until flash has the record.
    pub(super) fn commit_record(&mut self, awaited: Awaited) {
        self.awaited = Some(awaited);
        self.push(Action::Commit);
    }

    /// Waits until flash has the batches.
    #[inline(never)] // called from many places
    pub(super) fn commit_batches(&mut self, awaited: Awaited) {
        self.awaited = Some(awaited);
        self.push(Action::CommitBatches);
    }

    /// It is in flash: goes on.
    pub(super) fn saved(&mut self, awaited: Awaited, moment: &Moment) {
        self.awaited = None;
        match awaited {
            Awaited::Start { job, fault, .. } => {
                self.job = job;
                if let Some(fault) = fault {
                    self.publish_cleared(fault, job.by);
                }
                self.begin(moment);
            }
            Awaited::Ready => self.ready(moment),
            Awaited::Release { certified, early, .. } => {
                self.let_play(certified, early);
                self.ask_each_round(moment);
            }
            Awaited::Stub { told, .. } => self.publish(DeviceEvent::Stub(told)),
            Awaited::Dealt { .. } => self.push(Action::SetInRound(false)),
            Awaited::Changed { before, change, colour } => {
                let life = self.batches.life(colour).or(before.life(colour));
                let decks = life.map_or(0, |life| life.decks);
                self.publish(DeviceEvent::batch(change, colour, decks, Role::Floorperson));
                if change == Change::Retired {
                    self.say_missing(moment);
                }
            }
        }
    }

    /// It could not be saved: restores what was before.
    pub(super) fn save_failed(&mut self, awaited: Awaited, moment: &Moment) {
        self.awaited = None;
        match awaited {
            Awaited::Start { before, .. } | Awaited::Stub { before, .. } => self.record = before,
            Awaited::Ready => self.stop_with(Fault::Store, moment),
            Awaited::Release { before, .. }
            | Awaited::Dealt { before }
            | Awaited::Changed { before, .. } => self.batches = before,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::node::Refused;
    use crate::profile::Game;
    use crate::protocol::generated::croupier::common::Dealing;
    use crate::protocol::generated::croupier::shuffler::{Purpose, Task};
    use crate::services::Chosen;
    use crate::shuffler::batch::Life;
    use crate::shuffler::batch::certificate::Certificate;
    use crate::shuffler::card_path::event::{Contact, Event as Noticed};
    use crate::shuffler::machine::{Event, State};
    use crate::shuffler::model::Model;
    use crate::time::Instant;
    use std::vec::Vec;

    const NOON: u64 = 1_790_000_000_000;
    const JOB: Job = Job { purpose: Purpose::FullBatch, colour: None, by: Role::Dealer };

    fn moment() -> Moment {
        let (game, dealing, by) = (Game::FlopPoker, Dealing::Hand, Role::Floorperson);
        let chosen = Some(Chosen { game, decks: 1, dealing, seats: 5, by, at_ms: 0 });
        Moment { now: Instant::START, utc_ms: Some(NOON), chosen }
    }

    fn opened() -> Batches {
        let life = Some(Life { opened_ms: NOON, decks: 1, hours: Some(4) });
        Batches { lives: [life; 2], ..Batches::default() }
    }

    /// A machine with cards in its feed tray that was told to start.
    fn started() -> Machine {
        let moment = moment();
        let mut machine = Machine::resume(Model::SingleDeck, Record::NEW, opened(), true, &moment);
        let loaded = Noticed::Contact(Contact::FeedLoaded, true);
        machine.apply(Event::Noticed(loaded), &moment).unwrap();
        while machine.next_move().is_some() {}
        assert_eq!(machine.apply(Event::Asked(Task::Start, JOB), &moment), Ok(()));
        machine
    }

    /// A machine with a certified stack that was told to release it.
    fn releasing() -> Machine {
        let mut machine = started();
        let certified = Certified { colour: BackColour::Red, cards: 52, again: false };
        (machine.awaited, machine.state) = (None, State::Ready);
        machine.record.certificate = Certificate::Issued(certified);
        while machine.next_action().is_some() {}
        assert_eq!(machine.apply(Event::Asked(Task::Release, JOB), &moment()), Ok(()));
        machine
    }

    fn actions(machine: &mut Machine) -> Vec<Action> {
        core::iter::from_fn(|| machine.next_action()).collect()
    }

    /// SH-22: the record that cards move is in flash before any does; nothing happens meanwhile.
    #[test]
    fn nothing_moves_and_no_event_counts_until_flash_has_answered() {
        let mut machine = started();
        assert_eq!(actions(&mut machine), [Action::Commit]);
        assert!(machine.record.moving);
        assert_eq!(machine.next_move(), None);
        let lid = Event::Noticed(Noticed::Contact(Contact::LidOpen, true));
        assert_eq!(machine.apply(lid, &moment()), Err(Refused::Busy));
        assert_eq!((machine.state, machine.next_move()), (State::Idle, None));
        assert_eq!(machine.apply(Event::Saved, &moment()), Ok(()));
        assert_eq!(machine.state, State::Homing);
        assert!(machine.next_move().is_some());
    }

    /// SH-22: a cycle that could not be recorded does not begin.
    #[test]
    fn a_start_that_cannot_be_saved_is_none() {
        let mut machine = started();
        actions(&mut machine);
        assert_eq!(machine.apply(Event::SaveFailed, &moment()), Err(Refused::StoreFailed));
        assert_eq!((machine.state, machine.record), (State::Idle, Record::NEW));
        assert_eq!((actions(&mut machine), machine.next_move()), (Vec::new(), None));
    }

    /// SH-17, SH-22: a batch is released only after it is recorded as the one in play.
    #[test]
    fn a_release_that_cannot_be_saved_is_none() {
        let mut machine = releasing();
        assert_eq!(actions(&mut machine), [Action::CommitBatches]);
        let batches = machine.batches;
        assert_eq!((batches.last_played, batches.in_play), (Some(BackColour::Red), true));
        assert!(machine.is_locked());
        assert_eq!(machine.apply(Event::SaveFailed, &moment()), Err(Refused::StoreFailed));
        assert_eq!((machine.state, machine.batches), (State::Ready, opened()));
        assert!(machine.record.certificate.certified().is_some() && machine.is_locked());
        let mut again = releasing();
        actions(&mut again);
        assert_eq!(again.apply(Event::Saved, &moment()), Ok(()));
        let done = actions(&mut again);
        assert_eq!(done.first(), Some(&Action::SetInRound(true)));
        assert_eq!(done.last(), Some(&Action::Save));
        let Record { inventory, certificate, .. } = again.record;
        assert_eq!((inventory.out, certificate), (52, Certificate::None));
        assert!(!again.is_locked());
    }
}
