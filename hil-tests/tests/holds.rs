//! No task holds the processor for long: at most a millisecond at work, two ever.
//!
//! Measured by the monitor in the device's time, traps not counted, an instruction at 32 ns: slower
//! than the chip, so a limit kept here is kept there.

mod wire_common;

use hil_tests::lockstep::holds::measure;
use wire_common::{Done, sized};

fn holds_are_short(device: &str, rounds: u32) -> Done {
    let holds = measure(device, rounds as u16)?;
    println!("{device}: longest hold {} us at work, {} us ever", holds.busy_us, holds.ever_us);
    assert!(holds.busy_us <= 1000, "{device}: {} us at work", holds.busy_us);
    assert!(holds.ever_us <= 2000, "{device}: {} us", holds.ever_us);
    Ok(())
}

#[test]
fn reader_never_holds_its_processor_for_long() -> Done {
    holds_are_short("reader", sized(1, 20))
}

#[test]
fn shuffler_never_holds_its_processor_for_long() -> Done {
    holds_are_short("shuffler", 1)
}

#[test]
fn paigow_never_holds_its_processor_for_long() -> Done {
    holds_are_short("paigow", sized(3, 50))
}
