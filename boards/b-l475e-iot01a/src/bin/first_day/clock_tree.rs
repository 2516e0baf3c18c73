//! What the clock tree says of itself, and two ways to measure it from outside.
//!
//! MCO cannot be used: its only pin, PA8, is the reset of the board's Bluetooth module and
//! is on no header. So a timer puts 1 MHz on D9 for a scope, and `time` lets the host
//! compare the device's seconds with its own.

use crate::console::Console;
use core::fmt::Arguments;
use cortex_m::peripheral::DWT;
use embassy_stm32::gpio::OutputType;
use embassy_stm32::pac::{FLASH, PWR, RCC};
use embassy_stm32::peripherals::{PA15, TIM2};
use embassy_stm32::rcc::frequency;
use embassy_stm32::time::Hertz;
use embassy_stm32::timer::low_level::CountingMode;
use embassy_stm32::timer::simple_pwm::{PwmPin, SimplePwm};
use embassy_stm32::{Peri, peripherals};
use embassy_time::{Duration, Instant};

/// 1 MHz on D9 (PA15, TIM2 channel 1): the timer's clock divided by eighty.
pub(crate) struct Wave {
    _pwm: SimplePwm<'static, TIM2>,
}

impl Wave {
    /// Starts it; it stays on.
    pub(crate) fn start(timer: Peri<'static, TIM2>, pin: Peri<'static, PA15>) -> Self {
        let pin = PwmPin::new(pin, OutputType::PushPull);
        let rate = Hertz(1_000_000);
        let mut pwm =
            SimplePwm::new(timer, Some(pin), None, None, None, rate, CountingMode::EdgeAlignedUp);
        pwm.ch1().set_duty_cycle_percent(50);
        pwm.ch1().enable();
        Self { _pwm: pwm }
    }
}

/// Prints the registers that decide the clocks.
pub(crate) fn show(console: &mut Console, _wave: &Wave) -> Result<(), &'static str> {
    let registers: [(&str, u32); 7] = [
        ("RCC_CR", RCC.cr().read().0),
        ("RCC_CFGR", RCC.cfgr().read().0),
        ("RCC_PLLCFGR", RCC.pllcfgr().read().0),
        ("RCC_PLLSAI1CFGR", RCC.pllsai1cfgr().read().0),
        ("RCC_CCIPR", RCC.ccipr().read().0),
        ("FLASH_ACR", FLASH.acr().read().0),
        ("PWR_CR1", PWR.cr1().read().0),
    ];
    for (name, value) in registers {
        console.line(format_args!("{name} {value:08x}"));
    }
    let mut figure = |words: Arguments<'_>| console.line(words);
    figure(format_args!("sysclk source {}", RCC.cfgr().read().sws().to_bits()));
    figure(format_args!("latency {}", FLASH.acr().read().latency()));
    figure(format_args!("timer {}", frequency::<peripherals::TIM2>().0));
    figure(format_args!("rng {}", frequency::<peripherals::RNG>().0));
    figure(format_args!("usart1 {}", frequency::<peripherals::USART1>().0));
    Ok(())
}

/// Two lines, the given number of device seconds apart, and the processor cycles between them.
pub(crate) fn time(console: &mut Console, seconds: u32) -> Result<(), &'static str> {
    if !(1..=40).contains(&seconds) {
        return Err("give 1 to 40 seconds: the cycle counter has 32 bits");
    }
    // SAFETY: nothing else in this image uses the cycle counter.
    let mut core = unsafe { cortex_m::Peripherals::steal() };
    core.DCB.enable_trace();
    core.DWT.enable_cycle_counter();
    console.line(format_args!("begin"));
    let (from, cycles) = (Instant::now(), DWT::cycle_count());
    let whole = Duration::from_secs(u64::from(seconds));
    while from.elapsed() < whole {}
    let cycles = DWT::cycle_count().wrapping_sub(cycles);
    console.line(format_args!("end"));
    console.line(format_args!("cycles {cycles}"));
    Ok(())
}
