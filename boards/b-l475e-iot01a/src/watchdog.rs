//! The independent watchdog, and TIM7 as the interrupt that evaluates the task watchdog.
//!
//! Ten times a second, above every task and every other interrupt, the interrupt looks at the
//! check-ins. Two seconds without a feed, and the chip is reset whatever the processor is doing.

use embassy_stm32::interrupt::{self, InterruptExt, Priority};
use embassy_stm32::pac::iwdg::vals::{Key, Pr};
use embassy_stm32::pac::timer::vals::Urs;
use embassy_stm32::{Peri, pac, peripherals, rcc};

/// 32 kHz / 16 / 4000: two seconds. LSI is between 29.5 and 34 kHz, so 1.9 to 2.2 (datasheet).
const RELOAD: u16 = 3_999;
/// A new setting takes five periods of LSI, 170 us at most; one poll at 4 MHz is 2 us or more.
const POLLS: u32 = 1_000;

/// 80 MHz / 8000 / 1000: ten times a second.
const PRESCALER: u16 = 7_999;
const PERIOD: u16 = 999;

/// Starts the watchdog, which nothing can stop again. Call first of all: what hangs in the
/// start of clocks and drivers hangs for two seconds.
///
/// In the manual's order (RM0351 32.3.2), which embassy's driver does not keep: start, then
/// unlock, set, wait until it is taken over, and feed.
pub fn unleash() {
    // While a debugger halts the processor, nothing could feed it (RM0351 48.16.4).
    pac::DBGMCU.apb1fzr1().modify(|frozen| {
        frozen.set_iwdg(true);
        frozen.set_tim5(true);
        frozen.set_tim7(true);
    });
    pac::IWDG.kr().write(|kr| kr.set_key(Key::START));
    pac::IWDG.kr().write(|kr| kr.set_key(Key::ENABLE));
    pac::IWDG.pr().write(|pr| pr.set_pr(Pr::DIVIDE_BY16));
    pac::IWDG.rlr().write(|rlr| rlr.set_rl(RELOAD));
    let busy = || {
        let status = pac::IWDG.sr().read();
        status.pvu() || status.rvu()
    };
    // Should it take longer, the first period is shorter than two seconds, and no harm done.
    let _ = (0..POLLS).any(|_| !busy());
    feed();
}

fn feed() {
    pac::IWDG.kr().write(|kr| kr.set_key(Key::RESET));
}

/// Starts the evaluation. Call when the clocks run and the start has checked in.
pub fn evaluate_from(_timer: Peri<'static, peripherals::TIM7>) {
    rcc::enable_and_reset::<peripherals::TIM7>();
    // Only an overflow raises the flag, not the update below that loads the prescaler.
    pac::TIM7.cr1().write(|cr1| cr1.set_urs(Urs::COUNTER_ONLY));
    pac::TIM7.psc().write_value(PRESCALER);
    pac::TIM7.arr().write(|arr| arr.set_arr(PERIOD));
    pac::TIM7.egr().write(|egr| egr.set_ug(true));
    pac::TIM7.dier().write(|dier| dier.set_uie(true));
    pac::TIM7.cr1().modify(|cr1| cr1.set_cen(true));
    interrupt::TIM7.set_priority(Priority::P0);
    // SAFETY: the handler is below, and no critical section is built on this interrupt's mask.
    unsafe { interrupt::TIM7.enable() };
}

#[embassy_stm32::interrupt]
fn TIM7() {
    pac::TIM7.sr().write(|sr| sr.set_uif(false));
    adapters::task_watchdog::evaluate(feed);
}
