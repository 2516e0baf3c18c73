//! What the generator is told of a round, and by whom: shuffled, bets closed, round over.
//!
//! Each step that changes something is published with its source (PG-10). Where the house wants the
//! shuffler's certificate, neither key nor signal says 'shuffled'.

use super::certificate::{Said, judge};
use super::machine::{Action, Event, Refusal, State};
use super::record::Shuffling;
use super::{DeviceEvent, Fault, NumberStore, PaiGow};
use crate::node::{Command, Refused};
use crate::protocol::generated::croupier::common::{Role, Trouble};
use crate::protocol::generated::croupier::paigow::{
    ShuffledRequest, Signal, Source, Step, Stepped,
};
use crate::protocol::generated::croupier::shuffler::{Batch, Certificate};
use crate::protocol::seal::Refusal as SealRefusal;
use crate::protocol::transfer::NodeId;
use crate::time::Instant;

/// Who says that a step was taken, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Origin {
    source: Source,
    by: Role,
    batch: Batch,
}

impl Origin {
    /// The dealer's hand on a key.
    pub(super) const KEY: Self = Self { source: Source::Key, by: Role::Dealer, batch: Batch::None };

    /// A sealed request of this role.
    pub(super) const fn signal(by: Role) -> Self {
        Self { source: Source::Signal, by, batch: Batch::None }
    }

    /// A certificate that names this batch; the controller brings it.
    const fn certificate(batch: Batch) -> Self {
        Self { source: Source::Certificate, by: Role::Controller, batch }
    }
}

impl PaiGow {
    /// The dealer's key says that the cards are shuffled.
    pub(super) fn shuffled(
        &mut self,
        now: Instant,
        store: &mut impl NumberStore,
    ) -> Result<(), Refused> {
        let next = || self.record.last().map_or(1, |last| last.round.wrapping_add(1));
        let round = self.machine.round().unwrap_or_else(next);
        self.arm(Signal::ShuffleComplete, round, Origin::KEY, now, store)
    }

    /// The dealer's key says that bets are closed.
    pub(super) fn bets_closed(
        &mut self,
        now: Instant,
        store: &mut impl NumberStore,
    ) -> Result<(), Refused> {
        let round = self.machine.round().ok_or(Refused::OutOfTurn)?;
        self.arm(Signal::BetsClosed, round, Origin::KEY, now, store)
    }

    /// The dealer's key says that the round is over.
    pub(super) fn round_end(
        &mut self,
        now: Instant,
        store: &mut impl NumberStore,
    ) -> Result<(), Refused> {
        let round = self.machine.round().ok_or(Refused::OutOfTurn)?;
        self.step(Event::RoundEnded(round), Origin::KEY, now, store)
    }

    /// A key or a request gives a signal.
    pub(super) fn arm(
        &mut self,
        signal: Signal,
        round: u16,
        from: Origin,
        now: Instant,
        store: &mut impl NumberStore,
    ) -> Result<(), Refused> {
        if self.positions().is_none() {
            if self.services.chosen.is_some() {
                self.publish(DeviceEvent::notice(Trouble::SeatsNotSix, 0));
            }
            return Err(Refused::WrongProfile);
        }
        let faulted = matches!(self.state(), State::Faulted(_));
        match signal {
            Signal::None => Err(Refused::OutOfRange),
            Signal::ShuffleComplete if self.shuffling.by_certificate && !faulted => {
                Err(self.refuse(Refusal::NotByKey))
            }
            Signal::ShuffleComplete => self.step(Event::Shuffled(round), from, now, store),
            Signal::BetsClosed => self.step(Event::BetsClosed(round), from, now, store),
        }
    }

    /// The controller forwards a certificate (PG-10). Whether bets are open then.
    pub(super) fn take_certificate(
        &mut self,
        command: &Command<'_>,
        store: &mut impl NumberStore,
    ) -> Result<bool, Refused> {
        if !self.shuffling.by_certificate {
            return Err(Refused::OutOfTurn);
        }
        let chosen = self.services.chosen.filter(|_| self.positions().is_some());
        let cards = chosen.and_then(|chosen| chosen.game.profile().batch_total(chosen.decks));
        let cards = cards.ok_or(Refused::WrongProfile)?;
        let asked = command.decode::<ShuffledRequest>();
        let node = asked.as_ref().ok().and_then(|asked| NodeId::new(asked.node));
        let forwarded = node
            .ok_or(SealRefusal::Truncated)
            .and_then(|node| command.forwarded::<Certificate>(node));
        let (said, taken) = match judge(forwarded, cards, self.shuffling.taken) {
            Ok(judged) => judged,
            Err(doubt) => return Err(self.refuse(Refusal::Doubtful(doubt))),
        };
        let (round, next) = (asked?.round, Shuffling { taken: Some(taken), ..self.shuffling });
        match said {
            Said::Released(batch) => self.open(round, batch, next, command.now, store)?,
            Said::Revoked(batch) => self.revoke(batch, next, command.now, store)?,
        }
        Ok(matches!(self.state(), State::WaitingBets(_)))
    }

    /// Opens the round of a released deck. A refusal leaves the certificate to be taken later.
    fn open(
        &mut self,
        round: u16,
        batch: Batch,
        next: Shuffling,
        now: Instant,
        store: &mut impl NumberStore,
    ) -> Result<(), Refused> {
        let event = Event::Shuffled(round);
        if let (_, Action::Refuse(why)) = self.machine.after(event, now) {
            return Err(self.refuse(why));
        }
        self.keep_shuffling(next, store)?;
        self.batch = batch;
        self.step(event, Origin::certificate(batch), now, store)
    }

    /// Takes the shuffle back, if it may be that of the deck in play. If that cannot be kept, the
    /// certificate could come again after a power cut: a fault.
    fn revoke(
        &mut self,
        batch: Batch,
        next: Shuffling,
        now: Instant,
        store: &mut impl NumberStore,
    ) -> Result<(), Refused> {
        if batch == Batch::None || batch == self.batch {
            self.step(Event::Revoked, Origin::certificate(batch), now, store)?;
        }
        let kept = self.keep_shuffling(next, store);
        if kept.is_err() {
            self.fail(Fault::Store, now, store);
        }
        kept
    }

    /// Takes an event of the round, and publishes it if it changed something.
    pub(super) fn step(
        &mut self,
        event: Event,
        from: Origin,
        now: Instant,
        store: &mut impl NumberStore,
    ) -> Result<(), Refused> {
        let (before, round_before) = (self.state(), self.machine.round());
        self.apply(event, now, store)?;
        let step = match event {
            Event::Shuffled(_) => Step::Shuffled,
            Event::BetsClosed(_) => Step::BetsClosed,
            Event::RoundEnded(_) => Step::RoundEnded,
            Event::Revoked => Step::Revoked,
            _ => Step::None,
        };
        if step != Step::None && self.state() != before {
            let round = self.machine.round().or(round_before).unwrap_or(0);
            let Origin { source, by, batch } = from;
            let stepped = Stepped { round, step, source, by, batch, ..Stepped::default() };
            self.publish(DeviceEvent::Stepped(stepped));
        }
        Ok(())
    }
}
