//! Fifty power cuts in the middle of writing: what was stored stays stored.

use std::time::Duration;

use hil_tests::{Bench, BenchError, Guest, Line, Setup, plan::Plan};

const CUTS: usize = 50;

/// A boot with a worn store may migrate pages first; far less than this.
const BOOT: Duration = Duration::from_secs(30);

/// The last count the guest said it stored or found, once its power is cut.
fn last_said(bench: &Guest) -> u64 {
    let lines = bench.log().all();
    let count = |line: &Line| line.number_after("stored ").or_else(|| line.number_after("found "));
    lines.iter().rev().find_map(count).expect("it said at least what it found")
}

// CM-08: what is kept survives a power cut at any moment. The image writes a pair that
// must agree, and ends with an error if it ever reads back a mix.
#[test]
fn stored_counts_survive_fifty_power_cuts() -> Result<(), BenchError> {
    let plan = Plan::chosen()?;
    let mut bench =
        Guest::open(&plan, Setup::new("checks").argument("mode", "store").without_watchdog())?;
    let mut stored = 0;
    for cut in 0..CUTS {
        bench.power_on()?;
        let found =
            bench.await_log_within("found ", BOOT)?.number_after("found ").expect("a count");
        assert!(found >= stored, "cut {cut}: {stored} was stored, {found} was found");
        assert!(
            found <= stored + 1,
            "cut {cut}: {stored} was stored, {found} was found, nobody wrote that"
        );
        // A different number of writes each time, so that the cuts fall everywhere.
        for _ in 0..=(cut * 7) % 23 {
            bench.await_log("stored ")?;
        }
        bench.cut_power()?;
        stored = last_said(&bench);
        let said = bench.log().all();
        let failed = said.iter().find(|line| line.message.contains("check failed"));
        assert_eq!(failed, None);
    }
    assert!(stored > CUTS as u64, "only {stored} writes");
    Ok(())
}
