//! The verdict: from thirteen scores to one permitted answer, or none.
//!
//! The best rank must fit well, in all three sets taken together, where noise counts least,
//! and on the ground that all ranks share: so cards of other brands are refused. And in each
//! set alone every rank of another class must fit clearly worse. How much worse is asked as a
//! share of what the brand itself allows: a 3 that is nearly an 8 in print can never be far
//! ahead of it. Ranks of the same class are not compared with each other: no answer needs it,
//! and none may tell it.
//!
//! Nothing here ends early: every set, rank and question takes the same steps.

use zeroize::Zeroize;

use super::answer::{Answer, Judgement, Question};
use super::frame::SETS;
use super::search::best;
use super::stencil::{PIXEL, UNIT, select};
use super::taught::RANKS;
use crate::cards::{Rank, Size};

/// The best rank must fit all sets together this well: 0.89 of a perfect fit.
const LEAST_FIT: i32 = UNIT * 89 / 100;
/// A jack or a queen must fit better: 0.93. Above the suit a queen is a ring and a jack a stroke, and
/// another brand's bigger 9 or 2 has one too: nearly all that passed for a wrong rank passed for these.
const LEAST_FIT_OF_A_RING: i32 = UNIT * 93 / 100;
/// It must fit each set alone this well: 0.82.
const LEAST_FIT_OF_A_SET: i32 = UNIT * 82 / 100;
/// It must lead by this share, of 256, of what the brand's own print would give: 0.45.
const LEAST_LEAD: i32 = 115;
/// Fainter print than this is none: nine grey levels a point.
const LEAST_CONTRAST: i32 = 135;

/// The card may lie this far apart in two sets, in 1/256 pixel: 0.3 mm. At 0.4 a card that slid
/// half a millimetre from set to set once got an answer.
const MOST_DRIFT: i32 = PIXEL * 8 / 10;

/// How well each rank fits one frame set. Wiped when it goes out of scope.
#[derive(Default)]
pub(super) struct Scores {
    /// Each rank's fit at the pose that suits it best, in parts of [`UNIT`].
    pub fits: [i32; RANKS],
    /// The print's contrast there; none if a card at home cannot have it there.
    pub contrasts: [i32; RANKS],
    /// Where the card lies in this set alone, across and down, in 1/256 pixel.
    pub drift: (i32, i32),
}

impl Drop for Scores {
    fn drop(&mut self) {
        self.fits.zeroize();
        self.contrasts.zeroize();
        self.drift = (0, 0);
    }
}

/// How well the ranks fit what was seen.
pub(super) struct Sight {
    /// Set by set.
    pub sets: [Scores; SETS],
    /// How well the rank that is best in the first set fits all together, less what its ground
    /// takes away, in parts of [`UNIT`].
    pub whole: i32,
}

impl Drop for Sight {
    fn drop(&mut self) {
        self.whole.zeroize();
    }
}

/// How much alike the ranks of a brand are: row by row how well each fits a card of that
/// rank, in half parts of [`UNIT`].
pub(super) type Alike = [[u8; RANKS]; RANKS];

/// What the scores of all sets say.
pub(super) fn verdict(sight: &Sight, alike: &Alike, question: Question, tens: bool) -> Judgement {
    let sets = &sight.sets;
    let first = best(sets[0].fits.iter().copied());
    let class = class(question, first);
    let mut sure = still(sets) & (sight.whole >= least_fit(first));
    let mut ten = first == Rank::Ten as usize;
    for scores in sets {
        let best = best(scores.fits.iter().copied());
        let rival = |rank: usize| self::class(question, rank) != class;
        sure &= self::class(question, best) == class;
        sure &= scores.fits[best] >= LEAST_FIT_OF_A_SET;
        sure &= scores.contrasts[best] >= LEAST_CONTRAST;
        sure &= leads(scores, &alike[best], best, rival);
        ten &= leads(scores, &alike[best], best, |rank| rank != first);
    }
    Judgement { answer: if sure { class } else { Answer::CannotRead }, foreign: sure & ten & !tens }
}

/// How well a rank must fit.
fn least_fit(rank: usize) -> i32 {
    let ring = (rank == Rank::Jack as usize) | (rank == Rank::Queen as usize);
    select(ring, LEAST_FIT_OF_A_RING, LEAST_FIT)
}

