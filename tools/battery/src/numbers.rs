//! The tests of draws from 1 to n: frequency, pairs, gaps, runs, and repeats.
//!
//! They are the tests the regulations name for a number generator, with their exact laws.

use crate::order_tests::{Answer, chi_square, duplicate_orders, mean};
use crate::outcome::{Family, Outcome};
use xxhash_rust::xxh3::xxh3_128;

/// Numbers in one passage of the repeat test: about 180 bits for seven sides.
const PASSAGE: usize = 64;

/// Numbers in one poker hand.
const HAND: usize = 5;

/// Longest gap or coupon length with a cell of its own.
const CELLS: usize = 128;

/// What many draws have shown.
#[derive(Debug, Clone)]
pub struct NumberTally {
    /// Sides of the draw.
    pub sides: usize,
    /// Numbers drawn.
    pub drawn: u64,
    /// How often each came.
    pub counts: Vec<u64>,
    /// Pairs that do not overlap, `[first * sides + second]`.
    pub pairs: Vec<u64>,
    neighbours: u64,
    equal_neighbours: u64,
    products: [f64; 3],
    product_terms: [u64; 3],
    gaps: Vec<u64>,
    coupons: Vec<u64>,
    rises: Vec<u64>,
    hands: Vec<u64>,
    prints: Vec<u128>,
}

impl NumberTally {
    /// An empty tally.
    pub fn new(sides: usize) -> Self {
        Self {
            sides,
            drawn: 0,
            counts: vec![0; sides],
            pairs: vec![0; sides * sides],
            neighbours: 0,
            equal_neighbours: 0,
            products: [0.0; 3],
            product_terms: [0; 3],
            gaps: vec![0; CELLS],
            coupons: vec![0; CELLS],
            rises: vec![0; sides + 1],
            hands: vec![0; HAND + 1],
            prints: Vec::new(),
        }
    }

    /// Counts one stream of numbers from 1 to n.
    pub fn count(&mut self, stream: u64, numbers: &[u16]) {
        let zero_based: Vec<usize> =
            numbers.iter().map(|&number| usize::from(number) - 1).collect();
        self.drawn += zero_based.len() as u64;
        for &value in &zero_based {
            self.counts[value] += 1;
        }
        for pair in zero_based.chunks_exact(2) {
            self.pairs[pair[0] * self.sides + pair[1]] += 1;
        }
        self.neighbours += zero_based.len().saturating_sub(1) as u64;
        self.equal_neighbours +=
            zero_based.windows(2).filter(|pair| pair[0] == pair[1]).count() as u64;
        let middle = (self.sides as f64 - 1.0) / 2.0;
        for lag in 1..=3 {
            for (a, b) in zero_based.iter().zip(zero_based.iter().skip(lag)) {
                self.products[lag - 1] += (*a as f64 - middle) * (*b as f64 - middle);
                self.product_terms[lag - 1] += 1;
            }
        }
        self.count_gaps(&zero_based, stream as usize % self.sides);
        self.count_coupons(&zero_based);
        self.count_rises(&zero_based);
        for hand in zero_based.chunks_exact(HAND) {
            let distinct = hand.iter().fold(0u64, |set, &value| set | 1 << value).count_ones();
            self.hands[distinct as usize] += 1;
        }
        for passage in numbers.chunks_exact(PASSAGE) {
            let bytes: Vec<u8> = passage.iter().flat_map(|number| number.to_le_bytes()).collect();
            self.prints.push(xxh3_128(&bytes));
        }
    }

    /// Draws between two appearances of `marked`.
    fn count_gaps(&mut self, values: &[usize], marked: usize) {
        let mut since = None;
        for &value in values {
            if value == marked {
                if let Some(gap) = since {
                    self.gaps[usize::min(gap, CELLS - 1)] += 1;
                }
                since = Some(0);
            } else {
                since = since.map(|gap| gap + 1);
            }
        }
    }

