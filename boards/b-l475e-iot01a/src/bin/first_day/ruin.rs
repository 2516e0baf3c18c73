//! Ways for a run to end badly, on purpose. The next run says what was seen of it.

use crate::console::Console;
use core::hint::black_box;
use embassy_stm32::Peri;
use embassy_stm32::peripherals::IWDG;
use embassy_stm32::wdg::IndependentWatchdog;

/// The devices' own limit.
const TIMEOUT_US: u32 = 2_000_000;

/// Starts the watchdog and never feeds it.
pub fn starve(
    console: &mut Console,
    watchdog: Option<Peri<'static, IWDG>>,
) -> Result<(), &'static str> {
    unleash(watchdog)?;
    console.line(format_args!("starving"));
    loop {
        cortex_m::asm::nop();
    }
}

/// Runs the stack over. The watchdog is on: it ends a processor that has locked up, and the
/// next run then says `watchdog` where it should say `hard-fault`.
pub fn overflow(
    console: &mut Console,
    watchdog: Option<Peri<'static, IWDG>>,
) -> Result<(), &'static str> {
    unleash(watchdog)?;
    console.line(format_args!("overflowing"));
    deeper(0);
    Err("the stack has no end")
}

fn unleash(watchdog: Option<Peri<'static, IWDG>>) -> Result<(), &'static str> {
    let peripheral = watchdog.ok_or("the watchdog runs already")?;
    IndependentWatchdog::new(peripheral, TIMEOUT_US).unleash();
    Ok(())
}

#[inline(never)]
#[allow(unconditional_recursion)] // that is the point
fn deeper(depth: u32) -> u32 {
    let frame = black_box([depth; 64]);
    deeper(depth.wrapping_add(1)).wrapping_add(black_box(frame)[0])
}
