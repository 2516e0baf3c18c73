//! While the lamp-test key is held, all lamps of a device blink together.
//!
//! In step with the device: a busy host changes no time here.

use croupier::time::Millis;
use hil_tests::lockstep::Lockstep;
use hil_tests::{Bench, BenchError};

/// Half a blink, in the device's time.
const HALF: Millis = Millis::new(250);
/// A lamp changes at the next round of the device's loop.
const ROUND: Millis = Millis::new(6);
/// Three changes and a little: on, off, on.
const HELD: Millis = Millis::new(3 * HALF.get());

fn blinks_while_the_key_is_held(device: &str) -> Result<(), BenchError> {
    let mut table = Lockstep::usual(device)?;
    table.until_known()?;
    let lamps = table.guest.wiring().lamps.clone();
    // A shuffler shows its state in lamps: dark at first, so that each change is the test's.
    let before = lit(&table, &lamps);

    table.guest.hand().set("lamp-test", true)?;
    let seen = watch(&mut table, &lamps, HELD)?;
    for (place, lamp) in lamps.iter().enumerate() {
        let on = seen.iter().position(|levels| levels.iter().all(|on| *on)).expect("all lit");
        let levels: Vec<bool> = seen[on..].iter().map(|levels| levels[place]).collect();
        let changes = changes(&levels);
        assert!(changes.len() >= 2, "{lamp} changed after {changes:?} ms of {}", levels.len());
        let halves = [changes[0], changes[1] - changes[0]];
        assert!(
            halves.iter().all(|half| half.abs_diff(HALF.get()) <= ROUND.get()),
            "{lamp}: {halves:?}"
        );
    }
    let apart = seen.iter().filter(|levels| levels.windows(2).any(|two| two[0] != two[1])).count();
    assert!(apart as u64 <= 4 * ROUND.get(), "{apart} ms in which not all lamps were alike");

    table.guest.hand().set("lamp-test", false)?;
    watch(&mut table, &lamps, Millis::new(HALF.get() / 2))?;
    let after = watch(&mut table, &lamps, HALF * 2)?;
    assert!(after.iter().all(|levels| *levels == before), "the lamps are as they were");
    Ok(())
}

fn lit(table: &Lockstep, lamps: &[String]) -> Vec<bool> {
    lamps.iter().map(|lamp| table.guest.pins().is_on(lamp)).collect()
}

/// The lamps at the end of each millisecond.
fn watch(
    table: &mut Lockstep,
    lamps: &[String],
    length: Millis,
) -> Result<Vec<Vec<bool>>, BenchError> {
    let step = |_| table.step().map(|()| lit(table, lamps));
    (0..length.get()).map(step).collect()
}

/// After how many milliseconds a level changed.
fn changes(levels: &[bool]) -> Vec<u64> {
    let changed = |(_, two): &(usize, &[bool])| two[0] != two[1];
    levels.windows(2).enumerate().filter(changed).map(|(at, _)| at as u64 + 1).collect()
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
