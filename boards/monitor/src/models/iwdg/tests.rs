use super::*;
use crate::testing::memory::Bench;

const MS: Ns = 1_000_000;
const S: Ns = 1_000 * MS;

struct Dog {
    iwdg: Iwdg,
    bench: Bench,
}

impl Dog {
    fn new() -> Self {
        Self { iwdg: Iwdg::new(), bench: Bench::new() }
    }

    fn store(&mut self, offset: u32, value: u32) -> Result<(), Breach> {
        self.iwdg.store(offset, Width::Word, value, &mut self.bench.cx())
    }

    fn load(&mut self, offset: u32) -> u32 {
        self.iwdg.load(offset, Width::Word, &mut self.bench.cx()).unwrap()
    }

    /// `IndependentWatchdog::new` for two seconds, then `unleash`: PR 2 (16), RLR 3999.
    fn as_embassy_starts_it() -> Self {
        let mut dog = Self::new();
        for (offset, value) in [(KR, 0x5555), (PR, 2), (RLR, 3999), (KR, 0xCCCC)] {
            dog.store(offset, value).unwrap();
        }
        dog
    }
}

#[test]
fn it_does_not_bite_before_it_is_started() {
    let dog = Dog::new();
    assert!(!dog.iwdg.is_running());
    assert_eq!(dog.iwdg.next(), None);
    assert!(!dog.iwdg.bites(3_600 * S));
}

#[test]
fn the_first_count_starts_at_the_reset_value_and_a_feed_brings_rlr() {
    let mut dog = Dog::as_embassy_starts_it();
    assert_eq!(dog.iwdg.next(), Some(2_048 * MS));
    dog.bench.now = 100 * MS;
    dog.store(KR, 0xAAAA).unwrap();
    assert_eq!(dog.iwdg.feeds(), 1);
    assert_eq!(dog.iwdg.next(), Some(2_100 * MS));
    assert!(!dog.iwdg.bites(2_100 * MS - 1));
    assert!(dog.iwdg.bites(2_100 * MS));
}

#[test]
fn a_feed_after_the_bite_comes_too_late() {
    let mut dog = Dog::as_embassy_starts_it();
    dog.bench.now = 2_048 * MS;
    dog.store(KR, 0xAAAA).unwrap();
    assert!(dog.iwdg.bites(dog.bench.now));
    assert_eq!(dog.iwdg.feeds(), 0);
}

#[test]
fn starting_it_again_is_no_feed() {
    let mut dog = Dog::as_embassy_starts_it();
    dog.bench.now = S;
    dog.store(KR, 0xCCCC).unwrap();
    assert_eq!(dog.iwdg.next(), Some(2_048 * MS));
}

#[test]
fn an_unknown_key_is_a_breach() {
    let breach = Dog::new().store(KR, 0xBEEF).unwrap_err();
    assert_eq!((breach.register, breach.value, breach.rule), ("IWDG_KR", 0xBEEF, UNKNOWN_KEY));
}

#[test]
fn a_register_opens_by_key_and_any_other_key_closes_it() {
    for register in [PR, RLR, WINR] {
        let mut dog = Dog::new();
        assert_eq!(dog.store(register, 1).unwrap_err().rule, NO_ACCESS);
        dog.store(KR, 0x5555).unwrap();
        dog.store(register, 1).unwrap();
        for key in [0xAAAA, 0xCCCC] {
            dog.store(KR, 0x5555).unwrap();
            dog.store(KR, key).unwrap();
            assert_eq!(dog.store(register, 1).unwrap_err().rule, NO_ACCESS);
        }
    }
}

#[test]
fn while_it_runs_a_register_updates_for_five_cycles_and_must_be_left_alone() {
    for (register, bit) in [(PR, 1), (RLR, 2), (WINR, 4)] {
        let mut dog = Dog::as_embassy_starts_it();
        dog.store(KR, 0x5555).unwrap();
        dog.store(register, 5).unwrap();
        dog.bench.now = 156_249;
        assert_eq!(dog.load(SR), bit);
        assert_eq!(dog.store(register, 6).unwrap_err().rule, STILL_UPDATING);
        dog.bench.now = 156_250;
        assert_eq!(dog.load(SR), 0);
        dog.store(register, 6).unwrap();
        assert_eq!(dog.load(register), 6);
    }
}

#[test]
fn before_it_runs_a_register_updates_at_once() {
    let mut dog = Dog::new();
    dog.store(KR, 0x5555).unwrap();
    dog.store(PR, 1).unwrap();
    assert_eq!(dog.load(SR), 0);
    dog.store(PR, 2).unwrap();
    assert_eq!(dog.load(PR), 2);
}

#[test]
fn a_feed_before_rlr_has_crossed_brings_the_old_value() {
    let mut dog = Dog::as_embassy_starts_it();
    dog.store(KR, 0x5555).unwrap();
    dog.store(RLR, 9).unwrap();
    dog.store(KR, 0xAAAA).unwrap();
    assert_eq!(dog.iwdg.next(), Some(2 * S));
    dog.bench.now = MS;
    dog.store(KR, 0xAAAA).unwrap();
    assert_eq!(dog.iwdg.next(), Some(MS + 5 * MS));
}

#[test]
fn a_slower_prescaler_stretches_what_is_left_of_the_count() {
    let mut dog = Dog::as_embassy_starts_it();
    dog.bench.now = 1_000 * MS;
    dog.store(KR, 0x5555).unwrap();
    dog.store(PR, 3).unwrap();
    let crossed = dog.iwdg.next().unwrap();
    assert_eq!(crossed, 1_000 * MS + 156_250);
    // 2000 counts of half a millisecond are gone; 2095 and the last are twice as long.
    assert!(!dog.iwdg.bites(crossed + 2_096 * MS - 1));
    assert!(dog.iwdg.bites(crossed + 2_096 * MS));
    dog.bench.now = crossed;
    dog.iwdg.advance(&mut dog.bench.cx()).unwrap();
    assert_eq!(dog.iwdg.next(), Some(crossed + 2_096 * MS));
}

#[test]
fn a_feed_before_the_window_opens_bites() {
    let mut dog = Dog::as_embassy_starts_it();
    dog.store(KR, 0x5555).unwrap();
    dog.bench.now = 100 * MS;
    dog.store(WINR, 1_000).unwrap();
    assert_eq!(dog.iwdg.next(), Some(2_100 * MS), "a window comes with a fresh count");
    dog.bench.now = S;
    dog.store(KR, 0xAAAA).unwrap();
    assert!(dog.iwdg.bites(S));
    let mut dog = Dog::as_embassy_starts_it();
    dog.store(KR, 0x5555).unwrap();
    dog.store(WINR, 1_000).unwrap();
    dog.bench.now = 1_900 * MS;
    dog.store(KR, 0xAAAA).unwrap();
    assert!(!dog.iwdg.bites(1_900 * MS));
}

#[test]
fn an_offset_beyond_winr_is_no_register() {
    let mut dog = Dog::new();
    assert_eq!(dog.store(0x14, 0).unwrap_err().rule, "no such register");
    let loaded = dog.iwdg.load(0x14, Width::Word, &mut dog.bench.cx());
    assert_eq!(loaded.unwrap_err().rule, "no such register");
}
