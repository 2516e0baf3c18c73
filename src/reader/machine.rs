//! The reader's rules: which state follows which event. Time is handed in; no I/O, no chip.
//!
//! Whatever card comes home, and whatever becomes of it, one lamp is lit exactly
//! [`VERDICT_AFTER`] later (RD-21): the answer, or the notice. So neither a delay nor its
//! absence says anything, and a card that may not be looked at gets the same notice as
//! one that could not be read (RD-05).

use super::Fault;
use super::recognise::{Judgement, Question};
use super::round::{Mode, Round, Shut};
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
    /// Publish the up-card of this round.
    Armed(u16, UpCard, Role),
    /// Go dark and publish that a card came home; and how long ago another question was answered,
    /// if that was too short a time.
    Inserted(Option<Millis>),
    /// Light the lamp that says this; none for `None`.
    Light(Reading),
    /// Light the notice, and latch that only a floorperson goes on from here (RD-11).
    CallFloor,
    /// Publish what it says.
    Publish(Reading, Option<Trouble>),
    /// Publish that the nest is empty.
    Removed,
    /// Go dark, publish that the round is over and what had to wait for that.
    Closed(Round, Role),
    /// Go dark, latch, publish the fault.
    Stop(Fault),
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

/// The machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Machine {
    state: State,
    round: Option<Round>,
    /// The last round's number.
    last: u16,
    /// Whether a card is in the nest.
    present: bool,
    /// The last question about a card, and when; of whichever round.
    looked: Option<(Question, Instant)>,
}

