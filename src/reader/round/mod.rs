//! One round: which question it has, what was answered, and when it is no longer asked.
//!
//! The question hangs on the up-card, and a round has one up-card. Another one
//! asks for two answers about the same card, or is a wrong key; either way nothing
//! more is read in that round (RD-05), and "round over" makes a fresh start.

mod conduct;
mod report;
mod steps;

use super::Fault;
use super::recognise::{Answer, Judgement, Question};
use crate::protocol::generated::croupier::reader::{Reading, UpCard};

/// Reads without an answer before a floorperson is called: no one may look at the card (RD-11).
pub const TRIES: u8 = 3;

/// How the game in force reads, if the reader is in service at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// One question under an ace or a ten-value card.
    Peek,
    /// The range of every card.
    Masque,
    /// Out of service: no card is looked at.
    Closed,
}

/// Why a round gets no more answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shut {
    /// Another up-card was given.
    SecondQuestion,
    /// No answer in [`TRIES`] reads: a matter for the floorperson.
    Unread,
}

/// A round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Round {
    /// Its number.
    pub number: u16,
    /// What the dealer shows.
    pub up_card: UpCard,
    /// Cards that came home in it.
    pub insertions: u8,
    /// Whether a card was looked at for a peek: the question stands from then on.
    pub asked: bool,
    /// Why it gets no more answers.
    pub shut: Option<Shut>,
    /// Whether a card that the deck has not was seen; published when the round is over (RD-17).
    pub foreign: bool,
    /// Whether a Masque's card opened it, so that its removal ends it.
    pub by_card: bool,
    given: Option<Reading>,
}

impl Round {
    /// A round that has just begun.
    pub const fn new(number: u16, up_card: UpCard) -> Self {
        Self {
            number,
            up_card,
            insertions: 0,
            asked: false,
            shut: None,
            foreign: false,
            by_card: false,
            given: None,
        }
    }

    /// A round that a Masque's card opened.
    pub const fn of_card(number: u16) -> Self {
        let mut round = Self::new(number, UpCard::Unsaid);
        round.by_card = true;
        round
    }

    /// A round whose card was looked at before a power cut; its answer is forgotten.
    pub const fn resumed(number: u16, up_card: UpCard, shut: Option<Shut>) -> Self {
        let mut round = Self::new(number, up_card);
        round.asked = true;
        round.shut = shut;
        round
    }

    /// The question about the hole card, if the rules allow one now. Under a wrong up-card, or
    /// with none given, a peek has none: the notice, and no look at the card (RD-05).
    pub const fn question(&self, mode: Mode) -> Option<Question> {
        match (self.shut, mode, self.up_card) {
            (Some(_), ..) | (_, Mode::Closed, _) => None,
            (None, Mode::Masque, _) => Some(Question::Range),
            (None, Mode::Peek, UpCard::Ace) => Some(Question::TenValue),
            (None, Mode::Peek, UpCard::TenValue) => Some(Question::Ace),
            (None, Mode::Peek, UpCard::Unsaid | UpCard::Other) => None,
        }
    }

    /// The round after its up-card was given; false if that was a second question.
    pub const fn with_up_card(mut self, up_card: UpCard, mode: Mode) -> (Self, bool) {
        let same = self.up_card as u8 == up_card as u8;
        let first = matches!(self.up_card, UpCard::Unsaid);
        if matches!(up_card, UpCard::Unsaid) {
            return (self, true);
        }
        // In a Masque the up-card only serves a hint, and no read is ever refused (RD-03).
        if same || first || matches!(mode, Mode::Masque) {
            self.up_card = up_card;
            return (self, self.shut.is_none());
        }
        self.shut = Some(Shut::SecondQuestion);
        (self, false)
    }

    /// The round after `seen`, and what is said of it: the same answer as before, or none. If two
    /// answers differ one was wrong, and which is not known: a malfunction (RD-12).
    pub fn judged(mut self, question: Question, seen: Judgement) -> Result<(Self, Reading), Fault> {
        let word = match (question, seen.answer) {
            (Question::Ace | Question::TenValue, Answer::Yes) => Reading::Blackjack,
            (Question::Ace | Question::TenValue, Answer::No) => Reading::NoBlackjack,
            (Question::Range, Answer::Small) => Reading::Small,
            (Question::Range, Answer::Medium) => Reading::Medium,
            (Question::Range, Answer::Large) => Reading::Large,
            _ => Reading::CannotRead,
        };
        if word != Reading::CannotRead {
            if self.given.is_some_and(|given| given != word) {
                return Err(Fault::Contradiction);
            }
            self.given = Some(word);
            return Ok((self, word));
        }
        Ok((self, Reading::CannotRead))
    }

