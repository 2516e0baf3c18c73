//! What a round does with an event: the machine's part of it.

use super::{Mode, Round, Shut, TRIES};
use crate::node::Refused;
use crate::protocol::generated::croupier::common::{Role, Trouble};
use crate::protocol::generated::croupier::reader::{Reading, UpCard};
use crate::reader::Fault;
use crate::reader::machine::{Action, Machine, ROUND_AT_LEAST, State, VERDICT_AFTER};
use crate::reader::recognise::{Judgement, Question};
use crate::time::Instant;

impl Machine {
    pub(in crate::reader) fn up_card(
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
        let round = match self.round {
            Some(round) if round.number == number => round,
            Some(_) => return Action::Refuse(Refused::OutOfTurn),
            None => {
                self.round = Some(Round::new(number, up_card));
                self.last = number;
                return Action::Armed(number, up_card, by);
            }
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
                self.to_save = round.asked;
                // No card came home, so there is no verdict to publish.
                let (word, trouble) = (Reading::Notice, None);
                self.state = State::Showing { word, trouble, since: now, lit: true, gone: true };
                Action::SecondQuestion(by)
            }
        }
    }

    pub(in crate::reader) fn round_over(&mut self, number: u16, by: Role, now: Instant) -> Action {
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
                if round.asked {
                    (self.failures, self.to_save) = (0, true);
                }
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

    pub(in crate::reader) fn home(&mut self, mode: Mode, now: Instant) -> Action {
        // A card that was given up ends its round when another comes: no round is refused (RD-03).
        let given_up = |round: Round| round.by_card && round.shut.is_some();
        if mode == Mode::Masque && self.round.is_none_or(given_up) {
            self.last = self.next_number();
            self.round = Some(Round::of_card(self.last));
        }
        let question = self.round.and_then(|round| round.question(mode));
        let is_peek = question.is_some_and(|question| question != Question::Range);
        if let Some(round) = &mut self.round {
            round.insertions = round.insertions.saturating_add(1);
            self.to_save = is_peek && !round.asked;
            round.asked |= is_peek;
        }
        let due = now + VERDICT_AFTER;
        self.state = State::Reading { due, question, seen: None };
        let Some(question) = question else { return Action::Inserted(None) };
        let before = self.looked.replace((question, now));
        let other = before.filter(|(before, _)| *before != question);
        let since = other.map(|(_, at)| now.since(at));
        Action::Inserted(since.filter(|since| *since < ROUND_AT_LEAST))
    }

    pub(in crate::reader) fn left(&mut self) -> Action {
        if let State::Showing { gone, .. } = &mut self.state {
            *gone = true;
        }
        self.round.take_if(|round| round.by_card && round.is_answered());
        Action::Removed
    }

    /// What is reported of a card without a question. That no up-card was told is not that a
    /// wrong one was: 590.13(i) and its like speak of the second (RD-05).
    pub(in crate::reader) fn unasked(&self, mode: Mode) -> Option<Trouble> {
        match self.round {
            _ if mode != Mode::Peek => None,
            Some(Round { shut: Some(_), .. }) => None,
            None | Some(Round { up_card: UpCard::Unsaid, .. }) => Some(Trouble::NoUpCard),
            Some(_) => Some(Trouble::WrongUpCard),
        }
    }

    /// The answer is due. A read without one is counted, and the last that is allowed shuts the
    /// round (RD-11).
    pub(in crate::reader) fn verdict(
        &mut self,
        question: Question,
        seen: Option<Result<Judgement, Fault>>,
        now: Instant,
    ) -> Action {
        let reading = match seen.unwrap_or(Ok(Judgement::CANNOT_READ)) {
            Err(fault) => return self.stop(fault),
            Ok(reading) => reading,
        };
        self.round.iter_mut().for_each(|round| round.foreign |= reading.foreign);
        let (mut round, word) = match self.round.map(|round| round.judged(question, reading)) {
            None => return self.show(Reading::Notice, None, now),
            Some(Err(fault)) => return self.stop(fault),
            Some(Ok(judged)) => judged,
        };
        let failures = match word {
            Reading::CannotRead => self.failures.saturating_add(1),
            _ => 0,
        };
        self.to_save = failures != self.failures;
        self.failures = failures;
        let is_last = failures >= TRIES;
        if is_last {
            round.shut = Some(Shut::Unread);
        }
        self.round = Some(round);
        if is_last {
            self.show(word, Some(Trouble::CannotRead), now);
            return Action::CallFloor;
        }
        self.show(word, None, now)
    }
}