impl Machine {
    /// A machine that starts with what was kept: the round whose card was looked at, if
    /// it is not over, and the fault if there is one.
    pub const fn resume(round: Option<Round>, fault: Option<Fault>) -> Self {
        let state = match fault {
            Some(fault) => State::Faulted(fault),
            None => State::Waiting,
        };
        let last = match round {
            Some(round) => round.number,
            None => 0,
        };
        // When that was is not known: the time begins again, so a power cut shortens nothing.
        let looked = match round {
            Some(round) => match Round::new(round.number, round.up_card).question(Mode::Peek) {
                Some(question) => Some((question, Instant::START)),
                None => None,
            },
            None => None,
        };
        Self { state, round, last, present: false, looked }
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

    /// The machine after `event`, and what must be done about it. Total.
    #[must_use]
    pub fn after(mut self, event: Event, mode: Mode, now: Instant) -> (Self, Action) {
        let was_present = self.present;
        self.present = match event {
            Event::Home => true,
            Event::Left => false,
            _ => self.present,
        };
        let action = match (self.state, event) {
            (State::Faulted(fault), Event::Checked) => {
                self.state = State::Waiting;
                Action::Resume(fault)
            }
            // A test card or one of a lesson was none of a round.
            (_, Event::Left) if !was_present => Action::None,
            (State::Faulted(_), Event::Left) => Action::Removed,
            (State::Faulted(_), Event::Tick | Event::Moved | Event::Seen(_)) => Action::None,
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
        };
        (self, action)
    }

    fn stop(&mut self, fault: Fault) -> Action {
        self.state = State::Faulted(fault);
        self.round = None;
        Action::Stop(fault)
    }

    fn up_card(
        &mut self,
        number: u16,
        up_card: UpCard,
        by: Role,
        mode: Mode,
        now: Instant,
    ) -> Action {
        // A card that lies there is asked nothing new.
        if self.present || matches!(self.state, State::Reading { .. }) || mode == Mode::Closed {
            return Action::Refuse(Refused::OutOfTurn);
        }
        let Some(round) = self.round.filter(|round| round.number == number) else {
            self.round = Some(Round::new(number, up_card));
            self.last = number;
            return Action::Armed(number, up_card, by);
        };
        let was_shut = round.shut.is_some();
        let (after, fine) = round.with_up_card(up_card, mode);
        if fine || by == Role::Device {
            self.round = Some(after);
        }
        match (fine, was_shut) {
            (true, _) if after == round => Action::None,
            (true, _) => Action::Armed(number, up_card, by),
            (false, true) => Action::Refuse(Refused::OutOfTurn),
            (false, false) if by != Role::Device => Action::SecondQuestion(by),
            (false, false) => {
                // No card came home, so there is no verdict to publish.
                let (word, trouble) = (Reading::Notice, None);
                self.state = State::Showing { word, trouble, since: now, lit: true, gone: true };
                Action::SecondQuestion(by)
            }
        }
    }

    fn round_over(&mut self, number: u16, by: Role, now: Instant) -> Action {
        let here = self.round.filter(|round| round.number == number);
        let soon = by != Role::Controller && self.is_soon(now);
        match here {
            Some(_) if soon && by == Role::Device && self.state == State::Waiting => {
                let (word, trouble) = (Reading::Notice, None);
                self.state = State::Showing { word, trouble, since: now, lit: true, gone: true };
                Action::TooSoon
            }
            Some(_) if soon => Action::Refuse(Refused::OutOfTurn),
            Some(round) if !self.present && !matches!(self.state, State::Reading { .. }) => {
                self.round = None;
                self.state = State::Waiting;
                Action::Closed(round, by)
            }
            _ => Action::Refuse(Refused::OutOfTurn),
        }
    }

    /// Whether a card was looked at for a peek so shortly before.
    fn is_soon(&self, now: Instant) -> bool {
        let peeked = self.looked.filter(|(question, _)| *question != Question::Range);
        peeked.is_some_and(|(_, at)| now.since(at) < ROUND_AT_LEAST)
    }

    fn home(&mut self, mode: Mode, now: Instant) -> Action {
        // A card that was given up ends its round when another comes: no round is refused (RD-03).
        let given_up = |round: Round| round.by_card && round.shut.is_some();
        if mode == Mode::Masque && self.round.is_none_or(given_up) {
            self.last = self.next_number();
            self.round = Some(Round::of_card(self.last));
        }
        let question = self.round.and_then(|round| round.question(mode));
        if let Some(round) = &mut self.round {
            round.insertions = round.insertions.saturating_add(1);
            round.asked |= question.is_some();
        }
        let due = now + VERDICT_AFTER;
        self.state = State::Reading { due, question, seen: None };
        let Some(question) = question else { return Action::Inserted(None) };
        let before = self.looked.replace((question, now));
        let other = before.filter(|(before, _)| *before != question);
        let since = other.map(|(_, at)| now.since(at));
        Action::Inserted(since.filter(|since| *since < ROUND_AT_LEAST))
    }

    fn left(&mut self) -> Action {
        if let State::Showing { gone, .. } = &mut self.state {
            *gone = true;
        }
        self.round.take_if(|round| round.by_card && round.is_answered());
        Action::Removed
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

    /// What is reported of a card without a question. That no up-card was told is not that a
    /// wrong one was: 590.13(i) and its like speak of the second (RD-05).
    fn unasked(&self, mode: Mode) -> Option<Trouble> {
        match self.round {
            _ if mode != Mode::Peek => None,
            Some(Round { shut: Some(_), .. }) => None,
            None | Some(Round { up_card: UpCard::Unsaid, .. }) => Some(Trouble::NoUpCard),
            Some(_) => Some(Trouble::WrongUpCard),
        }
    }

    fn verdict(
        &mut self,
        question: Question,
        seen: Option<Result<Judgement, Fault>>,
        now: Instant,
    ) -> Action {
        let reading = match seen.unwrap_or(Ok(Judgement::CANNOT_READ)) {
            Err(fault) => return self.stop(fault),
            Ok(reading) => reading,
        };
        let (round, word) = match self.round.map(|round| round.judged(question, reading)) {
            None => return self.show(Reading::Notice, None, now),
            Some(Err(fault)) => return self.stop(fault),
            Some(Ok(judged)) => judged,
        };
        self.round = Some(round);
        if round.shut == Some(Shut::Unread) {
            self.show(word, Some(Trouble::CannotRead), now);
            return Action::CallFloor;
        }
        self.show(word, None, now)
    }

    fn show(&mut self, word: Reading, trouble: Option<Trouble>, since: Instant) -> Action {
        self.state = State::Showing { word, trouble, since, lit: false, gone: !self.present };
        Action::Light(word)
    }
}
