//! No task holds the main executor for long: a millisecond while cards move or a round is played,
//! two at any time.

use hil_tests::lockstep::holds::{Holds, measure};
use hil_tests::suite::{Done, sized};

const BUSY_US: u32 = 1_000;
const EVER_US: u32 = 2_000;

fn holds_are_short(device: &str, rounds: u32) -> Done {
    let Holds { busy, ever } = measure(device, rounds as u16)?;
    println!("{device}: longest hold {busy} us at work, {ever} us ever");
    assert!(busy <= BUSY_US, "{device}: {busy} us at work");
    assert!(ever <= EVER_US, "{device}: {ever} us");
    Ok(())
}

#[test]
fn reader_never_holds_its_processor_for_long() -> Done {
    holds_are_short("reader", sized(2, 20))
}

#[test]
fn shuffler_never_holds_its_processor_for_long() -> Done {
    holds_are_short("shuffler", 1)
}

/// Ten rounds: its record of past rounds grows up to the eighth.
#[test]
fn paigow_never_holds_its_processor_for_long() -> Done {
    holds_are_short("paigow", sized(10, 50))
}
