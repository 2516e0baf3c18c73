//! A source that fails in QEMU: the random core stops in time and releases nothing of it.
//!
//! The core runs in the image `collect`, which writes each number as soon as it has been
//! drawn; so what lies in its file is all that was ever released.

use hil_tests::noise::{Failure, LATE, NUMBER_WORDS, SOON, START_WORDS, Tape, good};
use hil_tests::suite::Done;
use hil_tests::{BenchError, Collected, Collector, Records};

const SERIAL: [u8; 12] = *b"bad source 1";
/// Numbers drawn before the source fails.
const GOOD_NUMBERS: usize = 12;
/// Where in the next number's noise it fails: in its second block.
const FAILS_AT: usize = 33;

/// A tape whose noise fails while the number after the good ones is drawn.
fn failing(failure: &Failure, noise: u64) -> Tape {
    let fair = START_WORDS + GOOD_NUMBERS * NUMBER_WORDS + FAILS_AT;
    let longest = failure.words().take(failure.within + NUMBER_WORDS);
    Tape::of(good(noise).take(fair).chain(longest))
}

/// Checks that `failure` is found in time for what it is, and so latches; how many
/// numbers came out.
fn is_found(failure: &Failure) -> Result<usize, BenchError> {
    let tape = failing(failure, 1);
    let mut device = Collector::open(Records::Numbers(7), 1 << 20, SERIAL, tape.path())?;
    let Collected { records, ended } = device.run()?;
    let ended = ended.unwrap_or_default();
    let found = |cause| ended == format!("Core(Latched({cause:?}))");
    // An end found by the end of the tape, behind `within`, would be `Silent`.
    assert!(failure.causes.iter().any(found), "{}: {ended}", failure.name);

    tape.mend(2);
    let latched = Collected { records: Vec::new(), ended: Some(ended) };
    assert_eq!(device.run()?, latched, "{}: good noise alone woke it", failure.name);
    Ok(records.len())
}

/// PG-16, randomness 6.3: each failure that a few words show. What was drawn before it
/// came out; of the number whose noise failed, nothing.
#[test]
fn a_failed_source_latches_in_time_and_nothing_of_its_block_comes_out() -> Done {
    for failure in &SOON {
        let released = is_found(failure)?;
        // A number whose last word came before the failure had to be seen may be out.
        let most = GOOD_NUMBERS + (FAILS_AT + failure.within - 1) / NUMBER_WORDS;
        assert!((GOOD_NUMBERS..=most).contains(&released), "{}: {released}", failure.name);
    }
    Ok(())
}

/// randomness 6.3: failures so slight that only 2^20 bits show them.
#[test]
fn a_slight_bias_and_a_drift_are_found_by_the_long_window() -> Done {
    for failure in &LATE {
        let released = is_found(failure)?;
        let most = GOOD_NUMBERS + (FAILS_AT + failure.within) / NUMBER_WORDS;
        assert!(released <= most, "{}: {released} of at most {most}", failure.name);
    }
    Ok(())
}

/// randomness 6.3, false alarms: twice the longest window of good noise, and no alarm.
#[test]
fn a_good_source_is_not_accused() -> Done {
    let numbers = 2 * (1 << 15) / NUMBER_WORDS;
    let tape = Tape::of(good(9).take(START_WORDS + numbers * NUMBER_WORDS));
    let mut device = Collector::open(Records::Numbers(7), numbers, SERIAL, tape.path())?;
    let made = device.run()?;
    assert_eq!((made.ended, made.records.len()), (None, numbers));
    assert!(made.records.iter().all(|number| (1..=7).contains(number)));
    Ok(())
}

/// PG-16: a source that is not there.
#[test]
fn a_missing_source_latches_before_anything_is_drawn() -> Done {
    let tape = Tape::good(1);
    let missing = tape.path().with_extension("missing");
    let mut device = Collector::open(Records::Numbers(7), 1, SERIAL, missing)?;
    let ended = Some("Core(Latched(Absent))".into());
    assert_eq!(device.run()?, Collected { records: Vec::new(), ended });
    Ok(())
}
