//! Means and variances of every score when all orders are equally likely: exact.
//!
//! The unit tests below walk through all orders of four to six cards and find the same
//! values; a test whose null is only nearly right would raise alarms by itself.

use crate::reading::Score;

/// The mean and variance of `score` over all orders of `cards` cards.
pub fn moments(score: Score, cards: usize) -> (f64, f64) {
    let n = cards as f64;
    match score {
        Score::Descents | Score::RisingSequences => ((n - 1.0) / 2.0, (n + 1.0) / 12.0),
        Score::FixedPoints => (1.0, 1.0),
        // Cycles, and hits of any player who always names a card still out, are sums of
        // independent coins with chances 1, 1/2, ... 1/n.
        Score::Cycles | Score::GuessUp | Score::GuessDown => (1..=cards)
            .map(|k| 1.0 / k as f64)
            .fold((0.0, 0.0), |(m, v), p| (m + p, v + p * (1.0 - p))),
        Score::Inversions => (n * (n - 1.0) / 4.0, n * (n - 1.0) * (2.0 * n + 5.0) / 72.0),
        Score::NeighboursKept | Score::NeighboursReversed => {
            let mean = (n - 1.0) / n;
            (mean, (n - 2.0) / n + mean - mean * mean)
        }
        Score::Odd => (0.5, 0.25),
    }
}

/// The chances of 0, 1, ... right guesses in an order of `cards` cards.
pub fn guess_chances(cards: usize) -> Vec<f64> {
    (1..=cards).fold(vec![1.0], |chances, k| {
        let hit = 1.0 / k as f64;
        let mut next = vec![0.0; chances.len() + 1];
        for (score, chance) in chances.iter().enumerate() {
            next[score] += chance * (1.0 - hit);
            next[score + 1] += chance * hit;
        }
        next
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::Reading;

    /// Calls `visit` with every order of `cards` cards (Heap's method).
    fn all_orders(cards: usize, mut visit: impl FnMut(&[u16])) {
        fn heap(k: usize, order: &mut [u16], visit: &mut impl FnMut(&[u16])) {
            if k <= 1 {
                return visit(order);
            }
            for i in 0..k {
                heap(k - 1, order, visit);
                order.swap(if k.is_multiple_of(2) { i } else { 0 }, k - 1);
            }
        }
        let mut order: Vec<u16> = (0..cards as u16).collect();
        heap(cards, &mut order, &mut visit);
    }

    const ALL: [Score; 10] = [
        Score::Descents,
        Score::RisingSequences,
        Score::FixedPoints,
        Score::Cycles,
        Score::Inversions,
        Score::NeighboursKept,
        Score::NeighboursReversed,
        Score::GuessUp,
        Score::GuessDown,
        Score::Odd,
    ];

    // PG-03, PG-05: the nulls the battery judges by are exact.
    #[test]
    fn mean_and_variance_of_every_score_are_those_of_all_orders() {
        for cards in 3..=7 {
            let mut reading = Reading::new(cards);
            let mut sums = [(0.0, 0.0); 10];
            let mut orders = 0.0;
            all_orders(cards, |order| {
                reading.read(order);
                orders += 1.0;
                for (sum, score) in sums.iter_mut().zip(ALL) {
                    let x = f64::from(reading.score(score));
                    *sum = (sum.0 + x, sum.1 + x * x);
                }
            });
            for (sum, score) in sums.iter().zip(ALL) {
                let mean = sum.0 / orders;
                let variance = sum.1 / orders - mean * mean;
                let (null_mean, null_variance) = moments(score, cards);
                assert!(
                    (mean - null_mean).abs() < 1e-9,
                    "{score:?} at {cards}: mean {mean} {null_mean}"
                );
                assert!(
                    (variance - null_variance).abs() < 1e-9,
                    "{score:?} at {cards}: {variance} {null_variance}"
                );
            }
        }
    }

    #[test]
    fn guess_scores_of_both_players_follow_the_exact_chances() {
        for cards in 4..=6 {
            let mut reading = Reading::new(cards);
            let mut seen = [vec![0.0; cards + 1], vec![0.0; cards + 1]];
            let mut orders = 0.0;
            all_orders(cards, |order| {
                reading.read(order);
                orders += 1.0;
                seen[0][reading.score(Score::GuessUp) as usize] += 1.0;
                seen[1][reading.score(Score::GuessDown) as usize] += 1.0;
            });
            for (score, chance) in guess_chances(cards).into_iter().enumerate() {
                assert!((seen[0][score] / orders - chance).abs() < 1e-12);
                assert!((seen[1][score] / orders - chance).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn swap_digits_lehmer_digits_and_ranks_count_every_order_once() {
        for cards in 4..=6 {
            let mut reading = Reading::new(cards);
            let mut swaps = std::collections::HashSet::new();
            let mut lehmer = std::collections::HashSet::new();
            let mut ranks = Vec::new();
            all_orders(cards, |order| {
                reading.read(order);
                for (last, &slot) in reading.swaps.iter().enumerate() {
                    assert!(usize::from(slot) <= last);
                }
                for (place, &lower) in reading.lehmer.iter().enumerate() {
                    assert!(usize::from(lower) < cards - place);
                }
                swaps.insert(reading.swaps.clone());
                lehmer.insert(reading.lehmer.clone());
                ranks.push((order.to_vec(), reading.rank_bits()));
            });
            assert_eq!(swaps.len(), ranks.len());
            assert_eq!(lehmer.len(), ranks.len());
            ranks.sort();
            let step = (1u128 << 64) / ranks.len() as u128;
            for (index, (_, bits)) in ranks.iter().enumerate() {
                assert!((u128::from(*bits)).abs_diff(index as u128 * step) < 1 << 20);
            }
        }
    }

    #[test]
    fn shoe_of_416_reads_the_same_as_the_plain_definitions() {
        let cards = 416;
        let mut order = vec![0; cards];
        let mut rng = crate::ideal::generator(7, 0);
        let mut reading = Reading::new(cards);
        for _ in 0..20 {
            crate::ideal::fisher_yates(&mut order, |n| crate::ideal::below(&mut rng, n));
            reading.read(&order);
            let mut out: Vec<u16> = (0..cards as u16).collect();
            let (mut guess, mut hits, mut inversions) = (0, 0, 0);
            for &card in &order {
                hits += u32::from(out[guess % out.len()] == card);
                guess = out.binary_search(&card).unwrap();
                inversions += guess as u32;
                out.remove(guess);
                if out.is_empty() {
                    break;
                }
            }
            assert_eq!(reading.score(Score::GuessUp), hits);
            assert_eq!(reading.score(Score::Inversions), inversions);
        }
    }
}
