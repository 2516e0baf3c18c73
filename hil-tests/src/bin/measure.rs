//! Counts instructions: runs the measuring image in QEMU and prints what it measured.
//!
//! QEMU gives every instruction the same time, so the counts are exact and the same
//! in every run, on every host.

use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use arguments::{Arguments, Measure};
use hil_tests::lockstep::{Lockstep, holds};
use hil_tests::plan::{Plan, folder};
use hil_tests::report::{self, Row};
use hil_tests::world::shuffler::figures;
use hil_tests::{Bench, BenchError, Guest, Instrument, Setup, wait};

/// An instruction takes 2^5 ns of guest time: more than a SysTick tick, so none is lost.
const SHIFT: u8 = 5;
const REPORT: &str = "report.txt";
const READY: &str = "ready after ";
const PATIENCE: Duration = Duration::from_secs(300);

fn measure() -> Result<Vec<Row>, BenchError> {
    let plan = Plan::load(&folder(), "qemu")?;
    let instrument = Instrument::open("measure")?.icount(SHIFT).argument("report", REPORT);
    let status = instrument.run(PATIENCE)?;
    let refused = |answer: String| BenchError::Refused {
        tool: "the measuring image",
        asked: "measure".into(),
        answer,
    };
    if !status.success() {
        let tail = instrument.log().last(5).join("\n");
        return Err(refused(format!("it ended with {status}; its last log lines:\n{tail}")));
    }
    let text = String::from_utf8_lossy(&instrument.read(REPORT)?).into_owned();
    let mut rows = report::read(&text).map_err(refused)?;
    for device in ["reader", "shuffler", "paigow"] {
        rows.extend(boot_to_ready(&plan, device)?);
        // The shuffler's round is a whole shuffle of 52 cards.
        rows.extend(holds::rows(device, if device == "shuffler" { 1 } else { 10 })?);
    }
    rows.extend(figures::rows().map_err(refused)?);
    Ok(rows)
}

/// Guest time from the reset vector to the ready lamp: with a store fresh from the factory, that
/// holds keys only, and with one that was in use.
fn boot_to_ready(plan: &Plan, device: &str) -> Result<[Row; 2], BenchError> {
    let setup = Setup::new(device).icount(SHIFT).without_watchdog();
    let mut guest = Guest::open(plan, setup)?;
    let mut boot = |store: &str| {
        guest.power_on()?;
        let line = guest.await_log_within(READY, PATIENCE)?;
        guest.cut_power()?;
        let value = line.number_after(READY).unwrap_or(u64::MAX) as f64;
        let name = format!("{device} boot to ready, store {store}");
        Ok::<_, BenchError>(Row { name, value, unit: "us".into(), peer: None })
    };
    Ok([boot("fresh")?, boot("in use")?])
}

/// The device's time over the host's, for a shuffle in step with its world. No row: a host's
/// figure changes from run to run.
fn in_step_speed() -> Result<f64, BenchError> {
    let mut table = Lockstep::usual("shuffler")?;
    table.set_up("shuffler")?;
    let (begun, before) = (Instant::now(), table.now);
    table.shuffle()?;
    Ok(table.now.since(before).get() as f64 / 1000.0 / begun.elapsed().as_secs_f64())
}

fn run(options: &Measure) -> Result<(), BenchError> {
    let before = match options.against.as_deref() {
        Some(path) => Some((path, rows_of(path)?)),
        None => None,
    };
    let rows = measure()?;
    anstream::print!("{}", report::table(&rows));
    anstream::println!(
        "in step, a shuffle of a deck runs at {:.2} times real time on this host",
        in_step_speed()?
    );
    if let Some(path) = &options.json {
        let text = serde_json::to_string_pretty(&rows).expect("rows are plain names and numbers");
        std::fs::write(path, text + "\n")
            .map_err(BenchError::io(format!("writing {}", path.display())))?;
        anstream::println!("written to {}", path.display());
    }
    if let Some((path, before)) = before {
        compare(path, &before, &rows)?;
    }
    if options.repeat {
        let again = measure()?;
        if again != rows {
            let answer = format!("the counts changed:\n{}", report::table(&again));
            return Err(BenchError::Refused {
                tool: "the measuring image",
                asked: "repeat".into(),
                answer,
            });
        }
        anstream::println!(
            "a second run gave the same {} rows, to the last instruction",
            again.len()
        );
    }
    Ok(())
}

/// Fails when a figure is worse than in `path`, which was read before anything ran.
fn compare(path: &Path, before: &[Row], rows: &[Row]) -> Result<(), BenchError> {
    let worse = report::worse(before, rows);
    if worse.is_empty() {
        anstream::println!("no row is worse than in {}", path.display());
        return Ok(());
    }
    let answer = format!("worse than in {}:\n{}", path.display(), worse.join("\n"));
    Err(BenchError::Refused { tool: "the measuring image", asked: "against".into(), answer })
}

fn rows_of(path: &Path) -> Result<Vec<Row>, BenchError> {
    let text = std::fs::read_to_string(path)
        .map_err(BenchError::io(format!("reading {}", path.display())))?;
    serde_json::from_str(&text).map_err(|error| BenchError::Refused {
        tool: "the file of figures",
        asked: path.display().to_string(),
        answer: error.to_string(),
    })
}

fn main() -> ExitCode {
    let options = Measure::read();
    if let Err(error) = ctrlc::set_handler(wait::interrupt) {
        eprintln!("measure: cannot listen for Ctrl-C: {error}");
        return ExitCode::FAILURE;
    }
    match run(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("measure: {error}");
            ExitCode::FAILURE
        }
    }
}