    /// Draws until every number has come.
    fn count_coupons(&mut self, values: &[usize]) {
        let all = if self.sides == 64 { u64::MAX } else { (1 << self.sides) - 1 };
        let (mut seen, mut length) = (0u64, 0);
        for &value in values {
            seen |= 1 << value;
            length += 1;
            if seen == all {
                self.coupons[usize::min(length, CELLS - 1)] += 1;
                (seen, length) = (0, 0);
            }
        }
    }

    /// Strict rises; the number that ends one is dropped, which makes them independent.
    fn count_rises(&mut self, values: &[usize]) {
        let (mut length, mut before) = (0, 0);
        for &value in values {
            if length == 0 || value > before {
                length += 1;
                before = value;
            } else {
                self.rises[length] += 1;
                length = 0;
            }
        }
    }

    /// Both tallies together.
    pub fn join(mut self, other: Self) -> Self {
        self.drawn += other.drawn;
        self.neighbours += other.neighbours;
        self.equal_neighbours += other.equal_neighbours;
        for lag in 0..3 {
            self.products[lag] += other.products[lag];
            self.product_terms[lag] += other.product_terms[lag];
        }
        let mine = [
            &mut self.counts,
            &mut self.pairs,
            &mut self.gaps,
            &mut self.coupons,
            &mut self.rises,
            &mut self.hands,
        ];
        let theirs =
            [&other.counts, &other.pairs, &other.gaps, &other.coupons, &other.rises, &other.hands];
        for (cells, more) in mine.into_iter().zip(theirs) {
            cells.iter_mut().zip(more).for_each(|(cell, more)| *cell += more);
        }
        self.prints.extend(other.prints);
        self
    }

    /// All tests of the numbers.
    pub fn judge(&mut self) -> Vec<Outcome> {
        let sides = self.sides as f64;
        let spread = (sides * sides - 1.0) / 12.0;
        let lag = |lag: usize| {
            mean(self.products[lag], self.product_terms[lag] as f64, (0.0, spread * spread))
        };
        let chance = 1.0 / sides;
        let answers = [
            (1, "frequency of numbers", fit(&self.counts, |_| chance)),
            (2, "pairs uniform", fit(&self.pairs, |_| chance * chance)),
            (3, "pairs independent", independence(&self.pairs, self.sides)),
            (
                4,
                "same number again",
                mean(
                    self.equal_neighbours as f64,
                    self.neighbours as f64,
                    (chance, chance * (1.0 - chance)),
                ),
            ),
            (5, "serial correlation, lag 1", lag(0)),
            (6, "serial correlation, lag 2", lag(1)),
            (7, "serial correlation, lag 3", lag(2)),
            (8, "gaps", fit(&self.gaps, |gap| gap_chance(gap, chance))),
            (9, "coupon collector", fit(&self.coupons, |length| coupon_chance(length, self.sides))),
            (10, "rises", fit(&self.rises, |length| rise_chance(length, self.sides))),
            (11, "poker hands", fit(&self.hands, |distinct| hand_chance(distinct, self.sides))),
            (12, "repeated passages", duplicate_orders(&mut self.prints, PASSAGE)),
        ];
        answers
            .into_iter()
            .map(|(number, name, Answer { seen, expected, tail, smooth })| Outcome {
                number,
                name,
                family: Family::Numbers,
                size: self.sides,
                seen,
                expected,
                tail,
                smooth,
            })
            .collect()
    }
}

/// Chi-square of `counts` against `chance`; cells too thin are pooled with their neighbours.
fn fit(counts: &[u64], chance: impl Fn(usize) -> f64) -> Answer {
    let total = counts.iter().sum::<u64>() as f64;
    let mut cells: Vec<(f64, f64)> = Vec::new();
    let mut pool = (0.0, 0.0);
    for (index, &count) in counts.iter().enumerate() {
        pool = (pool.0 + count as f64, pool.1 + total * chance(index));
        if pool.1 >= 5.0 {
            cells.push(pool);
            pool = (0.0, 0.0);
        }
    }
    if let Some(last) = cells.last_mut() {
        *last = (last.0 + pool.0, last.1 + pool.1);
    }
    let seen = cells.iter().map(|(count, expected)| (count - expected).powi(2) / expected).sum();
    chi_square(seen, cells.len() as f64 - 1.0)
}

