//! The health tests against plain bit-by-bit ones, and against a good source.

use std::collections::VecDeque;

use crate::mock::{biased, healthy};
use croupier::entropy::Cause;
use croupier::entropy::health::{Health, Verdict};

/// Each test written as its definition reads, bit by bit and with memory to spare.
struct Plain {
    bits: Vec<bool>,
    words: Vec<u32>,
    equal: u32,
    alternating: u32,
    lanes: [u32; 32],
}

impl Plain {
    fn new() -> Self {
        // By convention a zero word came first: one bit of it for the runs, a word for the lanes.
        Self { bits: vec![], words: vec![0], equal: 1, alternating: 1, lanes: [1; 32] }
    }

    fn judge(&mut self, word: u32) -> Result<(), Cause> {
        let runs = self.runs(word);
        let last = *self.words.last().expect("a zero word came first");
        for (line, run) in self.lanes.iter_mut().enumerate() {
            *run = if (word ^ last) >> line & 1 == 0 { *run + 1 } else { 1 };
        }
        self.words.push(word);
        let read = &self.words[1..];
        runs?;
        trips(self.lanes.iter().any(|&run| run >= 51), Cause::Lane)?;
        let short = self.bits.chunks(1024).last().unwrap_or_default();
        let like_first = short.iter().filter(|&&bit| bit == short[0]).count();
        trips(like_first >= 699, Cause::Proportion)?;
        trips(read.len().is_multiple_of(4) && repeats(read), Cause::RepeatedBlock)?;
        if !read.len().is_multiple_of(1 << 15) {
            return Ok(());
        }
        let window = &self.bits[self.bits.len() - (1 << 20)..];
        let before = self.bits.len().checked_sub((1 << 20) + 1).map(|at| self.bits[at]);
        let ones = window.iter().filter(|&&bit| bit).count();
        let changes = window.windows(2).filter(|pair| pair[0] != pair[1]).count()
            + usize::from(window[0] != before.unwrap_or(false));
        trips(z(ones) > 7.1, Cause::Ones)?;
        trips(z(changes) > 7.1, Cause::Changes)
    }

    fn runs(&mut self, word: u32) -> Result<(), Cause> {
        let mut longest = (0, 0);
        for place in 0..32 {
            let bit = word >> place & 1 == 1;
            let is_equal = bit == self.bits.last().copied().unwrap_or(false);
            self.bits.push(bit);
            self.equal = if is_equal { self.equal + 1 } else { 1 };
            self.alternating = if is_equal { 1 } else { self.alternating + 1 };
            longest = (longest.0.max(self.equal), longest.1.max(self.alternating));
        }
        trips(longest.0 >= 51, Cause::Repetition)?;
        trips(longest.1 >= 51, Cause::Alternation)
    }
}

fn trips(tripped: bool, cause: Cause) -> Result<(), Cause> {
    if tripped { Err(cause) } else { Ok(()) }
}

fn z(count: usize) -> f64 {
    (count as f64 - f64::from(1 << 19)).abs() / 512.0
}

/// Whether the last four words stand anywhere in the 64 words before, at any offset.
fn repeats(words: &[u32]) -> bool {
    let (before, block) = words.split_at(words.len() - 4);
    (1..=64.min(before.len())).any(|back| {
        let from = words.len() - 4 - back;
        words[from..from + 4] == *block
    })
}

/// Feeds both until one trips; they must trip at the same word for the same reason.
fn assert_agree(name: &str, words: u64, mut noise: impl FnMut(u64) -> u32) {
    let (mut ours, mut plain) = (Health::new(), Plain::new());
    for n in 0..words {
        let word = noise(n);
        let expected = plain.judge(word);
        match ours.judge(word) {
            Verdict::Fair => assert_eq!(expected, Ok(()), "{name}, word {n}"),
            Verdict::Odd => assert_eq!(expected, Ok(()), "{name}, word {n}"),
            Verdict::Failed(Cause::OddWord) => return,
            Verdict::Failed(cause) => {
                assert_eq!(expected, Err(cause), "{name}, word {n}");
                return;
            }
        }
    }
}

