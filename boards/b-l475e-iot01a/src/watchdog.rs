//! The independent watchdog, and SysTick as the judge of roll call.
//!
//! embassy keeps its time on TIM5, so SysTick is free to be the judge: ten times a
//! second, above every task. Two seconds without a feed, and the chip is reset whatever
//! the processor is doing.

use core::cell::RefCell;
use cortex_m::peripheral::syst::SystClkSource;
use critical_section::Mutex;
use embassy_stm32::Peri;
use embassy_stm32::peripherals::IWDG;
use embassy_stm32::wdg::IndependentWatchdog;

const TIMEOUT_US: u32 = 2_000_000;
const JUDGED_EVERY: u32 = 80_000_000 / 10;

type Watchdog = IndependentWatchdog<'static, IWDG>;
static WATCHDOG: Mutex<RefCell<Option<Watchdog>>> = Mutex::new(RefCell::new(None));

/// Starts the watchdog, which nothing can stop again, and its judge.
pub fn unleash(peripheral: Peri<'static, IWDG>) {
    let mut watchdog = IndependentWatchdog::new(peripheral, TIMEOUT_US);
    watchdog.unleash();
    critical_section::with(|cs| WATCHDOG.borrow(cs).replace(Some(watchdog)));

    let mut core = cortex_m::Peripherals::take().expect("called once, from the board's start");
    core.SYST.set_clock_source(SystClkSource::Core);
    core.SYST.set_reload(JUDGED_EVERY - 1);
    core.SYST.clear_current();
    core.SYST.enable_interrupt();
    core.SYST.enable_counter();
}

#[cortex_m_rt::exception]
fn SysTick() {
    adapters::roll::judge(|| {
        critical_section::with(|cs| {
            if let Some(watchdog) = WATCHDOG.borrow_ref_mut(cs).as_mut() {
                watchdog.pet();
            }
        });
    });
}
