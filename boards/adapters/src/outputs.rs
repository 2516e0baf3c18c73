//! Outputs that know their safe level before they have another.
//!
//! A crashing device has no time to ask drivers what is safe: the panic handler may
//! run with a driver half way through a change. So every output is made through
//! [`output`], which notes the pin's safe level as the very word its port's set/reset
//! register wants, and [`make_safe`] is eight stores that need nothing else alive.

use core::sync::atomic::{AtomicU32, Ordering};
use embassy_stm32::Peri;
use embassy_stm32::gpio::{Level, Output, Pin, Speed};
use embassy_stm32::pac;

/// One set/reset word per port, A to H.
static SAFE: [AtomicU32; 8] = [const { AtomicU32::new(0) }; 8];

/// A pin driven at its safe level now, and again whenever the device crashes.
pub fn output<P: Pin>(pin: Peri<'static, P>, safe: Level) -> Output<'static> {
    resting(pin, safe, safe)
}

/// A pin driven at `rest` now, and at `safe` whenever the device crashes.
pub fn resting<P: Pin>(pin: Peri<'static, P>, rest: Level, safe: Level) -> Output<'static> {
    let bit = match safe {
        Level::High => 1 << pin.pin(),
        Level::Low => 1 << (pin.pin() + 16),
    };
    SAFE[usize::from(pin.port()) % SAFE.len()].fetch_or(bit, Ordering::Relaxed);
    Output::new(pin, rest, Speed::Low)
}

/// The fault lamp: no task drives it, and it is dark until the device crashes.
pub fn fault_lamp<P: Pin>(pin: Peri<'static, P>) {
    let lamp = resting(pin, Level::Low, Level::High);
    core::mem::forget(lamp); // dropping it would let the pin float
}

/// Drives every output made by [`output`] to its safe level.
pub fn make_safe() {
    let ports = [
        pac::GPIOA,
        pac::GPIOB,
        pac::GPIOC,
        pac::GPIOD,
        pac::GPIOE,
        pac::GPIOF,
        pac::GPIOG,
        pac::GPIOH,
    ];
    for (port, safe) in ports.into_iter().zip(&SAFE) {
        let word = safe.load(Ordering::Relaxed);
        // A port without outputs may have its clock off; leave it alone.
        if word != 0 {
            port.bsrr().write_value(pac::gpio::regs::Bsrr(word));
        }
    }
}
