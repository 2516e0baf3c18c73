//! What silicon would not report.

use super::*;
use crate::models::flash::cache::{
    CACHE_DURING_OPERATION, POWER_DOWN, RESET_WHILE_ON, STALE_CACHE, TOO_MANY_WAIT_STATES,
};

#[test]
fn each_class_of_clock_needs_its_wait_states() {
    let classes =
        [(16, 0, "0"), (32, 1, "1 wait"), (48, 2, "2 wait"), (64, 3, "3 wait"), (80, 4, "4 wait")];
    for (mhz, states, words) in classes {
        let mut flash = Flash::new();
        let mut bench = Bench::new();
        flash.store(ACR, Width::Word, acr::RESET | states, &mut bench.cx()).unwrap();
        assert_eq!(flash.wait_states(), states);
        flash.check_clock(mhz * 1_000_000, "RCC_CFGR", 3).unwrap();
        let faster = flash.check_clock(mhz * 1_000_000 + 1, "RCC_CFGR", 3).unwrap_err();
        assert_eq!((faster.register, faster.value), ("RCC_CFGR", 3));
        if states > 0 {
            let fewer = acr::RESET | (states - 1);
            flash.store(ACR, Width::Word, fewer, &mut bench.cx()).unwrap();
            let breach = flash.check_clock(mhz * 1_000_000, "RCC_CR", 0xB3).unwrap_err();
            assert!(breach.rule.contains(words), "{}", breach.rule);
            assert!(breach.rule.contains(&format!("up to {mhz} MHz")), "{}", breach.rule);
        }
    }
}

#[test]
fn msi_of_48_mhz_at_no_wait_states_is_a_breach() {
    let breach = Flash::new().check_clock(48_000_000, "RCC_CR", 0xBB).unwrap_err();
    assert_eq!(breach.rule, "HCLK above 32 up to 48 MHz needs 2 wait states (RM0351 3.3.3)");
}

#[test]
fn latency_is_not_lowered_below_what_the_clock_needs() {
    let mut chip = Chip::new();
    let breach = chip.modify(ACR, |acr| acr & !acr::LATENCY | 3).unwrap_err();
    assert_eq!((breach.register, breach.value), ("FLASH_ACR", 0x603));
    assert!(breach.rule.contains("4 wait states"));
    assert_eq!(chip.load(ACR), 0x604);
    for states in 5..=7 {
        let breach = chip.store(ACR, 0x600 | states).unwrap_err();
        assert_eq!(breach.rule, TOO_MANY_WAIT_STATES);
    }
}

#[test]
fn the_driver_with_the_data_cache_left_on_is_a_breach() {
    let breach = Chip::new().driver_writes(START, 7).unwrap_err();
    assert_eq!((breach.value, breach.rule), (START, CACHE_DURING_OPERATION));
    let breach = Chip::new().driver_erases(START).unwrap_err();
    assert_eq!((breach.register, breach.rule), ("FLASH_CR", CACHE_DURING_OPERATION));
}

#[test]
fn the_driver_with_the_data_cache_off_and_reset_after_it_passes() {
    let mut chip = Chip::new();
    for round in 0..2 {
        chip.cache_off().unwrap();
        chip.driver_erases(START).unwrap();
        chip.driver_writes(START, round).unwrap();
        chip.cache_flushed_and_on().unwrap();
        assert_eq!(chip.load(ACR), acr::RESET | 4);
    }
    // Nothing has changed since: the cache may go off and on as it is.
    chip.cache_off().unwrap();
    chip.modify(ACR, |acr| acr | acr::DCEN).unwrap();
    assert_eq!((chip.flash.words_programmed(), chip.flash.pages_erased()), (2, 2));
}

#[test]
fn the_data_cache_on_again_without_its_reset_is_stale() {
    let mut chip = Chip::new();
    chip.cache_off().unwrap();
    chip.driver_writes(START, 7).unwrap();
    let breach = chip.modify(ACR, |acr| acr | acr::DCEN).unwrap_err();
    assert_eq!(breach.rule, STALE_CACHE);
}

