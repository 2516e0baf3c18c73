//! Fault injection: each way a source can fail is seen in time, and nothing of it leaves.

use std::num::NonZeroU8;

use crate::mock::{Device, Flash, POLLS, biased, healthy};
use croupier::entropy::{CLOCK_ERROR, Cause, DATA_READY, ENABLED, OrderBuffer, RngFault, State};
use rand::rand_core::TryRng;

const BLOCK: u64 = 20;
const SEEDS: u64 = 32;
const WINDOW: u64 = 32;
const LONG_WINDOW: u64 = 1 << 15;

#[test]
fn data_stuck_at_zero_latches_in_two_words() {
    let mut device = Device::ready(1);
    device.break_noise(|_| 0);
    assert_eq!(device.words_until_latch(40), (Cause::OddWord, 2));
}

#[test]
fn data_stuck_at_ones_latches_in_three_words() {
    for seed in 0..SEEDS {
        let mut device = Device::ready(seed);
        device.break_noise(|_| u32::MAX);
        let (cause, words) = device.words_until_latch(40);
        assert_eq!(cause, Cause::Repetition);
        assert!(words <= 3, "{words}");
    }
}

#[test]
fn data_stuck_at_any_word_latches_in_three_words() {
    for seed in 0..SEEDS {
        let mut device = Device::ready(seed);
        let stuck = healthy(seed + 100)(0);
        device.break_noise(move |_| stuck);
        assert_eq!(device.words_until_latch(40), (Cause::OddWord, 3));
    }
}

#[test]
fn one_data_line_stuck_latches_in_51_words() {
    for line in 0..32 {
        for level in [0, 1] {
            let mut device = Device::ready(line);
            let mut good = healthy(line + 100);
            device.break_noise(move |n| good(n) & !(1 << line) | level << line);
            let (cause, words) = device.words_until_latch(400);
            assert_eq!(cause, Cause::Lane, "line {line}");
            assert!(words <= 51, "line {line}: {words} words");
        }
    }
}

/// The median device sees a strong bias within the stated windows, and every device soon after.
fn assert_bias_seen(p: f64, median_windows: u64, most_windows: u64, causes: &[Cause]) {
    let mut seen: Vec<u64> = (0..SEEDS)
        .map(|seed| {
            let mut device = Device::ready(seed);
            device.break_noise(biased(seed + 100, move |_| p));
            let (cause, words) = device.words_until_latch(2 * LONG_WINDOW);
            assert!(causes.contains(&cause), "{cause:?}");
            words
        })
        .collect();
    seen.sort_unstable();
    let (median, worst) = (seen[seen.len() / 2], seen[seen.len() - 1]);
    assert!(median <= median_windows * WINDOW + BLOCK, "median {median} words");
    assert!(worst <= most_windows * WINDOW, "worst {worst} words");
}

#[test]
fn bias_of_95_in_100_latches_in_two_windows() {
    assert_bias_seen(
        0.95,
        2,
        4,
        &[Cause::Repetition, Cause::Proportion, Cause::OddWord, Cause::Lane],
    );
}

#[test]
fn bias_of_8_in_10_latches_in_two_windows() {
    assert_bias_seen(0.8, 2, 10, &[Cause::Proportion]);
}

#[test]
fn bias_of_7_in_10_latches_in_two_windows() {
    assert_bias_seen(0.7, 2, 20, &[Cause::Proportion]);
}

#[test]
fn bias_of_6_in_10_latches_in_one_long_window() {
    for seed in 0..4 {
        let mut device = Device::ready(seed);
        device.break_noise(biased(seed + 100, |_| 0.6));
        let (cause, words) = device.words_until_latch(2 * LONG_WINDOW);
        assert_eq!(cause, Cause::Ones);
        assert!(words <= LONG_WINDOW, "{words}");
    }
}

/// Half ones, but neighbours too often alike: only the changes show it.
#[test]
fn bits_that_follow_their_neighbour_latch_in_one_long_window() {
    let mut device = Device::ready(1);
    let (mut turns, mut bit) = (biased(3, |_| 0.45), 0);
    device.break_noise(move |n| {
        let turn = turns(n);
        (0..32).fold(0, |word, place| {
            bit ^= turn >> place & 1;
            word | bit << place
        })
    });
    let (cause, words) = device.words_until_latch(2 * LONG_WINDOW);
    assert_eq!(cause, Cause::Changes);
    assert!(words <= LONG_WINDOW + BLOCK, "{words}");
}

