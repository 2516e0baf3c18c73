//! Things that happen twice: equal orders, and equal gaps between ranks.

use rayon::prelude::*;

/// Equal gaps a good run of birthday spacings should show, at least: enough for both tails.
const SPACINGS_WANTED: f64 = 8.0;

/// How many of `prints` repeat an earlier one; sorts them.
pub fn duplicates(prints: &mut [u128]) -> u64 {
    prints.par_sort_unstable();
    prints.windows(2).filter(|pair| pair[0] == pair[1]).count() as u64
}

/// Equal gaps between sorted ranks, and how many a Poisson law expects (Marsaglia's
/// birthday spacings). The year is as long as gives a handful of them, so that the test
/// looks at more bits of the rank as the run grows.
pub fn equal_spacings(ranks: &mut [u64]) -> (u64, f64) {
    let people = ranks.len() as f64;
    let year_bits = ((people.powi(3) / 4.0 / SPACINGS_WANTED).log2().floor() as i32).clamp(8, 64);
    let expected = people.powi(3) / 4.0 / 2f64.powi(year_bits);
    for rank in ranks.iter_mut() {
        *rank >>= 64 - year_bits;
    }
    ranks.par_sort_unstable();
    let mut gaps: Vec<u64> = ranks.windows(2).map(|pair| pair[1] - pair[0]).collect();
    gaps.par_sort_unstable();
    let equal = gaps.windows(2).filter(|pair| pair[0] == pair[1]).count() as u64;
    (equal, expected)
}
