//! What the measuring images share: host files for flash, noise and film, and a stopwatch.
//!
//! An instrument runs on QEMU's `b-l475e-iot01a` as it comes, without the monitor: it
//! measures rules, and rules need no peripheral. It uses the processor, SysTick, the clock
//! tree that QEMU models, and semihosting. It is never flashed.
#![no_std]

pub mod clock;
pub mod context;
pub mod film;
pub mod host;
pub mod noise;
pub mod nor;

use core::panic::PanicInfo;
use cortex_m as _; // the critical section of one core
use croupier::identity::Uid;
use defmt_semihosting as _; // the logger

/// What QEMU ends with after a panic or a hard fault; no instrument uses it for anything else.
const CRASHED: i32 = 101;

/// The serial number from `uid=` on the command line; zeros where it has no digits.
pub fn serial() -> Uid {
    let mut bytes = [0; 12];
    if let Some(text) = host::value("uid") {
        for (byte, at) in bytes.iter_mut().zip((0..).step_by(2)) {
            let digits = text.get(at..at + 2).unwrap_or_default();
            *byte = u8::from_str_radix(digits, 16).unwrap_or(0);
        }
    }
    Uid(bytes)
}

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    let (file, line) = info.location().map_or(("?", 0), |at| (at.file(), at.line()));
    defmt::error!("panic at {=str}:{}", file, line);
    semihosting::process::exit(CRASHED)
}

#[cortex_m_rt::exception(trampoline = true)]
unsafe fn HardFault(frame: &cortex_m_rt::ExceptionFrame) -> ! {
    defmt::error!("hard fault at {=u32:#010x}", frame.pc());
    semihosting::process::exit(CRASHED)
}
