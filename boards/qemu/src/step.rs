//! One time for this guest and the world around it: each waits for the other.
//!
//! At every millisecond of its own time the guest tells the bench and sleeps, its clock held,
//! until the bench lets it go on. Meanwhile the world comes as far, hears what the pins
//! and the UART said in that millisecond, and sets the inputs. However busy the host is,
//! neither sees the other late. UARTs are served while it sleeps: their bytes take no time.
//!
//! Only a guest told `step=world` does so; all others run freely.

use core::cell::RefCell;
use core::sync::atomic::{AtomicBool, Ordering};
use cortex_m::peripheral::scb::SystemHandler;
use critical_section::Mutex;
use embassy_stm32::gpio::Output;
use embassy_stm32::interrupt::{self, InterruptExt, Priority};

use crate::{host, time};

/// Below the UARTs, which must be served while the guest waits, and above every task.
const PRIORITY: u8 = 0x80;

/// The bench sees this pin rise when the guest has come to the end of a step.
static PIN: Mutex<RefCell<Option<Output<'static>>>> = Mutex::new(RefCell::new(None));
static GO: AtomicBool = AtomicBool::new(false);

/// The bench lets the guest go on through an interrupt no device of the chip uses here.
#[embassy_stm32::interrupt]
fn TSC() {
    GO.store(true, Ordering::Relaxed);
}

/// Falls into step with the world, if the bench has one beside this guest.
pub fn fall_in(pin: Output<'static>, scb: &mut cortex_m::peripheral::SCB) {
    if host::value("step").as_deref() != Some("world") {
        return;
    }
    critical_section::with(|cs| PIN.borrow(cs).replace(Some(pin)));
    // SAFETY: nothing relies on SysTick to be above what it now is below.
    unsafe { scb.set_priority(SystemHandler::SysTick, PRIORITY) };
    interrupt::TSC.unpend(); // meant for the run before a reset
    interrupt::TSC.set_priority(Priority::P0);
    // SAFETY: its handler only sets a flag.
    unsafe { interrupt::TSC.enable() };
    time::keep_step();
}

/// Tells the bench and sleeps until it lets the guest go on.
pub fn exchange() {
    GO.store(false, Ordering::Relaxed);
    critical_section::with(|cs| {
        if let Some(pin) = PIN.borrow_ref_mut(cs).as_mut() {
            pin.set_high();
            pin.set_low();
        }
    });
    while !GO.load(Ordering::Relaxed) {
        // Held back, not lost: what comes between the look and the sleep ends the sleep.
        critical_section::with(|_| {
            if !GO.load(Ordering::Relaxed) {
                cortex_m::asm::wfi();
            }
        });
    }
}
