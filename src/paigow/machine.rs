//! The generator's rules: which state follows which event. No I/O, no clock, no chip.
//!
//! # How long a round lasts at least
//!
//! A generator that draws again within seconds lets a dealer draw until a number suits. So a round
//! lasts at least [`ROUND_AT_LEAST`] from its draw on, whatever its name. The figure follows from the
//! procedure: seven stacks of six are 42 cards. Dealt singly from hand or shoe (588.8(d),
//! 588.9(c)) at two cards a second they take 21 s; stacks from an automated shoe (588.10(c)) at two
//! seconds each take 14 s, and its next deck is not ready in the 20 s of a shuffle. Then the stub is
//! spread and counted, every hand is set, and every wager is settled: minutes. 30 s is longer than
//! the quickest deal with its count, and far shorter than a round that people play.

use core::num::NonZeroU8;

use super::Fault;
use super::certificate::Doubt;
use crate::time::{Instant, Millis};

/// From a draw to the end of its round, and so to the next draw, at least.
pub const ROUND_AT_LEAST: Millis = Millis::from_secs(30);

/// What can happen to the generator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// The cards of this round are shuffled.
    Shuffled(u16),
    /// No more bets in this round.
    BetsClosed(u16),
    /// The dealer pressed the key, once.
    Press,
    /// The random core gave this number.
    Drawn(NonZeroU8),
    /// The number would outlive a power cut now.
    Saved,
    /// The display shows the number, and its read-back agrees.
    Lit,
    /// This round is over.
    RoundEnded(u16),
    /// The shuffler took back the certificate that opened this round.
    Revoked,
    /// Something failed.
    Failed(Fault),
    /// Service has had everything checked, and it passed.
    Checked,
}

/// What the generator is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum State {
    /// Between rounds, dark.
    Idle,
    /// Shuffled; bets are open.
    WaitingBets(u16),
    /// Shuffled and bets closed: a press will draw.
    Armed(u16),
    /// The random core is asked.
    Drawing(u16),
    /// A number is chosen and must be stored before it is shown.
    Keeping(u16, NonZeroU8),
    /// It is kept; the display must show it.
    Lighting(u16, NonZeroU8),
    /// It is shown.
    Shown(u16, NonZeroU8),
    /// Dark until service clears it.
    Faulted(Fault),
}

/// What must be done because of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Nothing more.
    None,
    /// This round lost its shuffle before it was drawn: publish that.
    Disarm(u16),
    /// Ask the random core, once.
    Draw,
    /// Keep this round's number.
    Keep(u16, NonZeroU8),
    /// Light this number.
    Light(NonZeroU8),
    /// Publish this round's number.
    Publish(u16, NonZeroU8),
    /// Close this round, whose number goes dark if it had one.
    Close(u16),
    /// Go dark, latch, publish the fault.
    Stop(Fault),
    /// Publish that the fault is over.
    Resume(Fault),
    /// Nothing changed, and why.
    Refuse(Refusal),
}

/// Why an event changed nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// It makes no sense now.
    OutOfTurn,
    /// A number is on its way to the display.
    Busy,
    /// Pressed before shuffle and bets (PG-10).
    EarlyPress,
    /// Pressed again in the round (PG-11).
    SecondPress,
    /// Sooner after this draw than a deal can be (PG-11).
    TooSoon(Millis),
    /// 'Shuffled' by key or signal where a certificate says so (PG-10).
    NotByKey,
    /// No certificate for the deck in play (PG-10).
    Doubtful(Doubt),
    /// Out of use (PG-16).
    Faulted,
}

/// The machine: its state, the last round that has had its number, and when that was drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Machine {
    state: State,
    last: Option<u16>,
    drawn_at: Option<Instant>,
}

impl Machine {
    /// A machine that starts with what was kept: the last round that had a number, that
    /// number if the round has not ended, and the fault if there is one.
    ///
    /// How long ago that number was drawn is not known: its time counts from the start again.
    pub const fn resume(
        last: Option<u16>,
        in_play: Option<NonZeroU8>,
        fault: Option<Fault>,
    ) -> Self {
        let state = match (fault, last, in_play) {
            (Some(fault), ..) => State::Faulted(fault),
            // The same number again, never another (PG-17).
            (None, Some(round), Some(number)) => State::Lighting(round, number),
            _ => State::Idle,
        };
        let drawn_before = last.is_some() || fault.is_some();
        let drawn_at = if drawn_before { Some(Instant::START) } else { None };
        Self { state, last, drawn_at }
    }

    /// What it is doing.
    pub const fn state(&self) -> State {
        self.state
    }

