//! No task holds the main executor for long: at most 80,000 instructions.
//!
//! That is a millisecond at 80 MHz and one instruction a cycle, the scale of all instruction
//! figures. The monitor measures it from outside, in the device's time, in which an instruction
//! takes 32 ns; traps are not counted.

mod wire_common;

use hil_tests::lockstep::holds::{Holds, measure};
use wire_common::{Done, sized};

const MOST_INSTRUCTIONS: u32 = 80_000;

fn holds_are_short(device: &str, rounds: u32) -> Done {
    let Holds { busy, ever } = measure(device, rounds as u16)?;
    println!("{device}: longest hold {busy} instructions at work, {ever} ever");
    assert!(busy <= MOST_INSTRUCTIONS, "{device}: {busy} instructions at work");
    assert!(ever <= MOST_INSTRUCTIONS, "{device}: {ever} instructions");
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
