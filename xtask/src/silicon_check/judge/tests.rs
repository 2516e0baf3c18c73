use std::time::Duration;

use super::*;

fn lines(text: &str) -> Vec<String> {
    text.lines().map(|line| line.trim().to_owned()).collect()
}

const CLOCKS: &str = "RCC_CR 03000500\nsysclk source 3\nlatency 4\ntimer 80000000\nrng 48000000";

fn refusal<T>(result: Result<T>) -> String {
    result.err().expect("it should have been refused").to_string()
}

#[test]
fn a_clock_tree_without_wait_states_or_without_48_megahertz_is_refused() {
    assert_eq!(clocks(&lines(CLOCKS)).unwrap().len(), 4);
    let wrong = refusal(clocks(&lines(&CLOCKS.replace("latency 4", "latency 0"))));
    assert_eq!(wrong, "latency is 0, expected 4 (wait states for 80 MHz at range 1)");
    assert!(refusal(clocks(&lines(&CLOCKS.replace("48000000", "4000000")))).starts_with("rng is"));
    assert!(refusal(clocks(&[])).contains("has no line 'sysclk source'"));
}

#[test]
fn a_clock_that_is_two_per_cent_slow_is_refused_and_one_in_tolerance_is_not() {
    let cycles = lines("begin\nend\ncycles 1600000400");
    assert!(time(&cycles, 20, Duration::from_millis(20_100)).is_ok());
    let slow = refusal(time(&cycles, 20, Duration::from_millis(20_400)));
    assert_eq!(slow, "20 device seconds took 20.400 s: off by 2.00 %, allowed 1 %");
    let other = lines("cycles 1500000000");
    assert!(refusal(time(&other, 20, Duration::from_secs(20))).contains("expected 80 million"));
}

#[test]
fn a_flash_that_is_too_quick_is_no_flash() {
    let good = "rounds 100\nerase 21900 to 22310 us\nword 83 to 92 us";
    assert_eq!(flash(&lines(good), 100).unwrap().len(), 2);
    let quick = refusal(flash(&lines(&good.replace("21900", "3")), 100));
    assert_eq!(quick, "erase 3 to 22310 us: expected 15000 to 26000 us");
    assert!(refusal(flash(&lines(good), 50)).contains("all 50 rounds"));
}

#[test]
fn noise_that_is_stuck_zero_short_or_biased_is_refused() {
    let mut state = 1_u64;
    let good: Vec<String> = (0..256)
        .map(|_| {
            let next = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                format!("{:08x}", (state >> 32) as u32)
            };
            std::iter::repeat_with(next).take(8).collect()
        })
        .collect();
    let (words, said) = noise(&good, 2048).unwrap();
    assert_eq!(words.len(), 2048);
    assert!(said[0].starts_with("2048 words, no zero"));
    assert!(refusal(noise(&good, 2047)).contains("16384 digits came instead of 16376"));
    let spoilt = |word: &str| [good[..255].concat(), word.repeat(8)];
    assert!(refusal(noise(&spoilt("00000000"), 2048)).starts_with("a word is zero"));
    assert_eq!(refusal(noise(&spoilt("1234abcd"), 2048)), "7 words came twice in a row");
    let biased: Vec<String> = good.iter().map(|row| row.replace(['0', '1', '2'], "f")).collect();
    assert!(refusal(noise(&biased, 2048)).contains("of the bits are ones"));
}

#[test]
fn a_watchdog_that_is_late_or_not_the_cause_is_refused() {
    assert!(watchdog("reset watchdog crashes 0", Duration::from_millis(2050)).is_ok());
    let late = refusal(watchdog("reset watchdog crashes 0", Duration::from_millis(2900)));
    assert_eq!(late, "it came after 2.90 s, expected 1.8 to 2.3");
    assert!(watchdog("reset power-on crashes 0", Duration::from_secs(2)).is_err());
}

#[test]
fn a_locked_up_processor_is_told_from_a_caught_overflow() {
    assert!(stack("reset hard-fault crashes 1").is_ok());
    assert!(refusal(stack("reset watchdog crashes 0")).starts_with("the processor locked up"));
    assert!(stack("reset restart crashes 0").is_err());
}

#[test]
fn torn_words_must_all_be_seen_and_may_not_end_a_run() {
    let restarts = vec!["reset restart crashes 0".to_owned(); 4];
    let sum = "torn rounds 4 blank 1 whole 2 ecc 1 mixed 0";
    assert_eq!(torn(sum, &restarts, 4).unwrap().len(), 1);
    let untorn = torn("torn rounds 4 blank 1 whole 3 ecc 0 mixed 0", &restarts, 4).unwrap();
    assert!(untorn[1].starts_with("a reset tore none"));
    assert!(refusal(torn(sum, &restarts, 5)).contains("4 words were seen in 5 rounds"));
    let fault = ["reset hard-fault crashes 1".to_owned()];
    assert!(refusal(torn(sum, &fault, 4)).contains("ended a run"));
    assert!(torn("torn rounds 4 blank 4 whole 0 ecc 0 mixed 0", &restarts, 4).is_err());
}
