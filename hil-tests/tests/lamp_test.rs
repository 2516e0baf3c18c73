//! While the lamp-test key is held, all lamps of a device blink together.

use std::time::Duration;

use hil_tests::pins::Mark;
use hil_tests::{Bench, BenchError, open};

/// Half a blink, and how far a loaded machine may be off it.
const HALF: Duration = Duration::from_millis(250);
const SLACK: Duration = Duration::from_millis(150);

fn blinks_while_the_key_is_held(device: &str) -> Result<(), BenchError> {
    let mut bench = open(device)?;
    bench.boot()?;
    let lamps = bench.wiring().lamps.clone();
    let lamps: Vec<&str> = lamps.iter().map(String::as_str).collect();

    let pressed = bench.pins().mark();
    bench.press("lamp-test")?;
    for lamp in &lamps {
        blinks(&*bench, lamp, pressed)?;
    }
    bench.release("lamp-test")?;
    bench.await_pins(&lamps, false)?;
    stays_dark(&*bench, &lamps)
}

/// Three changes, half a blink apart: on, off, on.
fn blinks(bench: &dyn Bench, lamp: &str, pressed: Mark) -> Result<(), BenchError> {
    let (first, mark) = bench.await_edge(lamp, true, pressed)?;
    let (second, mark) = bench.await_edge(lamp, false, mark)?;
    let (third, _) = bench.await_edge(lamp, true, mark)?;
    for half in [second.at - first.at, third.at - second.at] {
        assert!(half.abs_diff(HALF) < SLACK, "{lamp} changed after {half:?}");
    }
    Ok(())
}

/// Nothing is lit for longer than a blink.
fn stays_dark(bench: &dyn Bench, lamps: &[&str]) -> Result<(), BenchError> {
    let released = bench.pins().mark();
    bench.let_pass(HALF * 2)?;
    let lit = bench.pins().edges(released).into_iter().find(|e| lamps.contains(&e.pin.as_str()));
    assert_eq!(lit, None);
    Ok(())
}

#[test]
fn reader_lamps_blink_while_the_key_is_held() -> Result<(), BenchError> {
    blinks_while_the_key_is_held("reader")
}

#[test]
fn shuffler_lamps_blink_while_the_key_is_held() -> Result<(), BenchError> {
    blinks_while_the_key_is_held("shuffler")
}

#[test]
fn paigow_segments_blink_while_the_key_is_held() -> Result<(), BenchError> {
    blinks_while_the_key_is_held("paigow")
}
