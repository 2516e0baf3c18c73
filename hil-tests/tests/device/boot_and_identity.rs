//! Every device boots, says who it is and what runs on it, and is soon ready.

use hil_tests::image::Image;
use hil_tests::{BenchError, Mark, open, open_timed};

/// Boot to ready in the device's own time, as the foundation promises.
const READY_WITHIN_US: u64 = 200_000;

// CM-02: the device tells its type, serial number, version and build without being opened.
fn says_who_it_is(device: &str, name: &str) -> Result<(), BenchError> {
    let mut bench = open(device)?;
    bench.power_on()?;
    let identity = bench.await_identity()?;
    assert_eq!(identity.name, format!("croupier {name}"));
    assert_eq!(identity.version, env!("CARGO_PKG_VERSION"));
    assert!(identity.build.contains("rustc"), "{identity:?}");
    assert!(
        identity.serial.len() == 24 && identity.serial.bytes().all(|b| b.is_ascii_hexdigit()),
        "{identity:?}"
    );

    let cause = bench.await_log("reset: ")?.message;
    assert!(cause.starts_with("reset: power on"), "{cause}");
    Ok(())
}

fn is_soon_ready_and_at_rest(device: &str) -> Result<(), BenchError> {
    let mut bench = open_timed(device)?;
    bench.power_on()?;
    let us = bench
        .await_log("ready after ")?
        .number_after("ready after ")
        .expect("a number of microseconds");
    assert!(us <= READY_WITHIN_US, "{device} took {us} us");
    bench.await_pin("ready", true)?;
    for pin in bench.wiring().lamps.iter().map(String::as_str).chain(["fault"]) {
        assert!(!bench.is_on(pin)?, "{pin} is lit at rest");
    }
    Ok(())
}

// CM-02, CM-03: what runs is what was approved, told by a hash reckoned twice.
fn reports_the_hash_of_its_flash(device: &str) -> Result<(), BenchError> {
    let mut bench = open(device)?;
    bench.power_on()?;
    let board = bench.await_identity()?.board;
    let said = bench.await_log("image sha256 ")?.message;
    assert_eq!(said, format!("image sha256 {}", Image::find(&board, device)?.sha256()?));
    Ok(())
}

// A lamp that flashes while a device starts could be taken for an answer (CM-06).
fn lights_no_lamp_while_it_starts(device: &str) -> Result<(), BenchError> {
    let mut bench = open(device)?;
    bench.boot()?;
    bench.await_pin("ready", true)?;
    let outputs = &bench.wiring().outputs;
    // The shuffler's door is locked from the start; a lock tells nobody anything.
    let may_move = ["ready", "watchdog", "door-lock"];
    let may_not_move =
        |pin: &String| outputs.contains_key(pin) && !may_move.contains(&pin.as_str());
    let edges = bench.pins().edges(Mark::default()).into_iter();
    let flashed: Vec<_> = edges.filter(|edge| may_not_move(&edge.pin)).collect();
    assert_eq!(flashed, []);
    Ok(())
}

#[test]
fn reader_says_who_it_is() -> Result<(), BenchError> {
    says_who_it_is("reader", "hole-card reader")
}

#[test]
fn shuffler_says_who_it_is() -> Result<(), BenchError> {
    says_who_it_is("shuffler", "card shuffler")
}

#[test]
fn paigow_says_who_it_is() -> Result<(), BenchError> {
    says_who_it_is("paigow", "Pai Gow generator")
}

#[test]
fn reader_is_soon_ready_and_at_rest() -> Result<(), BenchError> {
    is_soon_ready_and_at_rest("reader")
}

#[test]
fn shuffler_is_soon_ready_and_at_rest() -> Result<(), BenchError> {
    is_soon_ready_and_at_rest("shuffler")
}

#[test]
fn paigow_is_soon_ready_and_at_rest() -> Result<(), BenchError> {
    is_soon_ready_and_at_rest("paigow")
}

#[test]
fn reader_reports_the_hash_of_its_flash() -> Result<(), BenchError> {
    reports_the_hash_of_its_flash("reader")
}

#[test]
fn shuffler_reports_the_hash_of_its_flash() -> Result<(), BenchError> {
    reports_the_hash_of_its_flash("shuffler")
}

#[test]
fn paigow_reports_the_hash_of_its_flash() -> Result<(), BenchError> {
    reports_the_hash_of_its_flash("paigow")
}

#[test]
fn reader_lights_no_lamp_while_it_starts() -> Result<(), BenchError> {
    lights_no_lamp_while_it_starts("reader")
}

#[test]
fn shuffler_lights_no_lamp_while_it_starts() -> Result<(), BenchError> {
    lights_no_lamp_while_it_starts("shuffler")
}

#[test]
fn paigow_lights_no_lamp_while_it_starts() -> Result<(), BenchError> {
    lights_no_lamp_while_it_starts("paigow")
}
