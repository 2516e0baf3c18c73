//! The reader's rules: which state follows which event. Time is handed in; no I/O, no chip.
//!
//! Whatever card comes home, and whatever becomes of it, one lamp is lit exactly
//! [`VERDICT_AFTER`] later (RD-21): the answer, or the notice. So neither a delay nor its
//! absence says anything, and a card that may not be looked at gets the same notice as
//! one that could not be read (RD-05). What a round does with an event is in `round/steps.rs`.

use super::recognise::{Judgement, Question};
use super::record::KeptRound;
use super::round::{Mode, Round};
use super::{Fault, Record};
use crate::node::Refused;
use crate::protocol::generated::croupier::common::{Role, Trouble};
use crate::protocol::generated::croupier::reader::{Reading, UpCard};
use crate::time::{Instant, Millis};

/// From home to lamp.
pub const VERDICT_AFTER: Millis = Millis::new(500);
/// The lamp is lit at least so long, even if the card is gone,
pub const SHOWN_AT_LEAST: Millis = Millis::from_secs(1);
/// and at most so long, even if it stays.
pub const SHOWN_AT_MOST: Millis = Millis::from_secs(5);

/// A dealer's round with a peek lasts at least so long from the last look: no round is dealt and
/// played faster, so a card that comes within it may be the same one, to be asked about again.
pub const ROUND_AT_LEAST: Millis = Millis::from_secs(10);

/// What can happen to the reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// The up-card of this round, on this authority: `Device` for a key.
    UpCard(u16, UpCard, Role),
    /// This round is over, on this authority; its hole card is face up.
    RoundOver(u16, Role),
    /// A card is home.
    Home,
    /// A card lay home when the power came on.
    Found,
    /// What the eye saw, or that it failed.
    Seen(Result<Judgement, Fault>),
    /// The card moved, or something else came in.
    Moved,
    /// The nest is empty.
    Left,
    /// Time has passed.
    Tick,
    /// The lamp is lit, and its read-back agrees.
    Lit,
    /// Something failed.
    Failed(Fault),
    /// Service has passed the whole check.
    Checked,
}

/// What the reader is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Dark, waiting for a card.
    Waiting,
    /// A card is home and the verdict is due.
    Reading {
        /// When.
        due: Instant,
        /// What may be asked about it.
        question: Option<Question>,
        /// What was seen so far.
        seen: Option<Result<Judgement, Fault>>,
    },
    /// A lamp is lit.
    Showing {
        /// What it says.
        word: Reading,
        /// What is published with it for the floor.
        trouble: Option<Trouble>,
        /// Since when.
        since: Instant,
        /// Whether the lamp was seen to follow.
        lit: bool,
        /// Whether the card is gone.
        gone: bool,
    },
    /// Out of service until a check is passed.
    Faulted(Fault),
}

/// What must be done because of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Nothing more.
    None,
    /// Have this in flash before anything else is done; where flash refuses it, nothing else is.
    Save(Save),
    /// Publish the up-card of this round.
    Armed(u16, UpCard, Role),
    /// Go dark and publish that a card came home; and how long ago another question was answered,
    /// if that was too short a time.
    Inserted(Option<Millis>),
    /// Light the lamp that says this; none for `None`.
    Light(Reading),
    /// Light the notice: only a floorperson goes on from here (RD-11).
    CallFloor,
    /// Publish what it says.
    Publish(Reading, Option<Trouble>),
    /// Publish that the nest is empty.
    Removed,
    /// Go dark, publish that the round is over and what had to wait for that.
    Closed(Round, Role),
    /// Go dark, publish the fault; and whether the round had a card that the deck has not, which
    /// waits until the fault is over (RD-17).
    Stop(Fault, bool),
    /// Publish that the fault is over.
    Resume(Fault),
    /// Publish the second question to the floor; of a key also light the notice. A key gets no
    /// answer, so it shuts the round; a request is refused and changes nothing.
    SecondQuestion(Role),
    /// Light the notice: the key came too soon, and the round goes on.
    TooSoon,
    /// Nothing changed, and why.
    Refuse(Refused),
}

/// What must outlive a power cut once an event has happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Save {
    /// The round in which a peek was asked, if it is not over.
    pub round: Option<KeptRound>,
    /// The last question of a peek.
    pub looked: Option<Question>,
    /// Reads without an answer so far.
    pub failures: u8,
    /// A fault that latches.
    pub fault: Option<Fault>,
    /// The floorperson must be called for a card that could not be read.
    pub unread: bool,
    /// The round had a card that the deck has not (RD-17).
    pub wrong_deck: bool,
}

/// The machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Machine {
    pub(super) state: State,
    pub(super) round: Option<Round>,
    /// The last round's number.
    pub(super) last: u16,
    /// Whether a card is in the nest.
    pub(super) present: bool,
    /// The last question about a card, and when; of whichever round.
    pub(super) looked: Option<(Question, Instant)>,
    /// Reads without an answer since the last answer. A peek's are over with its round; in a Masque
    /// the next card may be the same one, so they go on (RD-11).
    pub(super) failures: u8,
    /// Whether the event at hand has changed what must outlive a power cut.
    pub(super) to_save: bool,
}

impl Machine {
    /// A machine that starts with what was kept: the round whose card was looked at, if
    /// it is not over, and the fault if there is one.
    pub fn resume(record: &Record, fault: Option<Fault>) -> Self {
        let round = record.round.map(KeptRound::resumed);
        Self {
            state: fault.map_or(State::Waiting, State::Faulted),
            round,
            last: round.map_or(0, |round| round.number),
            present: false,
            // When that was is not known: the time begins again, so a power cut shortens nothing.
            looked: record.looked.map(|question| (question, Instant::START)),
            failures: record.failures,
            to_save: false,
        }
    }

