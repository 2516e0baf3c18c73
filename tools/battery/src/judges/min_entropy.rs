//! Four of the min-entropy estimators of SP 800-90B 6.3, for binary samples.
//!
//! NIST's program runs all ten, but Debian packages it only from release 13 on, and the
//! crates that speak of it have heuristics in its place. These four are a few lines each
//! and see what a broken source shows first: bias, early repeats, dependence on the bit
//! before, and a small dictionary. They are no assessment in the standard's sense; that
//! takes all ten, on raw samples of silicon.

use super::{Opinion, Ruling};
use anyhow::Result;
use std::fs;
use std::path::Path;

/// Bytes looked at: a million bits, as the standard asks for.
const BYTES: usize = 125_000;
/// Least bits of min-entropy a bit. The bounds are conservative: fair bits score about 0.83.
const LEAST: f64 = 0.75;

/// Asks the four about the first million bits.
pub(super) fn ask(raw: &Path, folder: &Path) -> Result<Opinion> {
    let judge = "SP 800-90B, four estimators".to_string();
    let bytes = fs::read(raw)?;
    let Some(bytes) = bytes.get(..BYTES) else {
        let words = format!("too little data: collect at least {BYTES} raw bytes");
        return Ok(Opinion { judge, ruling: Ruling::Absent, words });
    };
    let found = Estimates::of(bytes);
    fs::write(folder.join("min-entropy.txt"), format!("{found:#?}\n"))?;
    let ruling = if found.least() < LEAST { Ruling::Fail } else { Ruling::Pass };
    let words = format!(
        "bits of min-entropy a bit: most common value {:.3}, collision {:.3}, Markov {:.3}, compression {:.3}",
        found.most_common, found.collision, found.markov, found.compression
    );
    Ok(Opinion { judge, ruling, words })
}

/// Quantile of the normal law for the standard's bounds: 99 % from both sides.
const Z: f64 = 2.576;

/// Bits of min-entropy per bit, by each estimator.
#[derive(Debug, Clone, Copy)]
pub(super) struct Estimates {
    /// 6.3.1, most common value.
    pub(super) most_common: f64,
    /// 6.3.2, collision.
    pub(super) collision: f64,
    /// 6.3.3, Markov.
    pub(super) markov: f64,
    /// 6.3.4, compression.
    pub(super) compression: f64,
}

impl Estimates {
    /// All four over the bits of `bytes`, the highest of a byte first. Wants 1000 bytes or more.
    pub(super) fn of(bytes: &[u8]) -> Self {
        let bits: Vec<u8> =
            bytes.iter().flat_map(|byte| (0..8).rev().map(move |at| byte >> at & 1)).collect();
        Self {
            most_common: most_common(&bits),
            collision: collision(&bits),
            markov: markov(&bits),
            compression: compression(&bits),
        }
    }

    /// The smallest, which is what counts.
    pub(super) fn least(&self) -> f64 {
        self.most_common.min(self.collision).min(self.markov).min(self.compression)
    }
}

fn entropy_of(p: f64) -> f64 {
    (-p.log2()).clamp(0.0, 1.0)
}

fn most_common(bits: &[u8]) -> f64 {
    let count = bits.len() as f64;
    let ones = bits.iter().filter(|bit| **bit == 1).count() as f64;
    let p = ones.max(count - ones) / count;
    entropy_of((p + Z * (p * (1.0 - p) / (count - 1.0)).sqrt()).min(1.0))
}

/// Of two values, the second or the third sample repeats one: the mean wait is 2 + 2pq.
fn collision(bits: &[u8]) -> f64 {
    let (mut at, mut waits, mut threes) = (0, 0.0, 0.0);
    while let [a, b, ..] = bits[at..] {
        let wait = if a == b { 2 } else { 3 };
        if at + wait > bits.len() {
            break;
        }
        at += wait;
        waits += 1.0;
        threes += (wait - 2) as f64;
    }
    let share: f64 = threes / waits;
    let deviation = (share * (1.0 - share) * waits / (waits - 1.0)).sqrt();
    let mean = 2.0 + share - Z * deviation / waits.sqrt();
    entropy_of(0.5 + (1.25 - 0.5 * mean).max(0.0).sqrt())
}

