//! Examining the battery itself: calibration and uniformity.

use super::progress;
use anyhow::Result;
use battery::calibrate::{measure, quick_rows, rows};
use battery::report::{calibration_table, uniformity_table};
use battery::uniform::{LIMIT, survey};
use std::process::ExitCode;
use std::time::Instant;

/// Orders in one small ideal run.
const SMALL_RUN: u64 = 4096;

/// Runs the calibration set; fails if one row is not as expected.
pub(crate) fn calibrate(quick: bool, seed: u64) -> Result<ExitCode> {
    let rows = if quick { quick_rows() } else { rows() };
    let bar = progress(rows.len() as u64, "rows");
    let start = Instant::now();
    let mut measured = Vec::new();
    for row in rows {
        bar.set_message(row.dealer.name());
        measured.push(measure(row, seed)?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    println!("{}", calibration_table(&measured));
    let wrong = measured.iter().filter(|row| !row.as_expected()).count();
    println!(
        "{} rows, {wrong} not as expected; seed {seed}; {:.0} s",
        measured.len(),
        start.elapsed().as_secs_f64()
    );
    Ok(if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Runs many small ideal runs; fails if the p-values of one test are not uniform.
pub(crate) fn uniformity(runs: u64, seed: u64) -> Result<ExitCode> {
    let bar = progress(runs, "ideal runs");
    let start = Instant::now();
    let spreads = survey(seed, runs, 52, SMALL_RUN, &bar)?;
    bar.finish_and_clear();
    println!("{}", uniformity_table(&spreads));
    let wrong =
        spreads.iter().filter(|spread| spread.smooth && spread.distance().1 < LIMIT).count();
    println!(
        "{runs} runs of {SMALL_RUN} orders; {wrong} tests not uniform; seed {seed}; {:.0} s",
        start.elapsed().as_secs_f64()
    );
    Ok(if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