#[test]
fn alternating_bits_latch_in_32_pairs() {
    for pattern in [0x5555_5555, 0xAAAA_AAAA] {
        let mut device = Device::ready(5);
        device.break_noise(move |_| pattern);
        let (cause, words) = device.words_until_latch(40);
        assert_eq!(cause, Cause::Alternation);
        assert!(words <= 2, "{words}");
    }
}

#[test]
fn period_of_2_to_64_words_latches_within_a_period_and_a_block() {
    for period in 2..=64 {
        let mut device = Device::ready(period);
        let mut good = healthy(period + 100);
        let tape: Vec<u32> = (0..period).map(&mut good).collect();
        device.break_noise(move |n| tape[(n % period) as usize]);
        let (cause, words) = device.words_until_latch(1000);
        assert_eq!(cause, Cause::RepeatedBlock, "period {period}");
        assert!(words <= period + BLOCK, "period {period}: {words} words");
    }
}

/// A single block of 128 bits, repeated once, at each distance back that is kept.
#[test]
fn repeated_block_of_128_bits_latches_when_it_ends() {
    for distance in 4..=64 {
        let mut device = Device::ready(distance);
        let mut good = healthy(distance + 100);
        let mut tape: Vec<u32> = (0..100).map(&mut good).collect();
        // The tests look at every fourth word they see; the driver kept twelve from them.
        let at = (70..74).find(|at| (device.words() - 12 + at).is_multiple_of(4)).unwrap() as usize;
        for word in 0..4 {
            tape[at + word] = tape[at + word - distance as usize];
        }
        device.break_noise(move |n| tape[n as usize]);
        assert_eq!(device.words_until_latch(99), (Cause::RepeatedBlock, at as u64 + 4));
    }
}

#[test]
fn drift_to_7_in_10_over_ten_million_bits_latches_before_55_in_100() {
    let mut device = Device::ready(1);
    device.break_noise(biased(2, |bit| 0.5 + 0.2 * bit as f64 / 1e7));
    let (cause, words) = device.words_until_latch(10_000_000 / 32);
    assert_eq!(cause, Cause::Ones);
    assert!(0.5 + 0.2 * words as f64 * 32.0 / 1e7 < 0.55, "{words}");
}

/// Words that are a function of a 16-bit seed look perfect within one start.
#[test]
fn sixteen_bit_entropy_latches_when_a_start_repeats_an_earlier_one() {
    let mut flash = Flash::default();
    let mut pick = healthy(9);
    let mut starts = 0;
    let cause = loop {
        let seed = u64::from(pick(0) & 0xFFFF) % 997; // fewer seeds, so that the test is short
        let mut device = Device::with(healthy(seed), flash.clone());
        starts += 1;
        match device.core.start() {
            Ok(()) => flash = device.flash,
            Err(RngFault::Latched(cause)) => break cause,
            Err(fault) => panic!("{fault}"),
        }
        assert!(starts < 5000, "eight of 997 known: a repeat within 5000 starts, or never");
    };
    assert_eq!(cause, Cause::KnownStart);
}

#[test]
fn start_with_the_noise_of_any_of_the_last_eight_starts_latches() {
    for back in 1..=8 {
        let mut flash = Flash::default();
        for seed in 1..=8 {
            let mut device = Device::with(healthy(seed), flash.clone());
            device.core.start().expect("a new start");
            flash = device.flash;
        }
        let mut again = Device::with(healthy(9 - back), flash);
        assert_eq!(again.core.start(), Err(RngFault::Latched(Cause::KnownStart)));
    }
}

#[test]
fn clock_error_latches_at_the_same_word() {
    for mark in [1 << 1, 1 << 5, CLOCK_ERROR] {
        for after_word in [false, true] {
            let mut device = Device::ready(1);
            device.break_status(move |at| {
                let broken = at.words >= 7 && at.after_word == after_word;
                DATA_READY | if broken { mark } else { 0 }
            });
            assert_eq!(device.words_until_latch(40), (Cause::Clock, 7));
        }
    }
}

#[test]
fn clock_error_that_flickers_latches_at_the_same_word() {
    let mut device = Device::ready(1);
    device.break_status(|at| {
        DATA_READY | if at.words == 5 && at.after_word { CLOCK_ERROR } else { 0 }
    });
    assert_eq!(device.words_until_latch(40), (Cause::Clock, 5));
}

