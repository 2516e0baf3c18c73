//! The core's life: start, latch, reset, service; no way round.

use std::collections::HashSet;
use std::num::NonZeroU8;

use crate::mock::{Device, Flash, healthy};
use croupier::entropy::{
    CLOCK_ERROR, Cause, DATA_READY, Event, Memory, OrderBuffer, RngFault, RngLatch, State,
};
use rand::rand_core::TryRng;

const EVENTS: [Event; 6] = [
    Event::Recalled(None),
    Event::Recalled(Some(Cause::Lane)),
    Event::Passed,
    Event::SeedError,
    Event::Failed(Cause::Clock),
    Event::ServiceReset,
];

/// Every state that `events` can lead to from `start`.
fn reachable(start: State, events: &[Event]) -> HashSet<String> {
    let (mut seen, mut open) = (HashSet::new(), vec![start]);
    while let Some(state) = open.pop() {
        if seen.insert(format!("{state:?}")) {
            open.extend(events.iter().map(|&event| state.after(event)));
        }
    }
    seen
}

#[test]
fn latched_core_never_becomes_ready_without_a_service_reset() {
    let latched = State::Latched(Cause::Ones);
    let without_service: Vec<Event> =
        EVENTS.into_iter().filter(|event| *event != Event::ServiceReset).collect();
    assert_eq!(reachable(latched, &without_service), HashSet::from([format!("{latched:?}")]));
    let stages = ["SelfTest", "Configure", "Startup", "Ready"];
    let all = reachable(latched, &EVENTS);
    assert!(stages.iter().all(|stage| all.contains(*stage)));
}

#[test]
fn every_way_to_ready_leads_through_self_test_settings_and_startup() {
    let stages = [State::Boot, State::SelfTest, State::Configure, State::Startup, State::Ready];
    let latched = [Cause::Lane, Cause::Clock].map(State::Latched);
    for from in stages.into_iter().chain(latched) {
        for event in EVENTS {
            let step = (from, event, from.after(event));
            match step.2 {
                State::Ready => {
                    assert!(
                        from == State::Ready || from == State::Startup && event == Event::Passed,
                        "{step:?}"
                    );
                }
                State::Startup => assert!(
                    matches!(from, State::Startup)
                        || from == State::Configure && event == Event::Passed
                        || from == State::Ready && event == Event::SeedError,
                    "{step:?}"
                ),
                State::Configure => {
                    assert!(
                        matches!(from, State::Configure)
                            || from == State::SelfTest && event == Event::Passed,
                        "{step:?}"
                    );
                }
                State::SelfTest => assert!(
                    matches!(from, State::SelfTest)
                        || from == State::Boot && event == Event::Recalled(None)
                        || matches!(from, State::Latched(_)) && event == Event::ServiceReset,
                    "{step:?}"
                ),
                State::Boot => assert_eq!(from, State::Boot, "{step:?}"),
                State::Latched(_) => {}
            }
        }
    }
}

fn latched_device() -> Device {
    let mut device = Device::ready(1);
    device.break_noise(|_| u32::MAX);
    assert_eq!(device.words_until_latch(40).0, Cause::Repetition);
    device
}

/// AGCO 21.1.9: out of use until rectified.
#[test]
fn latch_outlives_power_cuts_with_a_healed_source() {
    let mut device = latched_device();
    for seed in 2..6 {
        device = device.power_cycled(seed);
        assert_eq!(device.core.start(), Err(RngFault::Latched(Cause::Repetition)));
        let answer = device.core.number(NonZeroU8::MIN);
        assert_eq!(answer, Err(RngFault::Latched(Cause::Repetition)));
        assert_eq!(device.words(), 0, "a latched core reads no noise");
    }
}

#[test]
fn service_reset_and_a_passed_startup_lift_the_latch_for_good() {
    let mut device = latched_device().power_cycled(2);
    device.core.start().expect_err("latched");
    device.core.service_reset().expect("the source is healthy again");
    device.core.order(52, &mut OrderBuffer::new()).map(|_| ()).expect("ready");
    let mut device = device.power_cycled(3);
    device.core.start().expect("no latch is left");
}

#[test]
fn service_reset_with_the_fault_still_there_latches_again() {
    let mut device = latched_device();
    assert_eq!(device.core.service_reset(), Err(RngFault::Latched(Cause::Repetition)));
    let mut device = device.power_cycled(2);
    assert_eq!(device.core.start(), Err(RngFault::Latched(Cause::Repetition)));
}