    /// What it is doing.
    pub const fn state(&self) -> State {
        self.state
    }

    /// The round it is in, if any.
    pub const fn round(&self) -> Option<Round> {
        self.round
    }

    /// The round number used when no controller supplies one.
    pub const fn next_number(&self) -> u16 {
        self.last.wrapping_add(1)
    }

    /// Whether the last read gave no answer and another may be tried.
    pub const fn wants_another_try(&self) -> bool {
        match self.round {
            Some(round) => self.failures > 0 && round.insertions > 0 && round.is_open(),
            None => false,
        }
    }

    /// Reads without an answer so far.
    pub const fn failures(&self) -> u8 {
        self.failures
    }

    /// A floorperson has seen to the card that could not be read.
    pub(super) const fn forget_failures(&mut self) {
        self.failures = 0;
    }

    /// Whether nothing may be changed under it (CM-07).
    pub const fn in_round(&self) -> bool {
        self.round.is_some() || self.present || matches!(self.state, State::Reading { .. })
    }

    /// What to ask the eye, if it was not asked yet.
    pub const fn wants_look(&self) -> Option<Question> {
        match self.state {
            State::Reading { question, seen: None, .. } => question,
            _ => None,
        }
    }

    /// When the next deadline is due.
    pub const fn due(&self) -> Option<Instant> {
        match self.state {
            State::Reading { due, .. } => Some(due),
            _ => None,
        }
    }

    /// The machine after `event`, and what must be done about it, in this order. Total.
    #[must_use]
    pub fn after(mut self, event: Event, mode: Mode, now: Instant) -> (Self, [Action; 2]) {
        let was_present = self.present;
        self.present = match event {
            Event::Home | Event::Found => true,
            Event::Left => false,
            _ => self.present,
        };
        let action = self.step(event, was_present, mode, now);
        let save = match core::mem::take(&mut self.to_save) {
            true => Action::Save(self.save(&action)),
            false => Action::None,
        };
        (self, [save, action])
    }

    fn step(&mut self, event: Event, was_present: bool, mode: Mode, now: Instant) -> Action {
        match (self.state, event) {
            (State::Faulted(fault), Event::Checked) => {
                self.state = State::Waiting;
                Action::Resume(fault)
            }
            // A test card or one of a lesson was none of a round.
            (_, Event::Left) if !was_present => Action::None,
            (State::Faulted(_), Event::Left) => Action::Removed,
            (State::Faulted(_), Event::Tick | Event::Moved | Event::Seen(_)) => Action::None,
            (_, Event::Found) => Action::None, // of a round before the power cut, and never read
            (State::Faulted(_), _) => Action::Refuse(Refused::Malfunction),
            (_, Event::Failed(fault)) => self.stop(fault),
            (_, Event::UpCard(round, up_card, by)) => self.up_card(round, up_card, by, mode, now),
            (_, Event::RoundOver(round, by)) => self.round_over(round, by, now),
            (_, Event::Home) => self.home(mode, now),
            (_, Event::Left) => self.left(),
            (State::Reading { due, question, .. }, Event::Moved) => {
                let seen = Some(Ok(Judgement::CANNOT_READ));
                self.state = State::Reading { due, question, seen };
                Action::None
            }
            (State::Reading { due, question, seen: None }, Event::Seen(seen)) => {
                self.state = State::Reading { due, question, seen: Some(seen) };
                Action::None
            }
            (_, Event::Tick) => self.tick(mode, now),
            (State::Showing { lit: false, word, trouble, since, gone }, Event::Lit) => {
                self.state = State::Showing { lit: true, word, trouble, since, gone };
                Action::Publish(word, trouble)
            }
            (_, Event::Lit | Event::Moved | Event::Seen(_)) => Action::None,
            (_, Event::Checked) => Action::Refuse(Refused::OutOfTurn),
        }
    }

    /// What must outlive a power cut, with what `action` latches.
    fn save(&self, action: &Action) -> Save {
        let (fault, wrong_deck) = match *action {
            Action::Stop(fault, foreign) => (Some(fault), foreign),
            Action::Closed(round, _) => (None, round.foreign),
            _ => (None, false),
        };
        let peek = self.looked.filter(|(question, _)| *question != Question::Range);
        Save {
            round: KeptRound::of(self.round),
            looked: peek.map(|(question, _)| question),
            failures: self.failures,
            fault,
            unread: *action == Action::CallFloor,
            wrong_deck,
        }
    }

    pub(super) fn stop(&mut self, fault: Fault) -> Action {
        self.state = State::Faulted(fault);
        let foreign = self.round.take().is_some_and(|round| round.foreign);
        self.to_save = true;
        Action::Stop(fault, foreign)
    }

    fn tick(&mut self, mode: Mode, now: Instant) -> Action {
        match self.state {
            State::Reading { due, question: Some(question), seen } if now >= due => {
                self.verdict(question, seen, now)
            }
            State::Reading { due, question: None, .. } if now >= due => {
                self.show(Reading::Notice, self.unasked(mode), now)
            }
            State::Showing { since, gone, .. } => {
                let shown = now.since(since);
                if shown >= SHOWN_AT_MOST || gone && shown >= SHOWN_AT_LEAST {
                    self.state = State::Waiting;
                    return Action::Light(Reading::None);
                }
                Action::None
            }
            _ => Action::None,
        }
    }

    pub(super) fn show(
        &mut self,
        word: Reading,
        trouble: Option<Trouble>,
        since: Instant,
    ) -> Action {
        self.state = State::Showing { word, trouble, since, lit: false, gone: !self.present };
        Action::Light(word)
    }
}
