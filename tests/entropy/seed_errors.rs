//! Seed errors: tolerated while rare, and never at the price of a word.

use crate::mock::Device;
use croupier::entropy::{Cause, DATA_READY, RngFault, SEED_ERROR, State};
use rand::rand_core::TryRng;

const BLOCK: u64 = 20;

/// SEIS once: the request is void, the chip recovers, the next request is answered.
#[test]
fn seed_error_once_voids_the_request_and_is_recovered_from() {
    for (mark, after_word) in [(1 << 6, false), (1 << 6, true), (1 << 2, false), (1 << 2, true)] {
        let mut device = Device::ready(1);
        let mut once = true;
        device.break_status(move |at| {
            let now = once && at.words == 7 && at.after_word == after_word;
            once &= !now;
            DATA_READY | if now { mark } else { 0 }
        });
        let mut out = [0xAA; 64];
        let answer = device.core.try_fill_bytes(&mut out);
        assert_eq!(answer, Err(RngFault::Void(Cause::SeedError)));
        assert_eq!(out, [0; 64], "nothing of a void request leaves");
        assert_eq!(device.core.state(), State::Ready);
        device.core.try_fill_bytes(&mut out).expect("recovered");
        assert_ne!(out, [0; 64]);
    }
}

#[test]
fn seed_error_that_stays_latches() {
    let mut device = Device::ready(1);
    device.break_status(|at| DATA_READY | if at.words >= 7 { SEED_ERROR } else { 0 });
    assert_eq!(device.words_until_latch(100), (Cause::SeedError, 7));
}

#[test]
fn seed_error_that_flickers_latches_at_the_second() {
    let mut device = Device::ready(1);
    device.break_status(|at| {
        DATA_READY | if at.words % 1000 == 999 && at.after_word { 1 << 6 } else { 0 }
    });
    assert_eq!(device.words_until_latch(10_000), (Cause::SeedError, 1999));
}

/// Far enough apart in words, two are tolerated in a day, the third is not; a day later they are.
#[test]
fn third_seed_error_in_a_day_latches() {
    let day = 24 * 60 * 60;
    for (third_at, latches) in [(day - 2, true), (day + 1, false)] {
        let mut device = Device::ready(1);
        for (error, now) in [(1, 0), (2, 1), (3, third_at)] {
            let mut once = true;
            device.break_status(move |_| {
                DATA_READY | if core::mem::take(&mut once) { 1 << 6 } else { 0 }
            });
            let answer = device.core.cycle(now);
            if error == 3 && latches {
                assert_eq!(answer, Err(RngFault::Latched(Cause::SeedError)));
            } else {
                assert_eq!(answer, Err(RngFault::Void(Cause::SeedError)));
                for _ in 0..(1 << 20) / BLOCK + 1 {
                    device.core.cycle(now).expect("healthy");
                }
            }
        }
    }
}

/// The count of the day is not lost by a power cut.
#[test]
fn seed_errors_before_a_power_cut_count_after_it() {
    let mut device = Device::ready(1);
    for seed in 2..=3 {
        let mut once = true;
        device.break_status(move |_| DATA_READY | if core::mem::take(&mut once) { 4 } else { 0 });
        assert_eq!(device.core.cycle(0), Err(RngFault::Void(Cause::SeedError)));
        device = device.power_cycled(seed);
        device.core.start().expect("two are tolerated");
    }
    let mut once = true;
    device.break_status(move |_| DATA_READY | if core::mem::take(&mut once) { 4 } else { 0 });
    assert_eq!(device.core.cycle(0), Err(RngFault::Latched(Cause::SeedError)));
}
