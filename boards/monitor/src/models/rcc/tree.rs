//! The clock tree: from what the registers hold to frequencies, and what the manual allows.

use super::oscillators::{Oscillators, Source};
use super::registers::*;
use crate::breach::Breach;
use crate::clocks::Clocks;
use crate::context::Ns;

const HSI: u32 = 16_000_000;
/// MSI by its range (RM0351 6.4.1).
const MSI: [u32; 12] = [
    100_000, 200_000, 400_000, 800_000, 1_000_000, 2_000_000, 4_000_000, 8_000_000, 16_000_000,
    24_000_000, 32_000_000, 48_000_000,
];

pub(super) const NO_SOURCE: &str =
    "a PLL is on only while its source is on and ready (RM0351, PLL configuration)";
pub(super) const FACTOR: &str = "PLLN is 8 to 86 (RM0351, RCC_PLLCFGR)";
pub(super) const INPUT: &str = "a PLL's VCO input is 4 to 16 MHz (RM0351, RCC_PLLCFGR)";
pub(super) const VCO: &str = "a PLL's VCO output is 64 to 344 MHz (RM0351, RCC_PLLCFGR)";
pub(super) const OUTPUT: &str =
    "SYSCLK and every PLL output is at most 80 MHz in voltage range 1 (RM0351, RCC clocks)";

/// Frequency of MSI, whether on or not.
fn msi(registers: &Registers) -> u32 {
    let cr = registers.get(CR);
    let range = if cr & cr::MSIRGSEL != 0 { cr >> 4 } else { registers.get(CSR) >> 8 };
    MSI.get((range & 0xF) as usize).copied().unwrap_or(0)
}

/// The PLLs' common source and its frequency; none on this board for HSE and for no source.
fn pll_source(registers: &Registers) -> Option<(Source, u32)> {
    match registers.get(PLLCFGR) & pll::SRC {
        1 => Some((Source::Msi, msi(registers))),
        2 => Some((Source::Hsi, HSI)),
        _ => None,
    }
}

/// Frequency into every PLL's VCO.
fn vco_input(registers: &Registers) -> u32 {
    let divider = (registers.get(PLLCFGR) & pll::M) >> 4;
    pll_source(registers).map_or(0, |(_, hertz)| hertz / (divider + 1))
}

/// Frequency of one PLL's VCO.
fn vco(registers: &Registers, which: u32) -> u32 {
    let factor = (registers.get(which) & pll::N) >> pll::N_SHIFT;
    vco_input(registers).saturating_mul(factor)
}

/// One PLL's outputs P, Q and R; zero when not enabled.
fn outputs(registers: &Registers, which: u32) -> [u32; 3] {
    let (config, vco) = (registers.get(which), vco(registers, which));
    let output = |enable, divider| if config & enable != 0 { vco / divider } else { 0 };
    [
        output(pll::PEN, if config & pll::P != 0 { 17 } else { 7 }),
        output(pll::QEN, 2 * (((config & pll::Q) >> pll::Q_SHIFT) + 1)),
        output(pll::REN, 2 * (((config & pll::R) >> pll::R_SHIFT) + 1)),
    ]
}

/// The clocks with these registers.
pub(super) fn clocks(registers: &Registers, oscillators: &Oscillators, now: Ns) -> Clocks {
    let is_ready = |source| oscillators.is_ready(source, now);
    let (cfgr, ccipr) = (registers.get(CFGR), registers.get(CCIPR));
    let sysclk = match cfgr & 3 {
        0 => msi(registers),
        1 => HSI,
        3 => outputs(registers, PLLCFGR)[2],
        _ => 0,
    };
    let hclk = sysclk >> ahb_shift(cfgr >> 4 & 0xF);
    let clk48 = match ccipr >> 26 & 3 {
        1 if is_ready(Source::PllSai1) => outputs(registers, PLLSAI1CFGR)[1],
        2 if is_ready(Source::Pll) => outputs(registers, PLLCFGR)[1],
        3 if is_ready(Source::Msi) => msi(registers),
        _ => 0,
    };
    Clocks {
        hclk,
        pclk1: hclk >> apb_shift(cfgr >> 8 & 7),
        pclk2: hclk >> apb_shift(cfgr >> 11 & 7),
        clk48,
        ahb1: registers.get(AHB1ENR),
        ahb2: registers.get(AHB2ENR),
        apb1: registers.get(APB1ENR1),
        apb2: registers.get(APB2ENR),
    }
}

/// HPRE as a shift: 1, then 2 to 16, then 64 to 512 (there is no 32).
fn ahb_shift(hpre: u32) -> u32 {
    match hpre {
        0..=7 => 0,
        8..=11 => hpre - 7,
        _ => hpre - 6,
    }
}

/// PPRE as a shift: 1, then 2 to 16.
fn apb_shift(ppre: u32) -> u32 {
    ppre.saturating_sub(3)
}

/// Whether the PLLs that are on may run so; `register` and `value` are what was written.
pub(super) fn check_plls(
    registers: &Registers,
    oscillators: &Oscillators,
    now: Ns,
    register: &'static str,
    value: u32,
) -> Result<(), Breach> {
    let breach = |rule| Err(Breach::new(register, value, rule));
    let on = registers.get(CR) & cr::ALL_PLLS;
    if on == 0 {
        return Ok(());
    }
    if !pll_source(registers).is_some_and(|(source, _)| oscillators.is_ready(source, now)) {
        return breach(NO_SOURCE);
    }
    if !(4_000_000..=16_000_000).contains(&vco_input(registers)) {
        return breach(INPUT);
    }
    let plls = [(cr::PLLON, PLLCFGR), (cr::PLLSAI1ON, PLLSAI1CFGR), (cr::PLLSAI2ON, PLLSAI2CFGR)];
    for (bit, which) in plls {
        if on & bit == 0 {
            continue;
        }
        if !(8..=86).contains(&((registers.get(which) & pll::N) >> pll::N_SHIFT)) {
            return breach(FACTOR);
        }
        if !(64_000_000..=344_000_000).contains(&vco(registers, which)) {
            return breach(VCO);
        }
        if outputs(registers, which).into_iter().any(|hertz| hertz > 80_000_000) {
            return breach(OUTPUT);
        }
    }
    Ok(())
}
