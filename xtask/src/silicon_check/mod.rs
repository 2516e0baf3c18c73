//! `silicon-check`: a new board's first hour, step by step.
//!
//! Each step flashes what it needs, asks the board, compares the answer with what is
//! expected, and says what a person has to measure. The image on the board is
//! `first_day` (`boards/b-l475e-iot01a/src/bin/first_day`), a console on the ST-LINK's
//! serial port, or for `boot` and `can` the reader as it is delivered.

mod board;
mod console;
mod judge;
mod report;
mod steps;

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Result, anyhow, bail};

use crate::flash::chosen;
use crate::probe::Probe;
use crate::workspace::Workspace;
use board::Board;
use report::{Report, Verdict};
use steps::{Need, STEPS, Step};

/// Check a new board, step by step, and write a report
///
/// Without a STEP all of them in order; a step that lacks something is skipped and said so.
/// Results are written to target/silicon-check/report.txt. docs/first-board.md describes it all
/// to a person with a board on the desk.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// The steps to do: see --list [default: all]
    steps: Vec<String>,
    /// Only show the steps, what each needs and what is expected
    #[arg(long)]
    list: bool,
    /// The ST-LINK's serial port [default: the one in /dev/serial/by-id]
    #[arg(long, value_name = "DEVICE")]
    serial: Option<PathBuf>,
    /// A CAN adapter on the bus: a serial device (slcan) or an interface such as can0
    #[arg(long, value_name = "ADAPTER")]
    can: Option<String>,
    /// Let `flash` and `torn-word` erase the board's store: keys, records, taught brands
    #[arg(long)]
    erase_store: bool,
    /// Words of noise to bring to the host
    #[arg(long, default_value_t = 65_536, value_parser = clap::value_parser!(u32).range(8192..))]
    words: u32,
    /// Which probe, when several are connected (see `probe-rs list`)
    #[arg(long, value_name = "VID:PID[:SERIAL]")]
    probe: Option<String>,
}

const EXAMPLES: &str = "Examples:
  cargo xtask silicon-check --list                    what will be done; needs no board
  cargo xtask silicon-check                           every step that needs no more than USB
  cargo xtask silicon-check --erase-store --can /dev/ttyACM1
  cargo xtask silicon-check clocks                    one step again";

/// Runs the command.
pub(crate) fn run(workspace: &Workspace, args: &Args) -> Result<()> {
    let wanted = wanted(&args.steps)?;
    if args.list {
        let steps: Vec<_> = wanted.iter().map(|step| step.describe()).collect();
        let _ = writeln!(std::io::stdout(), "{}", steps.join("\n")); // a pager may have gone
        return Ok(());
    }
    refuse_if_lacking(args, &wanted)?;
    let words = ["reader".to_owned()];
    let (silicon, _) = chosen(workspace, &words)?;
    let probe = Probe::find(args.probe.as_deref())?;
    probe.connected(workspace)?;
    let serial = args.serial.clone();
    let can = args.can.clone();
    let mut board = Board::new(workspace, silicon, probe, serial, can, args.words);
    let report = Report::open(&workspace.root)?;
    let mut failed = Vec::new();
    for step in wanted {
        println!("\n{}", step.describe());
        let verdict = match lacking(args, step) {
            Some(what) => Verdict::Skipped(what),
            None => match (step.run)(&mut board) {
                Ok(findings) => Verdict::Passed(findings),
                Err(problem) => {
                    failed.push(step.name);
                    Verdict::Failed(format!("{problem:#}"))
                }
            },
        };
        println!("{}", verdict.text());
        report.write(step, &verdict, &board.take_transcript())?;
    }
    println!("\nwritten to {}", report.path().display());
    if failed.is_empty() { Ok(()) } else { bail!("failed: {}", failed.join(", ")) }
}

fn wanted(names: &[String]) -> Result<Vec<&'static Step>> {
    let known = || STEPS.iter().map(|step| step.name).collect::<Vec<_>>().join(", ");
    let find = |name: &String| {
        let step = STEPS.iter().find(|step| step.name == name);
        step.ok_or_else(|| anyhow!("unknown step '{name}': steps are {}", known()))
    };
    if names.is_empty() { Ok(STEPS.iter().collect()) } else { names.iter().map(find).collect() }
}

/// What the command line does not give and this step needs.
fn lacking(args: &Args, step: &Step) -> Option<&'static str> {
    match step.need {
        Need::EraseStore if !args.erase_store => Some("give --erase-store: it erases the store"),
        Need::CanAdapter if args.can.is_none() => Some("give --can: it needs a CAN adapter"),
        _ => None,
    }
}

/// A step asked for by name is not skipped.
fn refuse_if_lacking(args: &Args, wanted: &[&Step]) -> Result<()> {
    if args.steps.is_empty() {
        return Ok(());
    }
    match wanted.iter().find_map(|step| lacking(args, step).map(|what| (step.name, what))) {
        Some((name, what)) => bail!("step '{name}': {what}"),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Cli {
        #[command(flatten)]
        args: Args,
    }

    fn args(words: &str) -> Args {
        Cli::try_parse_from(["check"].into_iter().chain(words.split_whitespace())).unwrap().args
    }

    fn refusal(words: &str) -> String {
        let args = args(words);
        let wanted = match wanted(&args.steps) {
            Ok(wanted) => wanted,
            Err(error) => return error.to_string(),
        };
        refuse_if_lacking(&args, &wanted).map_or_else(|error| error.to_string(), |()| String::new())
    }

    #[test]
    fn an_unknown_step_is_one_sentence_with_the_known_ones() {
        assert_eq!(
            refusal("boots"),
            "unknown step 'boots': steps are boot, clocks, noise, watchdog, stack, flash, \
             torn-word, can"
        );
    }

    #[test]
    fn a_step_by_name_is_refused_when_something_is_missing_and_skipped_in_the_whole_run() {
        assert_eq!(refusal("flash"), "step 'flash': give --erase-store: it erases the store");
        assert_eq!(refusal("boot can"), "step 'can': give --can: it needs a CAN adapter");
        assert_eq!(refusal("flash --erase-store"), "");
        assert_eq!(refusal(""), "");
        let skipped = |words: &str| {
            let args = args(words);
            STEPS.iter().filter(|step| lacking(&args, step).is_some()).count()
        };
        assert_eq!(skipped(""), 3);
        assert_eq!(skipped("--erase-store --can can0"), 0);
    }

    #[test]
    fn every_step_says_what_it_shows_and_what_is_expected() {
        for step in &STEPS {
            let text = step.describe();
            assert!(text.contains("expected:") && text.contains(step.name), "{text}");
        }
    }
}
