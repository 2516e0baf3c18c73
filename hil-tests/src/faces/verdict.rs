//! Whether a brand may be approved, and if not, every reason why.

use super::naming::card_name;
use super::tally::{Tally, upper_bound};
use super::trial::{Outcome, Refusal, Refused, Taught};
use crate::world::optics::Stranger;
use croupier::reader::recognise::{NotLearned, NotTaught};

/// Cards refused at a well-kept table, at most: a re-read costs a second.
pub const CANNOT_READ_NOMINAL: f64 = 0.005;
/// Cards refused at the worst table, at most.
pub const CANNOT_READ_HARSH: f64 = 0.1;
/// Second cards that optics may miss, at most. The beams refuse them first, by the order of insertion;
/// a second card exactly behind the first has no edge in sight at all.
pub const MISSED_SECOND_CARDS: f64 = 0.25;
/// Reads below which it cannot be said that wrong answers are rarer than one in a thousand (RD-11).
pub const FEWEST_READS: u64 = 2995;

/// What a brand did at one level.
pub struct Stage {
    /// The level's name.
    pub level: &'static str,
    /// The cards.
    pub outcome: Outcome,
    /// The strangers.
    pub refused: Vec<Refused>,
    /// The cards of another brand, and its name.
    pub foreign: Option<(String, Tally)>,
}

/// All that was found about one brand.
pub struct Finding {
    /// The brand's name.
    pub name: String,
    /// Remarks about its artwork.
    pub notes: Vec<String>,
    /// Its lesson and proof, or why there is none.
    pub taught: Result<Taught, Refusal>,
    /// What it did, level by level.
    pub stages: Vec<Stage>,
}

impl Finding {
    /// Every reason against the brand; none is approval.
    pub fn objections(&self) -> Vec<String> {
        let taught = match &self.taught {
            Ok(taught) => taught,
            Err(refusal) => return vec![refusal.to_string()],
        };
        let mut objections = Vec::new();
        if taught.unproven > 0 {
            objections.push(format!("the proof failed: {} of 312 reads", taught.unproven));
        }
        for stage in &self.stages {
            stage.object(&mut objections);
        }
        objections
    }

    /// Whether the brand may be approved.
    pub fn approved(&self) -> bool {
        self.objections().is_empty()
    }
}

impl Stage {
    /// The share of cards that may be refused at this level.
    pub fn may_refuse(&self) -> f64 {
        if self.level == "harsh" { CANNOT_READ_HARSH } else { CANNOT_READ_NOMINAL }
    }

    fn object(&self, objections: &mut Vec<String>) {
        let (level, ours) = (self.level, &self.outcome.ours);
        let mut object = |objection: String| objections.push(format!("{level}: {objection}"));
        if ours.wrong() > 0 {
            object(format!("{} of {} reads were wrong", ours.wrong(), ours.reads()));
        }
        if ours.reads() < FEWEST_READS {
            object(format!("{} reads are too few: at least {FEWEST_READS}", ours.reads()));
        }
        let refused = ours.cannot_read() as f64 / ours.reads().max(1) as f64;
        if refused > self.may_refuse() {
            let (is, most) = (percent(refused), percent(self.may_refuse()));
            object(format!("{is} of the cards cannot be read, at most {most} may"));
        }
        for stranger in self.refused.iter().filter(|stranger| stranger.is_too_many()) {
            let Refused { name, shown, answered } = stranger;
            object(format!("{name}: {answered} of {shown} got an answer"));
        }
        if let Some((name, tally)) = self.foreign.as_ref().filter(|(_, tally)| tally.wrong() > 0) {
            object(format!(
                "{} of {} cards of {name} got a wrong answer",
                tally.wrong(),
                tally.reads()
            ));
        }
    }
}

