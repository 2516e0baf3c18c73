//! The nineteen tests of orders: from a tally to outcomes.
//!
//! A test that the run is too small for is left out rather than stretched: the
//! chi-square law needs about five expected counts in each cell.

use crate::null;
use crate::outcome::{Family, Outcome};
use crate::reading::Score;
use crate::repeats::{duplicates, equal_spacings};
use crate::tail::{self, Tail};
use crate::tally::{Tally, faces, triangle};

/// Expected counts a cell must have for the chi-square law to hold in its far tail.
const CELL: f64 = 5.0;

/// All tests that `tally` is large enough for.
pub fn judge(tally: &mut Tally, family: Family) -> Vec<Outcome> {
    let mut verdicts = Vec::new();
    let mut push = |number, name, answer: Option<Answer>| {
        if let Some(Answer { seen, expected, tail, smooth }) = answer {
            verdicts.push(Outcome {
                number,
                name,
                family,
                size: tally.cards,
                seen,
                expected,
                tail,
                smooth,
            });
        }
    };
    push(1, "position by card", Some(position_by_card(tally)));
    let digits = digit_squares(&tally.swaps, tally);
    push(2, "shuffle digits", Some(sum_of_digits(&digits)));
    push(3, "worst digit", worst_digit(&digits, tally));
    push(4, "Lehmer digits", Some(sum_of_digits(&digit_squares(&tally.lehmer, tally))));
    push(5, "descents", Some(mean_score(tally, Score::Descents)));
    push(6, "rising sequences", Some(mean_score(tally, Score::RisingSequences)));
    // Cards that the shuffle left in place are test 16 of the orders as dealt: count them once.
    push(
        7,
        "fixed points",
        (family == Family::Dealt).then(|| mean_score(tally, Score::FixedPoints)),
    );
    push(8, "cycles", Some(mean_score(tally, Score::Cycles)));
    push(9, "inversions", Some(mean_score(tally, Score::Inversions)));
    push(10, "neighbours kept", Some(mean_score(tally, Score::NeighboursKept)));
    push(11, "neighbours reversed", Some(mean_score(tally, Score::NeighboursReversed)));
    push(12, "first two cards", first_cards(tally, &tally.first_two, 2));
    push(13, "first three cards", first_cards(tally, &tally.first_three, 3));
    push(14, "guess next up", Some(mean_score(tally, Score::GuessUp)));
    push(15, "guess next down", Some(mean_score(tally, Score::GuessDown)));
    push(16, "matches with shuffle before", matches(tally));
    push(17, "parity", Some(mean_score(tally, Score::Odd)));
    push(18, "duplicate orders", Some(duplicate_orders(&mut tally.prints, tally.cards)));
    push(19, "birthday spacings", Some(birthday_spacings(&mut tally.ranks)));
    verdicts
}

/// A statistic with its null.
pub(crate) struct Answer {
    pub(crate) seen: f64,
    pub(crate) expected: f64,
    pub(crate) tail: Tail,
    pub(crate) smooth: bool,
}

pub(crate) fn chi_square(seen: f64, degrees: f64) -> Answer {
    Answer { seen, expected: degrees, tail: tail::chi_square(seen, degrees), smooth: true }
}

/// A sum of `trials` independent values against its normal law, shown as a mean.
pub(crate) fn mean(sum: f64, trials: f64, (mean, variance): (f64, f64)) -> Answer {
    let z = (sum - trials * mean) / (trials * variance).sqrt();
    Answer { seen: sum / trials, expected: mean, tail: tail::normal(z), smooth: true }
}

fn mean_score(tally: &Tally, score: Score) -> Answer {
    mean(tally.sums[score as usize] as f64, tally.orders as f64, null::moments(score, tally.cards))
}

fn matches(tally: &Tally) -> Option<Answer> {
    (tally.pairs > 0).then(|| mean(tally.matches as f64, tally.pairs as f64, (1.0, 1.0)))
}