#[test]
fn source_that_never_is_ready_latches_within_the_budget_of_polls() {
    let mut device = Device::ready(1);
    device.break_status(|_| 0);
    let before = device.chip.borrow().polls;
    assert_eq!(device.words_until_latch(40), (Cause::Silent, 0));
    assert_eq!(device.chip.borrow().polls - before, u64::from(POLLS));
}

#[test]
fn ready_mark_with_stale_data_latches_in_three_words() {
    let mut device = Device::ready(1);
    let mut good = healthy(2);
    let words = [good(0), good(1), good(2)];
    device.break_noise(move |n| words[n.min(2) as usize]);
    assert_eq!(device.words_until_latch(40), (Cause::OddWord, 5));
}

/// A single zero or repeated word costs its block, not the device.
#[test]
fn single_odd_word_is_tolerated_and_the_second_soon_after_is_not() {
    for odd in [|_: u32| 0, |last: u32| last] {
        for (second, latches) in [(900_000, true), (1 << 20, false)] {
            let mut device = Device::ready(1);
            let (mut good, mut last) = (healthy(2), 0);
            device.break_noise(move |n| {
                last = if n == 30 || n == 31 + second + BLOCK { odd(last) } else { good(n) };
                last
            });
            let mut latched = None;
            while device.core.state() == State::Ready && device.words() < (1 << 20) + 1000 {
                latched = device.core.cycle(0).err();
            }
            let expected = latches.then_some(RngFault::Latched(Cause::OddWord));
            assert_eq!(latched, expected);
        }
    }
}

/// The words before the odd one go with it: the block is read again from its start.
#[test]
fn block_with_an_odd_word_is_discarded_whole() {
    let mut device = Device::ready(1);
    let mut good = healthy(2);
    device.break_noise(move |n| if n == 5 { 0 } else { good(n) });
    let before = device.words();
    device.core.cycle(0).expect("one is tolerated");
    assert_eq!(device.words() - before, 6 + BLOCK);
}

#[test]
fn altered_control_register_latches_before_the_next_block() {
    for control in [0, 1 << 5 | 1 << 2, 1 << 3 | 1 << 2] {
        let mut device = Device::ready(1);
        device.chip.borrow_mut().control = control;
        assert_eq!(device.words_until_latch(40), (Cause::Altered, 0));
    }
}

#[test]
fn control_register_altered_within_a_block_latches_with_that_block() {
    let mut device = Device::ready(1);
    let from = device.words();
    device.chip.borrow_mut().control_altered = Some((from + 11, ENABLED | 1 << 5));
    assert_eq!(device.core.cycle(0), Err(RngFault::Latched(Cause::Altered)));
    assert_eq!(device.words() - from, BLOCK, "that block, not the next");
}

#[test]
fn settings_that_do_not_take_latch_at_start() {
    let mut device = Device::new(1);
    device.chip.borrow_mut().control_stuck = true;
    assert_eq!(device.core.start(), Err(RngFault::Latched(Cause::Altered)));
    assert_eq!(device.words(), 0);
}

/// SP 800-90B: whichever word of a request fails, nothing of the request leaves.
#[test]
fn fault_at_any_word_of_a_request_releases_nothing() {
    let seven = NonZeroU8::new(7).unwrap();
    for word in 0..13 * BLOCK {
        let mut device = Device::ready(word);
        device.break_status(move |at| {
            DATA_READY | if at.words > word && at.after_word { CLOCK_ERROR } else { 0 }
        });
        let mut out = [0xAA; 12 * 32];
        assert_eq!(device.core.try_fill_bytes(&mut out), Err(RngFault::Latched(Cause::Clock)));
        assert_eq!(device.words(), 12 + 200 + word + 1, "seen at the same word");
        assert_eq!(out, [0; 12 * 32]);
        let latched = Err(RngFault::Latched(Cause::Clock));
        assert_eq!(device.core.number(seven), latched.map(|()| seven));
        assert_eq!(device.core.order(52, &mut OrderBuffer::new()).map(|_| ()), latched);
        assert_eq!(device.core.try_next_u64(), latched.map(|()| 0));
        assert_eq!(device.words(), 12 + 200 + word + 1, "a latched core reads no more");
    }
}