fn independence(pairs: &[u64], sides: usize) -> Answer {
    let total = pairs.iter().sum::<u64>() as f64;
    let first = |a: usize| (0..sides).map(|b| pairs[a * sides + b]).sum::<u64>() as f64;
    let second = |b: usize| (0..sides).map(|a| pairs[a * sides + b]).sum::<u64>() as f64;
    let seconds: Vec<f64> = (0..sides).map(second).collect();
    let mut seen = 0.0;
    for a in 0..sides {
        let row = first(a);
        for (b, column) in seconds.iter().enumerate() {
            let expected = row * column / total;
            seen += (pairs[a * sides + b] as f64 - expected).powi(2) / expected;
        }
    }
    chi_square(seen, (sides as f64 - 1.0).powi(2))
}

/// The last cell holds everything longer.
fn gap_chance(gap: usize, chance: f64) -> f64 {
    let still = (1.0 - chance).powi(gap as i32);
    if gap == CELLS - 1 { still } else { still * chance }
}

/// Chance that the set is complete within `length` draws, by inclusion and exclusion.
fn complete_within(length: usize, sides: usize) -> f64 {
    let mut sum = 0.0;
    let mut choose = 1.0;
    for missing in 0..=sides {
        let share = (sides - missing) as f64 / sides as f64;
        sum +=
            if missing.is_multiple_of(2) { 1.0 } else { -1.0 } * choose * share.powi(length as i32);
        choose *= (sides - missing) as f64 / (missing + 1) as f64;
    }
    sum
}

fn coupon_chance(length: usize, sides: usize) -> f64 {
    if length < sides {
        return 0.0;
    }
    let before = complete_within(length - 1, sides);
    if length == CELLS - 1 { 1.0 - before } else { complete_within(length, sides) - before }
}

fn rise_chance(length: usize, sides: usize) -> f64 {
    let at_least = |k: usize| {
        (0..k).fold(1.0, |c, i| c * sides.saturating_sub(i) as f64 / (i + 1) as f64 / sides as f64)
    };
    if length == 0 { 0.0 } else { at_least(length) - at_least(length + 1) }
}

/// Chance of `distinct` different numbers in one hand: a walk over the hand.
fn hand_chance(distinct: usize, sides: usize) -> f64 {
    let mut chances = vec![1.0];
    for _ in 0..HAND {
        let mut next = vec![0.0; chances.len() + 1];
        for (have, chance) in chances.iter().enumerate() {
            let old = have as f64 / sides as f64;
            next[have] += chance * old;
            next[have + 1] += chance * (1.0 - old).max(0.0);
        }
        chances = next;
    }
    chances[distinct]
}

#[cfg(test)]
mod tests {
    use super::*;

    // PG-05: the laws of the named tests are complete and have the known values.
    #[test]
    fn chances_of_every_number_test_add_up_to_one() {
        let sum = |cells: usize, chance: &dyn Fn(usize) -> f64| (0..cells).map(chance).sum::<f64>();
        assert!((sum(CELLS, &|gap| gap_chance(gap, 1.0 / 7.0)) - 1.0).abs() < 1e-12);
        assert!((sum(CELLS, &|length| coupon_chance(length, 7)) - 1.0).abs() < 1e-12);
        assert!((sum(8, &|length| rise_chance(length, 7)) - 1.0).abs() < 1e-12);
        assert!((sum(HAND + 1, &|distinct| hand_chance(distinct, 7)) - 1.0).abs() < 1e-12);
        assert!((hand_chance(1, 7) - 7f64.powi(-4)).abs() < 1e-12);
        assert!((coupon_chance(7, 7) - 5040.0 / 7f64.powi(7)).abs() < 1e-12);
    }

    #[test]
    fn rises_of_all_triples_follow_the_law() {
        let mut tally = NumberTally::new(7);
        for code in 0..343 {
            tally.count_rises(&[code / 49, code / 7 % 7, code % 7, 0, 0]);
        }
        let at_least_three = tally.rises[3..].iter().sum::<u64>() as f64;
        assert!((at_least_three / 343.0 - 35.0 / 343.0).abs() < 1e-12);
    }
}
