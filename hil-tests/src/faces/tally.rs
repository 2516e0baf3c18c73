//! Counting answers: right, wrong, cannot read, by class, with 95 % bounds.

use croupier::cards::Rank;
use croupier::reader::recognise::{Answer, Question};
use statrs::distribution::{Beta, ContinuousCDF};

pub use crate::world::optics::peer::truth;

/// All questions, asked in turn.
pub const QUESTIONS: [Question; 3] = [Question::Ace, Question::TenValue, Question::Range];
/// All answers, in the order they are shown.
pub const ANSWERS: [Answer; 6] =
    [Answer::Yes, Answer::No, Answer::Small, Answer::Medium, Answer::Large, Answer::CannotRead];

/// How often each answer was given to each truth.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// By question, truth and answer.
    counts: [[[u64; ANSWERS.len()]; ANSWERS.len()]; QUESTIONS.len()],
}

impl Tally {
    /// Counts one answer about a card of `rank`.
    pub fn count(&mut self, rank: Rank, question: Question, answer: Answer) {
        let truth = truth(rank, question);
        self.counts[question as usize][truth as usize][answer as usize] += 1;
    }

    /// Both together.
    pub fn with(mut self, other: &Self) -> Self {
        let mine = self.counts.iter_mut().flatten().flatten();
        mine.zip(other.counts.iter().flatten().flatten()).for_each(|(mine, other)| *mine += other);
        self
    }

    /// All reads.
    pub fn reads(&self) -> u64 {
        self.counts.iter().flatten().flatten().sum()
    }

    /// Reads without an answer.
    pub fn cannot_read(&self) -> u64 {
        self.counts.iter().flatten().map(|row| row[Answer::CannotRead as usize]).sum()
    }

    /// Reads with a wrong answer: what must not be.
    pub fn wrong(&self) -> u64 {
        self.rows().map(|row| row.wrong()).sum()
    }

    /// Each question and truth that was met, and what was answered.
    pub fn rows(&self) -> impl Iterator<Item = Row> {
        let each = move |question: Question| {
            ANSWERS.into_iter().map(move |truth| Row {
                question,
                truth,
                answers: self.counts[question as usize][truth as usize],
            })
        };
        QUESTIONS.into_iter().flat_map(each).filter(|row| row.reads() > 0)
    }
}

/// One line of the confusion table.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// What was asked.
    pub question: Question,
    /// The right answer.
    pub truth: Answer,
    /// How often each of [`ANSWERS`] was given.
    pub answers: [u64; ANSWERS.len()],
}

impl Row {
    /// Reads with this truth.
    pub fn reads(&self) -> u64 {
        self.answers.iter().sum()
    }

    /// Wrong answers among them.
    pub fn wrong(&self) -> u64 {
        self.reads() - self.answers[self.truth as usize] - self.answers[Answer::CannotRead as usize]
    }
}

/// The rate that `hits` in `reads` do not exceed, with 95 % confidence: Clopper and Pearson's
/// one-sided bound, which for no hit at all is the rule of three.
pub fn upper_bound(hits: u64, reads: u64) -> f64 {
    if hits >= reads {
        return 1.0;
    }
    if hits == 0 {
        return 1.0 - 0.05_f64.powf(1.0 / reads as f64);
    }
    let shape = Beta::new(hits as f64 + 1.0, (reads - hits) as f64);
    shape.map_or(1.0, |beta| beta.inverse_cdf(0.95))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_and_cannot_read_are_told_apart() {
        let mut tally = Tally::default();
        tally.count(Rank::Ace, Question::Ace, Answer::Yes);
        tally.count(Rank::King, Question::Ace, Answer::Yes);
        tally.count(Rank::Five, Question::Range, Answer::Medium);
        tally.count(Rank::Five, Question::Range, Answer::Small);
        tally.count(Rank::Ten, Question::TenValue, Answer::CannotRead);
        assert_eq!((tally.reads(), tally.wrong(), tally.cannot_read()), (5, 2, 1));
        assert_eq!(tally.with(&tally).reads(), 10);
    }

    /// RD-11's own figures: 0 in 2,995 bounds 0.1 %, 0 in 29,956 bounds 0.01 %.
    #[test]
    fn bounds_are_the_textbooks() {
        assert!((upper_bound(0, 2995) - 0.001).abs() < 1e-6);
        assert!((upper_bound(0, 29_956) - 0.0001).abs() < 1e-7);
        // Clopper-Pearson, one-sided 95 %: 1 of 100 gives 4.66 %, 50 of 10,000 gives 0.634 %.
        assert!((upper_bound(1, 100) - 0.0466).abs() < 1e-4);
        assert!((upper_bound(50, 10_000) - 0.00634).abs() < 5e-5, "{}", upper_bound(50, 10_000));
        assert_eq!(upper_bound(3, 3), 1.0);
    }
}