    /// The round it is in, if any.
    pub const fn round(&self) -> Option<u16> {
        match self.state {
            State::Idle | State::Faulted(_) => None,
            State::WaitingBets(round)
            | State::Armed(round)
            | State::Drawing(round)
            | State::Keeping(round, _)
            | State::Lighting(round, _)
            | State::Shown(round, _) => Some(round),
        }
    }

    /// The number the display must show. Kept already, or it would not be lit.
    pub const fn number(&self) -> Option<NonZeroU8> {
        match self.state {
            State::Lighting(_, number) | State::Shown(_, number) => Some(number),
            _ => None,
        }
    }

    /// Whether a number exists or is being chosen: nothing may cover it then, not even a
    /// lamp test.
    pub const fn has_drawn(&self) -> bool {
        matches!(
            self.state,
            State::Drawing(_) | State::Keeping(..) | State::Lighting(..) | State::Shown(..)
        )
    }

    /// The machine after `event` at `now`, and what must be done about it. Total.
    #[must_use]
    pub fn after(self, event: Event, now: Instant) -> (Self, Action) {
        let (state, action) = self.step(event, now);
        let (last, drawn_at) = match (state, action) {
            // From here on the round has had its one number, whatever becomes of it.
            (State::Drawing(round), Action::Draw) => (Some(round), Some(now)),
            _ => (self.last, self.drawn_at),
        };
        (Self { state, last, drawn_at }, action)
    }

    fn step(self, event: Event, now: Instant) -> (State, Action) {
        use State::{Armed, Drawing, Faulted, Idle, Keeping, Lighting, Shown, WaitingBets};
        if self.is_hasty(event)
            && let Some(ago) = self.too_soon(now)
        {
            return self.refuse(Refusal::TooSoon(ago));
        }
        match (self.state, event) {
            (Faulted(fault), Event::Checked) => (Idle, Action::Resume(fault)),
            (WaitingBets(round) | Armed(round), Event::Revoked) => (Idle, Action::Disarm(round)),
            (state, Event::Revoked) => (state, Action::None),
            (Faulted(_), _) => self.refuse(Refusal::Faulted),
            (_, Event::Failed(fault)) => (Faulted(fault), Action::Stop(fault)),

            // A new shuffle opens the bets again, even if they had been closed.
            (Idle | WaitingBets(_) | Armed(_), Event::Shuffled(round)) if self.is_new(round) => {
                (WaitingBets(round), Action::None)
            }
            (WaitingBets(round) | Armed(round), Event::BetsClosed(of)) if round == of => {
                (Armed(round), Action::None)
            }
            (WaitingBets(round) | Armed(round), Event::RoundEnded(of)) if round == of => {
                (Idle, Action::Close(round))
            }

            (Armed(round), Event::Press) => (Drawing(round), Action::Draw),
            (Drawing(round), Event::Drawn(number)) => {
                (Keeping(round, number), Action::Keep(round, number))
            }
            (Keeping(round, number), Event::Saved) => {
                (Lighting(round, number), Action::Light(number))
            }
            (Lighting(round, number), Event::Lit) => {
                (Shown(round, number), Action::Publish(round, number))
            }
            (Shown(round, _), Event::RoundEnded(of)) if round == of => (Idle, Action::Close(round)),

            (Idle | WaitingBets(_), Event::Press) => self.refuse(Refusal::EarlyPress),
            (_, Event::Press) => self.refuse(Refusal::SecondPress),
            (Drawing(_) | Keeping(..) | Lighting(..), Event::RoundEnded(_)) => {
                self.refuse(Refusal::Busy)
            }
            _ => self.refuse(Refusal::OutOfTurn),
        }
    }

    /// Whether this event would end the round of the last number, or begin another.
    fn is_hasty(&self, event: Event) -> bool {
        use State::{Drawing, Idle, Keeping, Lighting, Shown};
        match (self.state, event) {
            (Idle, Event::Shuffled(_)) | (Shown(..), Event::RoundEnded(_)) => true,
            (Drawing(_) | Keeping(..) | Lighting(..) | Shown(..), Event::Shuffled(_)) => true,
            (_, Event::BetsClosed(of)) => self.has_drawn() && self.round() != Some(of),
            _ => false,
        }
    }

    /// How long ago the last number was drawn, if no round can be over since.
    fn too_soon(&self, now: Instant) -> Option<Millis> {
        self.drawn_at.map(|at| now.since(at)).filter(|ago| *ago < ROUND_AT_LEAST)
    }

    /// Whether this round has not had its number. Only the last one is compared: a
    /// controller that starts again may count from one again.
    const fn is_new(&self, round: u16) -> bool {
        !matches!(self.last, Some(last) if last == round)
    }

    const fn refuse(self, why: Refusal) -> (State, Action) {
        (self.state, Action::Refuse(why))
    }
}