#[test]
fn every_test_agrees_with_its_definition_bit_by_bit() {
    for seed in 0..40 {
        for p in [0.5, 0.6, 0.65, 0.7, 0.8, 0.9, 0.95, 0.97] {
            assert_agree(&format!("bias {p}"), 3000, biased(seed, move |_| p));
            let mut turns = biased(seed, move |_| p);
            let mut bit = 0;
            assert_agree(&format!("turns {p}"), 3000, move |n| {
                let turn = turns(n);
                (0..32).fold(0, |word, place| {
                    bit ^= turn >> place & 1;
                    word | bit << place
                })
            });
        }
        let mut recent: VecDeque<u32> = VecDeque::new();
        let (mut good, mut echo) = (healthy(seed), biased(seed + 7, |_| 0.5));
        assert_agree("echoes", 3000, move |n| {
            let back = (echo(n) % 70) as usize;
            let echoing = n % 97 > 90 && recent.len() > back;
            let word = if echoing { recent[back] } else { good(n) };
            recent.push_front(word);
            recent.truncate(80);
            word
        });
        let (mut good, lines) = (healthy(seed), healthy(seed + 1)(0));
        assert_agree("lines stuck", 200, move |n| good(n) & lines);
    }
    for p in [0.5, 0.5029, 0.5033, 0.5036, 0.504] {
        assert_agree(&format!("long {p}"), 70_000, biased(11, move |_| p));
    }
}

/// Runs of exactly 50 and 51 at every place in the words, of equal and of alternating bits.
#[test]
fn runs_of_50_pass_and_of_51_trip_wherever_they_lie() {
    for (pattern, cause) in [([1, 1], Cause::Repetition), ([1, 0], Cause::Alternation)] {
        for (length, expected) in [(50, None), (51, Some(cause))] {
            for start in 33..97 {
                let mut good = healthy(start);
                let mut bits: Vec<u32> = (0..8)
                    .map(&mut good)
                    .flat_map(|w| (0..32).map(move |at| w >> at & 1))
                    .collect();
                let (start, end) = (start as usize, start as usize + length);
                (start..end).for_each(|at| bits[at] = pattern[(at - start) % 2]);
                // What stands beside the run must not lengthen it.
                bits[start - 1] = if cause == Cause::Repetition { 0 } else { bits[start] };
                bits[end] = if cause == Cause::Repetition { 0 } else { bits[end - 1] };
                let mut health = Health::new();
                let tripped = bits.chunks(32).find_map(|word| {
                    let word = word.iter().rev().fold(0, |word, bit| word << 1 | bit);
                    match health.judge(word) {
                        Verdict::Failed(cause) => Some(cause),
                        _ => None,
                    }
                });
                assert_eq!(tripped, expected, "{length} from {start}");
            }
        }
    }
}

/// A source without our driver, such as a file, may let a zero through.
#[test]
fn zero_or_repeated_word_is_odd_once_and_a_failure_twice() {
    for repeated in [0, 1] {
        let mut noise = healthy(1);
        let mut health = Health::new();
        let mut last = 0;
        for n in 0..10 {
            last = noise(n);
            assert_eq!(health.judge(last), Verdict::Fair);
        }
        assert_eq!(health.judge(last * repeated), Verdict::Odd);
        last = noise(11);
        assert_eq!(health.judge(last), Verdict::Fair);
        assert_eq!(health.judge(last * repeated), Verdict::Failed(Cause::OddWord));
    }
}

/// 10^7 bits at each commit, 10^9 before a release.
#[test]
fn healthy_source_raises_no_alarm() {
    let release = std::env::var("CROUPIER_RELEASE_SUITE").is_ok_and(|value| value == "1");
    let words = if release { 1_000_000_000 / 32 } else { 10_000_000 / 32 };
    let mut noise = healthy(0x000C_A4D5);
    let mut health = Health::new();
    for n in 0..words {
        assert_eq!(health.judge(noise(n)), Verdict::Fair, "word {n}");
    }
}