    /// Whether it has its answer.
    pub const fn is_answered(&self) -> bool {
        self.given.is_some()
    }

    /// Whether it has no answer yet and may get one.
    pub const fn is_open(&self) -> bool {
        self.given.is_none() && self.shut.is_none()
    }

    /// 685a.7(h): the hole card is turned up, because both are known to be large (RD-15).
    pub const fn exposes(&self, word: Reading) -> bool {
        matches!(word, Reading::Large) && matches!(self.up_card, UpCard::Ace | UpCard::TenValue)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn saw(answer: Answer) -> Judgement {
        Judgement { answer, foreign: false }
    }

    /// RD-03, RD-04, RD-05, RD-06.
    #[test]
    fn the_up_card_decides_the_question() {
        let question = |mode, up_card| Round::new(1, up_card).question(mode);
        assert_eq!(question(Mode::Peek, UpCard::Ace), Some(Question::TenValue));
        assert_eq!(question(Mode::Peek, UpCard::TenValue), Some(Question::Ace));
        assert_eq!(question(Mode::Peek, UpCard::Other), None);
        assert_eq!(question(Mode::Peek, UpCard::Unsaid), None);
        for up_card in [UpCard::Unsaid, UpCard::Ace, UpCard::TenValue, UpCard::Other] {
            assert_eq!(question(Mode::Masque, up_card), Some(Question::Range));
            assert_eq!(question(Mode::Closed, up_card), None);
        }
    }

    /// RD-05, RD-06: another up-card ends the asking; the same one does not.
    #[test]
    fn a_second_question_shuts_the_round() {
        let round = Round::new(1, UpCard::Ace);
        assert_eq!(round.with_up_card(UpCard::Ace, Mode::Peek), (round, true));
        let (shut, fine) = round.with_up_card(UpCard::TenValue, Mode::Peek);
        assert!(!fine && shut.question(Mode::Peek).is_none());
        assert!(!shut.with_up_card(UpCard::Ace, Mode::Peek).1, "it stays shut");
        let late = Round::new(1, UpCard::Unsaid).with_up_card(UpCard::TenValue, Mode::Peek);
        assert_eq!((late.0.question(Mode::Peek), late.1), (Some(Question::Ace), true));
        let (masque, fine) = round.with_up_card(UpCard::Other, Mode::Masque);
        assert!(fine && masque.question(Mode::Masque).is_some());
    }

    /// RD-12.
    #[test]
    fn a_repeated_read_gives_the_same_answer_or_a_malfunction() {
        let mut round = Round::new(1, UpCard::Ace);
        for _ in 0..5 {
            let (after, word) = round.judged(Question::TenValue, saw(Answer::No)).unwrap();
            assert_eq!((word, after.shut), (Reading::NoBlackjack, None));
            round = after;
        }
        let (unclear, word) = round.judged(Question::TenValue, saw(Answer::CannotRead)).unwrap();
        assert_eq!((word, unclear.shut), (Reading::CannotRead, None), "none is no contradiction");
        let yes = round.judged(Question::TenValue, saw(Answer::Yes));
        assert_eq!(yes, Err(Fault::Contradiction));
    }

    /// RD-18: an answer to another question is none.
    #[test]
    fn an_answer_to_another_question_is_none() {
        let round = Round::new(1, UpCard::Unsaid);
        let (after, word) = round.judged(Question::Range, saw(Answer::Yes)).unwrap();
        assert_eq!((word, after.shut), (Reading::CannotRead, None));
        assert!(after.is_open() && !after.is_answered());
    }

    /// RD-15.
    #[test]
    fn only_large_under_a_large_up_card_is_turned_up() {
        for up_card in [UpCard::Unsaid, UpCard::Ace, UpCard::TenValue, UpCard::Other] {
            let large = matches!(up_card, UpCard::Ace | UpCard::TenValue);
            assert_eq!(Round::new(1, up_card).exposes(Reading::Large), large);
            assert!(!Round::new(1, up_card).exposes(Reading::Medium));
            assert!(!Round::new(1, up_card).exposes(Reading::Blackjack));
        }
    }
}