/// The likeliest 128 bits of a chain with the seen transitions; one of six shapes is it.
fn markov(bits: &[u8]) -> f64 {
    let mut from = [[0.0f64; 2]; 2];
    for pair in bits.windows(2) {
        from[usize::from(pair[0])][usize::from(pair[1])] += 1.0;
    }
    let ones = bits.iter().filter(|bit| **bit == 1).count() as f64 / bits.len() as f64;
    let start = [(1.0 - ones).log2(), ones.log2()];
    // Logarithms: what never happens is minus infinity, and what cannot begin is no number.
    let step = |a: usize, b: usize| (from[a][b] / (from[a][0] + from[a][1])).log2();
    let likeliest = [0, 1]
        .into_iter()
        .flat_map(|a| {
            let b = 1 - a;
            [
                start[a] + 127.0 * step(a, a),
                start[a] + 64.0 * step(a, b) + 63.0 * step(b, a),
                start[a] + step(a, b) + 126.0 * step(b, b),
            ]
        })
        .filter(|log| !log.is_nan())
        .fold(f64::NEG_INFINITY, f64::max);
    (-likeliest / 128.0).clamp(0.0, 1.0)
}

/// Bits in a word of the dictionary, and the words that fill it first.
const WORD: usize = 6;
const FIRST: usize = 1000;

/// How long ago each word of six bits was last seen, as Maurer's test does.
fn compression(bits: &[u8]) -> f64 {
    let mut last = [0; 1 << WORD];
    let (mut sum, mut squares, mut count) = (0.0, 0.0, 0.0);
    let words = bits.chunks_exact(WORD);
    let length = words.len();
    for (at, word) in (1..).zip(words) {
        let word = word.iter().fold(0, |word, bit| word << 1 | usize::from(*bit));
        if at > FIRST {
            let ago = ((at - last[word]) as f64).log2();
            sum += ago;
            squares += ago * ago;
            count += 1.0;
        }
        last[word] = at;
    }
    let mean: f64 = sum / count;
    let deviation = 0.5907 * (squares / (count - 1.0) - mean * mean).max(0.0).sqrt();
    let bound = mean - Z * deviation / count.sqrt();
    let others = ((1 << WORD) - 1) as f64;
    let expected = |p: f64| log_wait(p, length) + others * log_wait((1.0 - p) / others, length);
    // The wait falls as one word grows likelier; equal words wait longest.
    let (mut low, mut high) = (1.0 / (others + 1.0), 1.0);
    if expected(low) <= bound {
        return 1.0;
    }
    for _ in 0..40 {
        let middle = (low + high) / 2.0;
        if expected(middle) > bound { low = middle } else { high = middle }
    }
    (-low.log2() / WORD as f64).clamp(0.0, 1.0)
}

/// The standard's G: a word's part in the mean logarithm of the wait, if its chance is `p`.
fn log_wait(p: f64, length: usize) -> f64 {
    let (mut within, mut all, mut missed) = (0.0, 0.0, 1.0);
    for at in 1..=length {
        let wait = (at as f64).log2();
        if at > FIRST {
            all += within + wait * p * missed;
        }
        within += wait * p * p * missed;
        missed *= 1.0 - p;
    }
    all / (length - FIRST) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use chacha20::ChaCha8Rng;
    use rand_core::{Rng, SeedableRng};

    /// Bits that are one with `chance` of 256.
    fn biased(chance: u32) -> Vec<u8> {
        let mut dice = ChaCha8Rng::seed_from_u64(90);
        let mut bit = || u8::from(dice.next_u32() >> 24 < chance);
        (0..125_000).map(|_| (0..8).fold(0, |byte, _| byte << 1 | bit())).collect()
    }

    #[test]
    fn fair_bits_score_high_by_every_estimator() {
        let fair = Estimates::of(&biased(128));
        assert!(fair.most_common > 0.99 && fair.markov > 0.99, "{fair:?}");
        assert!(fair.least() > LEAST, "{fair:?}");
    }

    #[test]
    fn bias_is_seen_for_what_it_is_worth_by_every_estimator() {
        let worth = -0.75f64.log2();
        let seen = Estimates::of(&biased(192));
        assert!((seen.most_common - worth).abs() < 0.01, "{seen:?}");
        assert!((seen.collision - worth).abs() < 0.02, "{seen:?}");
        assert!((seen.markov - worth).abs() < 0.01, "{seen:?}");
        assert!(seen.compression < 0.5, "{seen:?}");
    }

    #[test]
    fn alternating_bits_have_no_entropy_though_half_are_ones() {
        let seen = Estimates::of(&[0b0101_0101; 125_000]);
        assert!(seen.most_common > 0.99, "{seen:?}");
        assert!(seen.markov < 0.01 && seen.compression < 0.01, "{seen:?}");
    }

    #[test]
    fn stuck_bits_have_none_by_any_estimator() {
        let seen = Estimates::of(&[0xFF; 125_000]);
        assert!(seen.most_common < 0.01 && seen.collision < 0.01, "{seen:?}");
        assert!(seen.markov < 0.01 && seen.compression < 0.01, "{seen:?}");
    }
}
