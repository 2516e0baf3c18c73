//! The driver alone: what it hands out and what it does to the chip.

use crate::mock::{Device, POLLS, driver_of};
use croupier::entropy::{CLOCK_ERROR, DATA_READY, ENABLED, NoiseFault, NoiseSource, SEED_ERROR};

#[test]
fn zero_is_never_handed_out() {
    let mut device = Device::new(1);
    let mut driver = driver_of(&device.chip);
    driver.configure().expect("healthy");
    device.break_noise(|_| 0);
    assert_eq!(driver.word(), Err(NoiseFault::Zero));
}

#[test]
fn word_read_while_the_status_turns_bad_is_not_handed_out() {
    for (mark, fault) in [(CLOCK_ERROR, NoiseFault::Clock), (SEED_ERROR, NoiseFault::Seed)] {
        for after_word in [false, true] {
            let mut device = Device::new(1);
            let mut driver = driver_of(&device.chip);
            driver.configure().expect("healthy");
            device.break_status(move |at| {
                DATA_READY | if at.after_word == after_word { mark } else { 0 }
            });
            let before = device.words();
            assert_eq!(driver.word(), Err(fault));
            assert_eq!(device.words() - before, u64::from(after_word));
        }
    }
}

#[test]
fn switching_on_discards_twelve_words_and_leaves_the_written_settings() {
    let device = Device::new(1);
    let mut driver = driver_of(&device.chip);
    driver.configure().expect("healthy");
    assert_eq!(device.words(), 12);
    assert_eq!(device.chip.borrow().control, ENABLED);
    assert_eq!(driver.recoveries(), 0);
}

/// RM0351 27.3.7: an error is recovered from by switching off and on.
#[test]
fn a_source_that_runs_is_switched_off_before_it_is_switched_on() {
    let device = Device::new(1);
    let mut driver = driver_of(&device.chip);
    driver.configure().expect("healthy");
    driver.recover().expect("healthy");
    assert_eq!(device.chip.borrow().controls, [0, ENABLED, 0, ENABLED]);
}

/// An error that comes back with the last discarded word is not yet recovered from.
#[test]
fn recovery_ends_only_with_a_clean_status() {
    let mut device = Device::new(1);
    let mut driver = driver_of(&device.chip);
    driver.configure().expect("healthy");
    device.break_status(|at| {
        DATA_READY | if at.words == 12 && at.after_word { SEED_ERROR } else { 0 }
    });
    driver.recover().expect("at the second try");
    assert_eq!((device.words(), driver.recoveries()), (12 + 12 + 12, 1));
    driver.word().expect("clean");
}

#[test]
fn recovery_gives_up_after_three_tries() {
    let mut device = Device::new(1);
    let mut driver = driver_of(&device.chip);
    driver.configure().expect("healthy");
    device.break_status(|at| DATA_READY | if at.after_word { SEED_ERROR } else { 0 });
    let before = device.words();
    assert_eq!(driver.recover(), Err(NoiseFault::Seed));
    assert_eq!(device.words() - before, 3);
}

#[test]
fn wait_ends_after_the_polls_it_was_given() {
    let mut device = Device::new(1);
    let mut driver = driver_of(&device.chip);
    driver.configure().expect("healthy");
    device.break_status(|_| 0);
    let before = device.chip.borrow().polls;
    assert_eq!(driver.word(), Err(NoiseFault::Silent));
    assert_eq!(device.chip.borrow().polls - before, u64::from(POLLS));
}
