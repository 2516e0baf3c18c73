//! Ways for a run to end badly, on purpose. The next run says what was seen of it.

use crate::console::Console;
use board_b_l475e_iot01a::watchdog;
use core::hint::black_box;

/// Starts the devices' watchdog and never feeds it.
pub(crate) fn starve(console: &mut Console) -> Result<(), &'static str> {
    watchdog::unleash();
    console.line(format_args!("starving"));
    loop {
        cortex_m::asm::nop();
    }
}

/// Runs the stack over. The watchdog is on: it ends a processor that has locked up, and the
/// next run then says `watchdog` where it should say `hard-fault`.
pub(crate) fn overflow(console: &mut Console) -> Result<(), &'static str> {
    watchdog::unleash();
    console.line(format_args!("overflowing"));
    deeper(0);
    Err("the stack has no end")
}

#[inline(never)]
#[allow(unconditional_recursion)] // that is the point
fn deeper(depth: u32) -> u32 {
    let frame = black_box([depth; 64]);
    deeper(depth.wrapping_add(1)).wrapping_add(black_box(frame)[0])
}