#[test]
fn a_reset_of_the_cache_before_it_was_last_on_does_not_count() {
    let mut chip = Chip::new();
    chip.cache_off().unwrap();
    chip.cache_flushed_and_on().unwrap();
    chip.cache_off().unwrap();
    chip.driver_writes(START, 7).unwrap();
    let breach = chip.modify(ACR, |acr| acr | acr::DCEN).unwrap_err();
    assert_eq!(breach.rule, STALE_CACHE);
}

#[test]
fn the_data_cache_may_go_off_and_on_when_nothing_has_changed() {
    let mut chip = Chip::new();
    chip.cache_off().unwrap();
    chip.modify(ACR, |acr| acr | acr::DCEN | 0x8000_0000).unwrap();
    assert_eq!(chip.load(ACR), acr::RESET | 4, "a reserved bit holds nothing");
}

#[test]
fn the_data_cache_is_not_turned_on_while_busy() {
    let mut chip = Chip::unlocked();
    chip.store(CR, cr::PG).unwrap();
    chip.program(START, 1).unwrap();
    chip.program(START + 4, 2).unwrap();
    let breach = chip.cache_flushed_and_on().unwrap_err();
    assert_eq!(breach.rule, CACHE_DURING_OPERATION);
}

#[test]
fn a_cache_is_not_reset_while_it_is_on() {
    for reset in [acr::DCRST, acr::ICRST] {
        let mut chip = Chip::new();
        let breach = chip.modify(ACR, |acr| acr | reset).unwrap_err();
        assert_eq!(breach.rule, RESET_WHILE_ON);
        // Off and reset in one store is too soon.
        let breach = chip.modify(ACR, |acr| acr & !(acr::DCEN | acr::ICEN) | reset).unwrap_err();
        assert_eq!(breach.rule, RESET_WHILE_ON);
        // So is on in the store that resets.
        chip.modify(ACR, |acr| acr & !(acr::DCEN | acr::ICEN)).unwrap();
        let on = if reset == acr::DCRST { acr::DCEN } else { acr::ICEN };
        assert_eq!(chip.modify(ACR, |acr| acr | reset | on).unwrap_err().rule, RESET_WHILE_ON);
        chip.modify(ACR, |acr| acr | reset).unwrap();
    }
}

#[test]
fn flash_is_not_powered_down() {
    let mut chip = Chip::new();
    assert_eq!(chip.modify(ACR, |acr| acr | acr::RUN_PD).unwrap_err().rule, POWER_DOWN);
    assert_eq!(chip.store(PDKEYR, 0x0415_2637).unwrap_err().rule, POWER_DOWN);
}

#[test]
fn keys_come_in_order_and_only_to_a_lock() {
    assert_eq!(Chip::new().store(KEYR, 0xCDEF_89AB).unwrap_err().rule, WRONG_KEY);
    let mut chip = Chip::new();
    chip.store(KEYR, 0x4567_0123).unwrap();
    assert_eq!(chip.load(CR) & cr::LOCK, cr::LOCK);
    assert_eq!(chip.store(KEYR, 0x4567_0123).unwrap_err().rule, WRONG_KEY);
    let mut chip = Chip::new();
    chip.unlock();
    assert_eq!(chip.load(CR) & cr::LOCK, 0);
    assert_eq!(chip.store(KEYR, 0x4567_0123).unwrap_err().rule, NOT_LOCKED);
}

#[test]
fn a_locked_cr_is_not_written_and_locks_again_by_its_own_bit() {
    assert_eq!(Chip::new().store(CR, cr::PG).unwrap_err().rule, LOCKED);
    let mut chip = Chip::unlocked();
    chip.store(CR, cr::PG).unwrap();
    chip.store(CR, cr::LOCK).unwrap();
    assert_eq!(chip.load(CR) & cr::LOCK, cr::LOCK);
    assert_eq!(chip.store(CR, cr::PG).unwrap_err().rule, LOCKED);
}