fn squares(counts: &[u32], expected: f64) -> f64 {
    counts.iter().map(|&seen| (f64::from(seen) - expected).powi(2)).sum::<f64>() / expected
}

fn position_by_card(tally: &Tally) -> Answer {
    let n = tally.cards as f64;
    // Rows and columns both have fixed sums, hence the factor and the degrees.
    chi_square(squares(&tally.matrix, tally.orders as f64 / n) * (n - 1.0) / n, (n - 1.0).powi(2))
}

/// Chi-square of each digit with at least two values, beside its degrees.
fn digit_squares(cells: &[u32], tally: &Tally) -> Vec<(f64, f64)> {
    (1..tally.cards)
        .map(|row| {
            let values = row + 1;
            let counts = &cells[triangle(row)..triangle(row) + values];
            (squares(counts, tally.orders as f64 / values as f64), row as f64)
        })
        .collect()
}

fn sum_of_digits(digits: &[(f64, f64)]) -> Answer {
    let (seen, degrees) =
        digits.iter().fold((0.0, 0.0), |(x, df), digit| (x + digit.0, df + digit.1));
    chi_square(seen, degrees)
}

fn worst_digit(digits: &[(f64, f64)], tally: &Tally) -> Option<Answer> {
    if (tally.orders as f64) < CELL * tally.cards as f64 {
        return None;
    }
    let worst =
        digits.iter().map(|&(x, degrees)| tail::chi_square(x, degrees).upper).fold(0.0, f64::min);
    let upper = tail::worst_of(worst, digits.len() as f64);
    let lower = (-upper.exp_m1()).ln();
    let expected = digits.len() as f64;
    Some(Answer {
        seen: -worst / std::f64::consts::LN_10,
        expected: expected.log10(),
        tail: Tail { upper, lower },
        smooth: true,
    })
}

/// Chi-square of the first `dealt` faces; copies of a card in a shoe are alike.
fn first_cards(tally: &Tally, cells: &[u32], dealt: u32) -> Option<Answer> {
    let faces = faces(tally.cards);
    let copies = tally.cards / faces;
    let orders = tally.orders as f64;
    if cells.is_empty() || orders < CELL * (faces as f64).powi(dealt as i32) {
        return None;
    }
    let (mut seen, mut used) = (0.0, 0.0);
    for (cell, &count) in cells.iter().enumerate() {
        let chance = first_chance(cell, faces, copies, dealt);
        if chance > 0.0 {
            let expected = orders * chance;
            seen += (f64::from(count) - expected).powi(2) / expected;
            used += 1.0;
        } else if count > 0 {
            seen = f64::INFINITY;
        }
    }
    Some(chi_square(seen, used - 1.0))
}

fn first_chance(cell: usize, faces: usize, copies: usize, dealt: u32) -> f64 {
    let face = |turn: u32| cell / faces.pow(dealt - 1 - turn) % faces;
    let mut chance = 1.0;
    for turn in 0..dealt {
        let gone = (0..turn).filter(|&earlier| face(earlier) == face(turn)).count();
        let left = copies.saturating_sub(gone);
        chance *= left as f64 / (faces * copies - turn as usize) as f64;
    }
    chance
}

pub(crate) fn duplicate_orders(prints: &mut [u128], cards: usize) -> Answer {
    let kinds = (2..=cards).map(|k| k as f64).product::<f64>().min(2f64.powi(128));
    let orders = prints.len() as f64;
    let expected = orders * (orders - 1.0) / 2.0 / kinds;
    let seen = duplicates(prints);
    Answer {
        seen: seen as f64,
        expected,
        tail: tail::poisson(seen, expected).only_upper(),
        smooth: false,
    }
}

fn birthday_spacings(ranks: &mut [u64]) -> Answer {
    let (seen, expected) = equal_spacings(ranks);
    Answer { seen: seen as f64, expected, tail: tail::poisson(seen, expected), smooth: false }
}