/// The trial is not the verdict: power cut at any word of it, and the latch is still there.
#[test]
fn power_cut_during_the_service_trial_leaves_the_latch() {
    for cut_at in (0..200).step_by(7) {
        let device = latched_device();
        let mut trial = device.power_cycled(2);
        trial.core.start().expect_err("latched");
        let mut good = healthy(4);
        trial.break_noise(move |n| {
            assert!(n < cut_at, "power cut");
            good(n)
        });
        let trial_run = std::panic::AssertUnwindSafe(|| trial.core.service_reset());
        std::panic::catch_unwind(trial_run).expect_err("the power was cut");
        let mut device = device.power_cycled(3);
        assert_eq!(device.core.start(), Err(RngFault::Latched(Cause::Repetition)));
    }
}

#[test]
fn service_reset_of_a_working_core_changes_nothing() {
    let mut device = Device::ready(1);
    let before = device.words();
    assert_eq!(device.core.service_reset(), Ok(()));
    assert_eq!((device.core.state(), device.words()), (State::Ready, before));
}

#[test]
fn core_that_was_not_started_answers_nothing() {
    let mut device = Device::new(1);
    assert_eq!(device.core.try_next_u32(), Err(RngFault::NotStarted));
    assert_eq!(device.core.cycle(0), Err(RngFault::NotStarted));
    assert_eq!(device.core.service_reset(), Ok(()));
    assert_eq!(device.core.state(), State::Boot, "service cannot start what power on has not");
}

#[test]
fn memory_that_cannot_be_read_or_written_stops_the_start() {
    for (unreadable, unwritable) in [(true, false), (false, true), (true, true)] {
        let flash = Flash::default();
        flash.unreadable.set(unreadable);
        flash.unwritable.set(unwritable);
        let mut device = Device::with(healthy(1), flash);
        assert_eq!(device.core.start(), Err(RngFault::Latched(Cause::Memory)));
    }
}

/// SP 800-90B 4.3: at least 1024 samples tested and discarded; here 4096 bits.
#[test]
fn startup_discards_4096_bits_before_it_seeds() {
    let device = Device::ready(1);
    let (driver, seed) = (12, 3 * 20);
    assert!((device.words() - driver - seed) * 32 >= 4096);
}

#[test]
fn kept_record_survives_its_bytes_and_refuses_others() {
    let mut kept = RngLatch { latch: Some(Cause::Ledger), seed_errors: 2, ..RngLatch::new() };
    (0..11).for_each(|mark| kept.count_start(mark * 0x0102_0304_0506));
    let bytes = kept.to_bytes();
    assert_eq!(RngLatch::from_bytes(&bytes), Some(kept));
    assert_eq!(RngLatch::from_bytes(&bytes[1..]), None);
    assert_eq!(RngLatch::from_bytes(&[&bytes[..], &[0]].concat()), None);
    assert_eq!(RngLatch::from_bytes(&[0xFF; 70]), None, "no such cause");
    for code in 1..=20 {
        assert_eq!(Cause::of_code(code).map(Cause::code), Some(code));
    }
    assert_eq!(Cause::of_code(21), None);
}

/// PG-07: neither a restart nor a second device gives the same stream, even from equal noise.
#[test]
fn equal_noise_never_gives_equal_output_twice() {
    let mut first = Device::ready(1);
    let mut flash = Flash::default();
    Device::with(healthy(7), flash.clone()).core.start().expect("an earlier start");
    let mut later = Device::with(healthy(1), core::mem::take(&mut flash));
    later.core.start().expect("healthy");
    assert_ne!(first.core.try_next_u64(), later.core.try_next_u64());
}

/// The generator's own state is stirred between games, and the tests go on (PG-08).
#[test]
fn cycling_reads_a_block_and_changes_what_comes_next() {
    let (mut rested, mut cycled) = (Device::ready(1), Device::ready(1));
    let before = cycled.words();
    cycled.core.cycle(0).expect("healthy");
    assert_eq!(cycled.words() - before, 20);
    assert_ne!(rested.core.try_next_u64(), cycled.core.try_next_u64());
}

/// PG-01, PG-03: all of 1 to 7, nothing else, about equally often (5 sigma).
#[test]
fn numbers_from_1_to_7_all_come_up_equally_often() {
    let mut device = Device::ready(1);
    let mut counts = [0_u32; 8];
    for _ in 0..14_000 {
        let number = device.core.number(NonZeroU8::new(7).unwrap()).expect("healthy");
        counts[usize::from(number.get())] += 1;
    }
    assert_eq!(counts[0], 0);
    assert!(counts[1..].iter().all(|&count| count.abs_diff(2000) < 5 * 42), "{counts:?}");
}

#[test]
fn latched_core_tries_again_to_remember_its_latch() {
    let mut device = Device::ready(1);
    device.break_status(|_| DATA_READY | CLOCK_ERROR);
    device.flash.unwritable.set(true);
    device.core.cycle(0).expect_err("latched");
    assert_eq!(device.flash.recall().expect("readable").latch, None, "it could not be written");
    device.flash.unwritable.set(false);
    device.core.cycle(0).expect_err("latched");
    assert_eq!(device.flash.recall().expect("readable").latch, Some(Cause::Clock));
}
