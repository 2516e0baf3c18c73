//! The watchdog as a pin: the bench resets a guest whose pin has stopped.
//!
//! QEMU models no watchdog. The pin turns over at every feed, and the bench plays the
//! part of the independent watchdog: outside the guest, and not to be argued with.

use core::cell::RefCell;
use critical_section::Mutex;
use embassy_stm32::gpio::Output;

static PIN: Mutex<RefCell<Option<Output<'static>>>> = Mutex::new(RefCell::new(None));

/// Gives the watchdog its pin.
pub fn wire(pin: Output<'static>) {
    critical_section::with(|cs| PIN.borrow(cs).replace(Some(pin)));
}

/// Turns the pin over.
pub fn feed() {
    critical_section::with(|cs| {
        if let Some(pin) = PIN.borrow_ref_mut(cs).as_mut() {
            pin.toggle();
        }
    });
}
