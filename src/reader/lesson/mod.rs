//! A lesson: a deck in known order is shown once to be learnt, then six times as proof.
//!
//! The order is that of a new deck: ace to king, suit after suit. To learn, 52 cards. To
//! prove, the same 52 with either end first, three times over: 312 reads, and one error
//! ends it (RD-11). Only then is the brand kept, whole, in place of the one before.

mod conduct;

use super::recognise::LESSONS_PER_RANK;
use crate::cards::Rank;
use crate::protocol::generated::croupier::reader::Lesson;

const RANKS: u16 = Rank::ALL.len() as u16;
/// Cards to be learnt.
pub const LEARNT: u16 = RANKS * LESSONS_PER_RANK as u16;
/// Cards of the proof: 52, both ends, three times.
pub const PROVEN: u16 = 52 * 2 * 3;

/// What a lesson is at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Cards are shown to be learnt.
    Learn,
    /// What was learnt is made into a brand.
    Make,
    /// Cards are shown as proof.
    Prove,
    /// The brand is proven and must be kept.
    Keep,
}

/// A lesson that is going on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Teaching {
    /// The brand's number.
    pub brand: u16,
    part: Part,
    shown: u16,
    /// The card at home is to be looked at.
    wanted: bool,
    /// The card at home was looked at.
    used: bool,
}

impl Teaching {
    /// A lesson that begins.
    pub const fn begin(brand: u16) -> Self {
        Self { brand, part: Part::Learn, shown: 0, wanted: false, used: false }
    }

    /// What it is at.
    pub const fn part(&self) -> Part {
        self.part
    }

    /// As the wire says it: where, cards shown, cards wanted.
    pub const fn progress(&self) -> (Lesson, u16, u16) {
        match self.part {
            Part::Learn | Part::Make => (Lesson::Learn, self.shown, LEARNT),
            Part::Prove | Part::Keep => (Lesson::Prove, self.shown, PROVEN),
        }
    }

    /// The rank of the card to be shown next.
    pub fn rank(&self) -> Rank {
        let place = usize::from(self.shown % RANKS);
        Rank::ALL.get(place).copied().unwrap_or(Rank::Ace)
    }

    /// Another card came home.
    pub const fn another_card(&mut self) {
        self.used = false;
    }

    /// The supervisor says that the next card is home; false if it was looked at already.
    pub const fn next(&mut self) -> bool {
        let fine = !self.used && !self.wanted && matches!(self.part, Part::Learn | Part::Prove);
        self.wanted |= fine;
        fine
    }

    /// Whether the card at home is to be looked at.
    pub const fn wants_look(&self) -> bool {
        self.wanted
    }

    /// The lesson after a card was looked at, or `None` if that ends it as failed.
    ///
    /// A card that could not be learnt may be shown again; one that was not proven is an error.
    pub const fn looked(mut self, fine: bool) -> Option<Self> {
        self.wanted = false;
        self.used = true;
        if fine {
            self.shown += 1;
        }
        match (self.part, fine) {
            (Part::Learn, _) if self.shown == LEARNT => self.part = Part::Make,
            (Part::Prove, true) if self.shown == PROVEN => self.part = Part::Keep,
            (Part::Prove, false) => return None,
            _ => {}
        }
        Some(self)
    }

    /// The lesson once its brand is made.
    pub const fn made(self) -> Self {
        Self { part: Part::Prove, shown: 0, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_lesson_shows_the_deck_once_and_six_times() {
        let mut lesson = Teaching::begin(5);
        for card in 0..LEARNT {
            assert_eq!(lesson.rank(), Rank::ALL[usize::from(card) % 13]);
            lesson.another_card();
            assert!(lesson.next() && lesson.wants_look());
            lesson = lesson.looked(true).unwrap();
            assert!(!lesson.next(), "each card once");
        }
        assert_eq!(lesson.part(), Part::Make);
        lesson = lesson.made();
        for card in 0..PROVEN {
            assert_eq!(lesson.progress(), (Lesson::Prove, card, 312));
            lesson.another_card();
            assert!(lesson.next());
            lesson = lesson.looked(true).unwrap();
        }
        assert_eq!(lesson.part(), Part::Keep);
    }

    /// RD-11: one error in the proof ends it; an unclear card while learning does not.
    #[test]
    fn one_error_ends_the_proof() {
        let mut lesson = Teaching::begin(5);
        lesson.next();
        lesson = lesson.looked(false).unwrap();
        assert_eq!(lesson.progress(), (Lesson::Learn, 0, LEARNT));
        assert_eq!(lesson.made().looked(false), None);
    }
}
