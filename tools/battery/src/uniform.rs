//! Whether p-values are uniform over many ideal runs: the alarm rate, by count.
//!
//! The decision rule promises one false alarm in a million runs. That holds only if each
//! test's p-values are uniform, which is shown here with a Kolmogorov-Smirnov distance.

use crate::ideal::{Ideal, Seed};
use crate::numbers::NumberTally;
use crate::outcome::{Family, Outcome};
use crate::run::{Size, count_orders};
use crate::supply::Supply;
use crate::tail;
use anyhow::Result;
use indicatif::ProgressBar;
use rayon::prelude::*;

/// Below this a test's p-values are not uniform.
pub const LIMIT: f64 = 1e-4;

/// One test's p-values over all runs.
#[derive(Debug, Clone)]
pub struct Spread {
    /// The test.
    pub name: &'static str,
    /// What it looked at.
    pub family: Family,
    /// Upper-tail p-values, sorted.
    pub p_values: Vec<f64>,
    /// Whether the test's statistic is smooth enough to compare with the uniform law.
    pub smooth: bool,
}

impl Spread {
    /// The Kolmogorov-Smirnov distance from uniform and the chance of one as large.
    pub fn distance(&self) -> (f64, f64) {
        let n = self.p_values.len() as f64;
        let distance = self.p_values.iter().enumerate().fold(0.0, |d: f64, (i, &p)| {
            let i = i as f64;
            d.max((i + 1.0) / n - p).max(p - i / n)
        });
        (distance, kolmogorov(distance * (n.sqrt() + 0.12 + 0.11 / n.sqrt())))
    }

    /// Fisher's sum over all runs: the tail of -2 sum ln p against chi-square.
    pub fn fisher(&self) -> f64 {
        let sum = -2.0 * self.p_values.iter().map(|p| p.max(1e-300).ln()).sum::<f64>();
        tail::chi_square(sum, 2.0 * self.p_values.len() as f64).two_sided().exp()
    }
}

/// Kolmogorov's law: the chance of a scaled distance above `x`.
fn kolmogorov(x: f64) -> f64 {
    if x < 0.2 {
        return 1.0;
    }
    let sum: f64 = (1..=100)
        .map(f64::from)
        .map(|k| (-1f64).powf(k - 1.0) * (-2.0 * k * k * x * x).exp())
        .sum();
    (2.0 * sum).clamp(0.0, 1.0)
}

/// Runs `runs` ideal runs of `orders` orders of `cards` cards and of as many numbers.
pub fn survey(
    seed: Seed,
    runs: u64,
    cards: usize,
    orders: u64,
    progress: &ProgressBar,
) -> Result<Vec<Spread>> {
    let all: Vec<Vec<Outcome>> = (0..runs)
        .into_par_iter()
        .map(|run| {
            let size = Size { cards, count: orders, first_stream: run << 24 };
            let mut outcomes = count_orders(&Ideal(seed), size, &ProgressBar::hidden())?.judge();
            let mut numbers = vec![0; orders as usize * 8];
            Ideal(seed).draw(1 << 50 | run, 7, &mut numbers)?;
            let mut tally = NumberTally::new(7);
            tally.count(run, &numbers);
            outcomes.extend(tally.judge());
            progress.inc(1);
            Ok(outcomes)
        })
        .collect::<Result<_>>()?;
    let tests = all.first().map_or(0, Vec::len);
    Ok((0..tests).map(|test| spread(&all, test)).collect())
}

fn spread(runs: &[Vec<Outcome>], test: usize) -> Spread {
    let first = &runs[0][test];
    let mut p_values: Vec<f64> = runs.iter().map(|run| run[test].tail.upper.exp()).collect();
    p_values.sort_unstable_by(f64::total_cmp);
    Spread { name: first.name, family: first.family, p_values, smooth: first.smooth }
}