/// Whether the card lay in the same place in all sets.
fn still(sets: &[Scores; SETS]) -> bool {
    let mut room = 0;
    for one in sets {
        for other in sets {
            let (x, y) = (one.drift.0 - other.drift.0, one.drift.1 - other.drift.1);
            // Negative where there is none, and so is any number joined to it: no branch.
            room |= MOST_DRIFT.wrapping_sub(x.wrapping_abs());
            room |= MOST_DRIFT.wrapping_sub(y.wrapping_abs());
        }
    }
    room >= 0
}

/// Whether `best` leads every rival clearly.
fn leads(scores: &Scores, alike: &[u8; RANKS], best: usize, rival: impl Fn(usize) -> bool) -> bool {
    (0..RANKS).fold(true, |leads, rank| {
        let possible = UNIT - 2 * i32::from(alike[rank]);
        let lead = scores.fits[best] - scores.fits[rank];
        leads & (!rival(rank) | (lead * 256 >= possible * LEAST_LEAD))
    })
}

/// The answer to `question` if a card of this rank lies there.
pub(super) fn class(question: Question, rank: usize) -> Answer {
    let rank = Rank::ALL[rank];
    let said = |yes: bool| if yes { Answer::Yes } else { Answer::No };
    match question {
        Question::Ace => said(rank.is_ace()),
        Question::TenValue => said(rank.is_ten_value()),
        Question::Range => match rank.size() {
            Size::Small => Answer::Small,
            Size::Medium => Answer::Medium,
            Size::Large => Answer::Large,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALIKE: Alike = [[128; RANKS]; RANKS];

    /// A five that fits perfectly, all others half as well.
    fn five() -> Sight {
        let sets = core::array::from_fn(|_| {
            let mut fits = [UNIT / 2; RANKS];
            fits[Rank::Five as usize] = UNIT;
            Scores { fits, contrasts: [500; RANKS], drift: (0, 0) }
        });
        Sight { sets, whole: UNIT }
    }

    fn range(sight: &Sight) -> Answer {
        verdict(sight, &ALIKE, Question::Range, true).answer
    }

    /// RD-11: each condition alone, in any one set, takes the answer away.
    #[test]
    fn doubt_in_one_set_is_doubt() {
        assert_eq!(range(&five()), Answer::Small);
        let five_is = Rank::Five as usize;
        for set in 0..SETS {
            let mut poor = five();
            poor.sets[set].fits[five_is] = LEAST_FIT_OF_A_SET - 1;
            assert_eq!(range(&poor), Answer::CannotRead);
            let mut close = five();
            close.sets[set].fits[Rank::Six as usize] = UNIT - UNIT * LEAST_LEAD / 512 + 1;
            assert_eq!(range(&close), Answer::CannotRead);
            let mut faint = five();
            faint.sets[set].contrasts[five_is] = LEAST_CONTRAST - 1;
            assert_eq!(range(&faint), Answer::CannotRead);
            let mut moved = five();
            moved.sets[set].drift.1 = -MOST_DRIFT - 1;
            assert_eq!(range(&moved), Answer::CannotRead);
            let mut other = five();
            other.sets[set].fits.swap(five_is, Rank::Six as usize);
            assert_eq!(range(&other), Answer::CannotRead);
        }
    }

    /// RD-11: three sets that agree are not enough, if together they do not look like the brand.
    #[test]
    fn a_card_that_does_not_look_like_the_brand_gets_no_answer() {
        let mut sight = five();
        sight.whole = LEAST_FIT;
        assert_eq!(range(&sight), Answer::Small);
        sight.whole = LEAST_FIT - 1;
        assert_eq!(range(&sight), Answer::CannotRead);
    }

    /// RD-01: ranks of one class are not told apart, so their likeness costs no answer.
    #[test]
    fn likeness_inside_a_class_does_not_matter() {
        let mut sight = five();
        for scores in &mut sight.sets {
            scores.fits[Rank::Four as usize] = UNIT;
        }
        assert_eq!(range(&sight), Answer::Small);
        sight.sets[1].fits[Rank::Five as usize] = UNIT - 1;
        assert_eq!(range(&sight), Answer::Small);
        let ace = verdict(&sight, &ALIKE, Question::Ace, true).answer;
        assert_eq!(ace, Answer::No);
    }

    #[test]
    fn the_lead_is_asked_as_a_share_of_what_the_brand_allows() {
        let mut sight = five();
        for scores in &mut sight.sets {
            scores.fits[Rank::Six as usize] = UNIT * 9 / 10;
        }
        assert_eq!(range(&sight), Answer::CannotRead);
        let mut alike = ALIKE;
        alike[Rank::Five as usize][Rank::Six as usize] = 225;
        assert_eq!(verdict(&sight, &alike, Question::Range, true).answer, Answer::Small);
    }
}