#[test]
fn option_bytes_unlock_by_key_and_are_not_changed() {
    let mut chip = Chip::new();
    assert_eq!(chip.load(OPTR), 0xFFEF_F8AA);
    assert_eq!(chip.store(OPTKEYR, 0x0819_2A3B).unwrap_err().rule, WRONG_KEY);
    let mut chip = Chip::unlocked();
    chip.store(OPTKEYR, 0x0819_2A3B).unwrap();
    chip.store(OPTKEYR, 0x4C5D_6E7F).unwrap();
    assert_eq!(chip.load(CR) & cr::OPTLOCK, 0);
    for bit in [cr::OPTSTRT, cr::OBL_LAUNCH] {
        assert_eq!(chip.store(CR, bit).unwrap_err().rule, OPTION_BYTES);
    }
    assert_eq!(chip.store(OPTR, 0).unwrap_err().rule, OPTION_BYTES);
    chip.store(CR, cr::OPTLOCK).unwrap();
    assert_eq!(chip.load(CR) & cr::OPTLOCK, cr::OPTLOCK);
}

#[test]
fn nothing_is_begun_while_busy() {
    let busy = || {
        let mut chip = Chip::unlocked();
        chip.store(CR, cr::PG).unwrap();
        chip.program(START, 1).unwrap();
        chip.program(START + 4, 2).unwrap();
        chip.bench.now += 84 * US;
        chip
    };
    let breach = busy().program(START + 8, 3).unwrap_err();
    assert_eq!((breach.register, breach.rule), ("FLASH_SR", BUSY_STORE));
    assert_eq!(busy().store(CR, cr::PER | cr::STRT).unwrap_err().rule, BUSY_CR);
    assert_eq!(busy().store(CR, 0).unwrap_err().rule, BUSY_CR);
    let mut chip = busy();
    chip.bench.now += US;
    chip.program(START + 8, 3).unwrap();
}

#[test]
fn nothing_outside_the_store_is_programmed_or_erased() {
    let mut chip = Chip::unlocked();
    chip.store(CR, cr::PG).unwrap();
    for offset in [0, START - 4, 0x0010_0000, u32::MAX] {
        let breach = chip.program(offset, 1).unwrap_err();
        assert_eq!((breach.value, breach.rule), (offset, OUTSIDE));
    }
    chip.store(CR, 0).unwrap();
    let page = |number: u32| cr::PER | cr::STRT | number << cr::PNB_SHIFT;
    for value in [
        page(0),
        page(240),
        page(239) | cr::BKER,
        cr::STRT | cr::MER1,
        cr::STRT | cr::MER2,
        page(240) | cr::BKER | cr::MER2,
    ] {
        assert_eq!(chip.store(CR, value).unwrap_err().rule, OUTSIDE, "{value:#x}");
    }
    for last in [240, 255] {
        Chip::unlocked().store(CR, page(last) | cr::BKER).unwrap();
    }
}

#[test]
fn a_second_window_can_be_given() {
    const WINDOWS: &[Window] = &[Window { start: START, end: START + 0x1000 }, STORE];
    let (mut flash, mut bench) = (Flash::with_windows(&WINDOWS[..1]), Bench::new());
    assert!(flash.program(START + 0x1000, Width::Word, 0, &mut bench.cx()).is_err());
    let mut flash = Flash::with_windows(WINDOWS);
    flash.program(START + 0x1000, Width::Word, 0, &mut bench.cx()).unwrap();
}

#[test]
fn strt_without_a_kind_of_erase_is_a_breach() {
    assert_eq!(Chip::unlocked().store(CR, cr::STRT).unwrap_err().rule, NO_KIND);
}

#[test]
fn pg_is_not_cleared_between_the_halves_of_a_double_word() {
    let mut chip = Chip::unlocked();
    chip.store(CR, cr::PG).unwrap();
    chip.program(START, 1).unwrap();
    assert_eq!(chip.store(CR, 0).unwrap_err().rule, HALF_A_WORD);
}

#[test]
fn an_offset_outside_the_block_is_no_register() {
    let mut chip = Chip::new();
    assert!(chip.store(0x54, 0).is_err());
    let loaded = chip.flash.load(0x34, Width::Word, &mut chip.bench.cx());
    assert_eq!(loaded.unwrap_err().rule, "no such register");
}
