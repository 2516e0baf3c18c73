//! What a PLL may be fed with, multiply to, and change to while it runs.

use super::*;
use crate::models::rcc::tree::{FACTOR, INPUT, NO_SOURCE, OUTPUT, VCO};

#[test]
fn a_plls_registers_are_not_changed_while_it_is_on() {
    let mut chip = Chip::with_pll(EIGHTY).unwrap();
    chip.store(PLLCFGR, EIGHTY).unwrap();
    for config in [EIGHTY ^ 1 << pll::N_SHIFT, EIGHTY ^ pll::R, EIGHTY ^ pll::Q, EIGHTY ^ pll::P] {
        assert_eq!(chip.store(PLLCFGR, config).unwrap_err().rule, PLL_ON);
    }
    for config in [EIGHTY ^ 3, EIGHTY ^ 1 << 4] {
        assert_eq!(chip.store(PLLCFGR, config).unwrap_err().rule, COMMON_ON);
    }
    // The sister is off and may be changed; on, it keeps the common ones from changing.
    chip.store(PLLSAI1CFGR, FORTY_EIGHT).unwrap();
    chip.turn_on(cr::PLLSAI1ON, cr::PLLSAI1RDY);
    let breach = chip.store(PLLSAI1CFGR, FORTY_EIGHT ^ 1 << pll::N_SHIFT).unwrap_err();
    assert_eq!((breach.register, breach.rule), ("RCC_PLLSAI1CFGR", PLL_ON));
    chip.modify(CR, |cr| cr & !cr::PLLON).unwrap();
    assert_eq!(chip.store(PLLCFGR, EIGHTY ^ 1 << 4).unwrap_err().rule, COMMON_ON);
    chip.store(PLLCFGR, EIGHTY ^ 1 << pll::N_SHIFT).unwrap();
}

#[test]
fn a_plls_outputs_may_be_enabled_while_it_is_on_but_sysclk_not_cut_off() {
    let mut chip = Chip::at_eighty();
    chip.store(PLLCFGR, EIGHTY | pll::PEN).unwrap();
    assert_eq!(chip.store(PLLCFGR, EIGHTY & !pll::REN).unwrap_err().rule, SYSCLK_OFF);
}

#[test]
fn a_plls_frequencies_are_held_to_the_manual() {
    let config = |m: u32, n: u32, r: u32| {
        2 | (m - 1) << 4 | n << pll::N_SHIFT | (r / 2 - 1) << pll::R_SHIFT | pll::REN
    };
    let breaches = [
        (config(5, 20, 2), INPUT), // 3.2 MHz
        (config(1, 7, 2), FACTOR),
        (config(2, 87, 8), FACTOR),
        (config(4, 15, 2), VCO),    // 60 MHz
        (config(1, 22, 8), VCO),    // 352 MHz
        (config(1, 11, 2), OUTPUT), // 88 MHz
        (EIGHTY & !3, NO_SOURCE),
        (EIGHTY | 3, NO_SOURCE), // HSE
        (EIGHTY & !3 | 1 | 2 << 4, INPUT),
    ];
    for (value, rule) in breaches {
        let breach = Chip::with_pll(value).map(|_| ()).unwrap_err();
        assert_eq!((breach.register, breach.rule), ("RCC_CR", rule), "{value:#x}");
    }
    for value in [config(4, 16, 2), config(4, 86, 8), config(1, 21, 6), config(2, 20, 2)] {
        Chip::with_pll(value).unwrap();
    }
}

#[test]
fn an_output_that_is_too_fast_is_a_breach_also_when_it_is_enabled_later() {
    let too_fast = EIGHTY ^ (10 ^ 20) << pll::N_SHIFT;
    let mut chip = Chip::with_pll(too_fast & !pll::REN).unwrap();
    assert_eq!(chip.store(PLLCFGR, too_fast).unwrap_err().rule, OUTPUT);
}

#[test]
fn a_pll_needs_its_source_on_and_ready_for_as_long_as_it_is_on() {
    let mut chip = Chip::new();
    chip.store(PLLCFGR, EIGHTY).unwrap();
    let breach = chip.modify(CR, |cr| cr | cr::PLLON | cr::HSION).unwrap_err();
    assert_eq!(breach.rule, NO_SOURCE);
    let mut chip = Chip::with_pll(EIGHTY).unwrap();
    assert_eq!(chip.modify(CR, |cr| cr & !cr::HSION).unwrap_err().rule, NO_SOURCE);
}

#[test]
fn what_sysclk_stands_on_cannot_be_turned_off() {
    let mut chip = Chip::at_eighty();
    chip.modify(CR, |cr| cr & !(cr::PLLON | cr::HSION)).unwrap();
    assert_eq!(chip.load(CR) & (cr::PLLRDY | cr::HSIRDY), cr::PLLRDY | cr::HSIRDY);
    chip.modify(CR, |cr| cr & !cr::MSION).unwrap();
    assert_eq!(chip.load(CR) & cr::MSIRDY, 0);
    let mut chip = Chip::new();
    chip.modify(CR, |cr| cr & !cr::MSION).unwrap();
    assert_eq!(chip.load(CR) & cr::MSIRDY, cr::MSIRDY);
}
