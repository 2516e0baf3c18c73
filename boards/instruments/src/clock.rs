//! 80 MHz for the processor, and SysTick as a stopwatch.
//!
//! At 80 MHz SysTick counts 12.5 ns. Under `-icount shift=5` an instruction takes 32 ns,
//! so no instruction falls between two counts. The registers are written by hand because
//! embassy's start-up waits for flash wait states, which bare QEMU does not model.

use core::sync::atomic::{AtomicU32, Ordering};

const RCC: u32 = 0x4002_1000;
const CR: *mut u32 = RCC as *mut u32;
const CFGR: *mut u32 = (RCC + 0x08) as *mut u32;
const PLLCFGR: *mut u32 = (RCC + 0x0C) as *mut u32;

/// CR: HSION, HSIRDY, PLLON and PLLRDY.
const HSI_ON: u32 = 1 << 8;
const HSI_READY: u32 = 1 << 10;
const PLL_ON: u32 = 1 << 24;
const PLL_READY: u32 = 1 << 25;
/// PLLCFGR: HSI16, M = 1, N = 10, R = 2 and enabled: 16 MHz * 10 / 2.
const HSI_TIMES_FIVE: u32 = 0b10 | 10 << 8 | 1 << 24;
/// CFGR: the PLL as system clock (SW and SWS).
const SELECT_PLL: u32 = 0b11;
const PLL_SELECTED: u32 = 0b11 << 2;

const SYST_CSR: *mut u32 = 0xE000_E010 as *mut u32;
const SYST_RVR: *mut u32 = 0xE000_E014 as *mut u32;
const SYST_CVR: *mut u32 = 0xE000_E018 as *mut u32;
/// SYST_CSR: processor clock, interrupt, running.
const RUNNING: u32 = 0b111;
/// The longest period of the 24-bit counter.
const FULL: u32 = 0x00FF_FFFF;

static PERIODS: AtomicU32 = AtomicU32::new(0);

/// Brings the processor to 80 MHz and starts the stopwatch. Call first in `main`.
pub fn start() {
    // SAFETY: clock tree and SysTick belong to this module; bits and order follow RM0351 6.2.
    // Flash wait states are left out: QEMU has none, and no instrument runs on silicon.
    unsafe {
        CR.write_volatile(CR.read_volatile() | HSI_ON);
        while CR.read_volatile() & HSI_READY == 0 {}
        PLLCFGR.write_volatile(HSI_TIMES_FIVE);
        CR.write_volatile(CR.read_volatile() | PLL_ON);
        while CR.read_volatile() & PLL_READY == 0 {}
        CFGR.write_volatile(CFGR.read_volatile() | SELECT_PLL);
        while CFGR.read_volatile() & PLL_SELECTED != PLL_SELECTED {}
        // After the clocks: QEMU takes the rate of SysTick when it is started.
        SYST_CSR.write_volatile(0);
        SYST_RVR.write_volatile(FULL);
        SYST_CVR.write_volatile(0);
        SYST_CSR.write_volatile(RUNNING);
    }
}

/// How many counts of SysTick `work` takes: 80 to a microsecond, however long it takes.
///
/// SysTick runs on between two measurements: QEMU starts a stopped one late.
pub fn stopwatch(work: impl FnOnce()) -> u64 {
    // SAFETY: SysTick is used by this module alone; any write of the count restarts it.
    unsafe { SYST_CVR.write_volatile(0) };
    PERIODS.store(0, Ordering::Relaxed);
    work();
    loop {
        let periods = PERIODS.load(Ordering::Relaxed);
        // SAFETY: a read of SysTick.
        let current = unsafe { SYST_CVR.read_volatile() };
        // Zero is the moment between two periods; it belongs to neither.
        if current != 0 && periods == PERIODS.load(Ordering::Relaxed) {
            return u64::from(periods) * (u64::from(FULL) + 1) + u64::from(FULL - current);
        }
    }
}

#[cortex_m_rt::exception]
fn SysTick() {
    let periods = PERIODS.load(Ordering::Relaxed);
    PERIODS.store(periods.wrapping_add(1), Ordering::Relaxed);
}
