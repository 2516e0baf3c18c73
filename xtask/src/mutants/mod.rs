//! `mutants`: small slips put into the rules on purpose, and which of them the tests notice.
//!
//! A test that passes says little until it has been seen to fail. So slips that a person could
//! make are kept in a table, `tests/mutants`, and every one must be noticed by some test. All of
//! them are built at once into one copy of the rules, each behind a switch that the environment
//! throws: one build, then hundreds of short runs.

mod constant;
mod copy;
mod graft;
mod hints;
mod proven;
mod report;
mod rows;
mod run;
mod trial;

use anyhow::{Result, bail};

use crate::workspace::Workspace;
use hints::Hints;
use report::Report;
use rows::Mutant;

/// Put small slips into the rules and see which of them the tests notice
///
/// The slips are rows of tests/mutants/*.toml: what is wrong in words, the requirement it breaks,
/// the file, the text as it is (`from`; `after` is a text before it, where it is there more than
/// once) and as it should not be (`to`). The command copies the rules and their tests to
/// target/mutants, puts every row behind a switch, builds the test programs once, learns which
/// tests come by which slip, and runs those until one fails. A test that does not end has noticed
/// the slip too.
///
/// It fails if a slip is not noticed, unless its row says why no test can notice it (`survives`); if
/// one is noticed whose row says so; if no test even comes by a row that says so; and, with all rows,
/// if fewer than 95 % are noticed, whatever the reasons. At the end it prints the rate and each slip
/// that was not noticed, with its reason. Then write the test, or mend the row.
///
/// The build takes minutes (316 s on two busy cores), then every test program runs twice without a slip;
/// `--only` saves nothing of that.
///
/// To add a row: copy one, and run `cargo xtask mutants --only` with some words of its name. Of
/// worth are the slips that pass for right: the guard behind a tested guard, the missing half of
/// a symmetry, the case that no test helper sends.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// Only the rows with this in their name or file
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Show the rows and do nothing
    #[arg(long)]
    list: bool,
}

const EXAMPLES: &str = "Examples:
  cargo xtask mutants --list                  every slip, by file
  cargo xtask mutants --only src/store        the slips in some files
  cargo xtask mutants --only 'lid opened'     the slips with these words
  cargo xtask mutants                         all, as in cargo xtask test --release-suite";

/// Runs the command.
pub(crate) fn run(workspace: &Workspace, args: &Args) -> Result<()> {
    let rows = rows::read(&workspace.root)?;
    let wanted = |row: &&Mutant| args.only.as_ref().is_none_or(|text| row.has(text));
    let wanted: Vec<&Mutant> = rows.iter().filter(wanted).collect();
    if wanted.is_empty() {
        bail!("no row has '{}' in its name or file", args.only.as_deref().unwrap_or_default());
    }
    if args.list {
        report::list(&wanted);
        return Ok(());
    }
    let copy = copy::make(workspace, &rows)?;
    let programs = copy.build(workspace)?;
    println!("{} rows of {}, {} test programs", wanted.len(), rows.len(), programs.len());
    let programs = trial::without_a_slip(&copy.root, programs)?;
    let mut hints = Hints::read(workspace);
    let whole = wanted.len() == rows.len();
    let report = Report::of(trial::all(&copy.root, &programs, &wanted, &hints), whole);
    hints.learn(report.trials());
    hints.keep(workspace)?;
    report.print();
    report.judge()
}