impl Refused {
    /// Whether more got an answer than may.
    fn is_too_many(&self) -> bool {
        let second = self.name == Stranger::TwoCards.name();
        let may = if second { MISSED_SECOND_CARDS } else { 0.0 };
        self.answered as f64 > may * self.shown as f64
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotLearned(rank, suit, why) => {
                let why = match why {
                    NotLearned::Unclear => "no index stands out in its corner",
                    NotLearned::Enough => "its rank has been shown often enough",
                    NotLearned::Different => "it does not look like the other cards of its rank",
                };
                write!(f, "{} cannot be learned: {why}", card_name(*rank, *suit))
            }
            Self::NotTaught(NotTaught::Incomplete) => write!(f, "a rank has too few cards"),
            Self::NotTaught(NotTaught::Ambiguous) => {
                write!(f, "two ranks of different classes look too much alike")
            }
        }
    }
}

/// A rate, with as many places as it needs.
pub fn percent(rate: f64) -> String {
    match rate * 100.0 {
        0.0 => "0 %".into(),
        rate if rate < 0.01 => format!("{rate:.5} %"),
        rate if rate < 1.0 => format!("{rate:.3} %"),
        rate => format!("{rate:.1} %"),
    }
}

/// A rate and what it does not exceed, for a table.
pub fn bounded(hits: u64, reads: u64) -> String {
    let rate = percent(hits as f64 / reads.max(1) as f64);
    format!("{hits} ({rate}, below {})", percent(upper_bound(hits, reads)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use croupier::cards::{Rank, Suit};
    use croupier::reader::recognise::{Answer, Question};

    fn stage(reads: u64, answer: Answer, other: u64) -> Stage {
        let mut ours = Tally::default();
        (0..reads).for_each(|_| ours.count(Rank::Five, Question::Range, Answer::Small));
        (0..other).for_each(|_| ours.count(Rank::Five, Question::Range, answer));
        let outcome = Outcome { ours, ..Outcome::default() };
        Stage { level: "nominal", outcome, refused: Vec::new(), foreign: None }
    }

    fn objections(stage: &Stage) -> Vec<String> {
        let mut found = Vec::new();
        stage.object(&mut found);
        found
    }

    /// RD-11: one wrong answer is one too many, a few refused cards are not.
    #[test]
    fn one_wrong_answer_forbids_a_brand_and_rare_refusals_do_not() {
        assert!(objections(&stage(10_000, Answer::CannotRead, 40)).is_empty());
        assert_eq!(objections(&stage(10_000, Answer::CannotRead, 60)).len(), 1);
        let wrong = objections(&stage(10_000, Answer::Medium, 1));
        assert_eq!(wrong, ["nominal: 1 of 10001 reads were wrong"]);
    }

    #[test]
    fn too_few_reads_prove_nothing() {
        assert_eq!(objections(&stage(2994, Answer::Small, 0)).len(), 1);
        assert!(objections(&stage(2995, Answer::Small, 0)).is_empty());
    }

    #[test]
    fn a_stranger_with_an_answer_is_named() {
        let mut stage = stage(3000, Answer::Small, 0);
        stage.refused = vec![Refused { name: "joker", shown: 50, answered: 2 }];
        assert_eq!(objections(&stage), ["nominal: joker: 2 of 50 got an answer"]);
        let second = |answered| Refused { name: Stranger::TwoCards.name(), shown: 50, answered };
        stage.refused = vec![second(12)];
        assert!(objections(&stage).is_empty());
        stage.refused = vec![second(13)];
        assert_eq!(objections(&stage).len(), 1);
    }

    #[test]
    fn a_brand_that_cannot_be_taught_says_which_card() {
        let taught = Err(Refusal::NotLearned(Rank::Ten, Suit::Hearts, NotLearned::Unclear));
        let finding = Finding { name: "x".into(), notes: vec![], taught, stages: vec![] };
        assert_eq!(
            finding.objections(),
            ["10H cannot be learned: no index stands out in its corner"]
        );
    }
}
