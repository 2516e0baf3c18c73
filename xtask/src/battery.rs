//! `battery`: tests shuffles and draws, and shows that the tests can fail.

use anyhow::Result;

use crate::command::CommandLine;
use crate::workspace::Workspace;

/// Test the randomness of orders and numbers, from a file or live
///
/// Prints a table and writes a page with plots. Fails if a test rejects. The tests, the
/// rule by which they decide and what they cannot see are told in docs/randomness.md.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// An evidence file, or the battery's options: `cargo xtask battery -- --help`
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

const EXAMPLES: &str = "Examples:
  cargo xtask battery --live                 the production code on this computer
  cargo xtask battery deck.ev                a file that `cargo xtask collect` made
  cargo xtask battery --calibrate --quick    known bad shufflers: each must be rejected
  cargo xtask battery --uniformity           1000 ideal runs: no test may be prejudiced";

/// Runs the command.
pub fn run(workspace: &Workspace, args: &Args) -> Result<()> {
    evidence_program(workspace, "battery", &args.arguments)
}

/// Becomes one of the evidence programs. Optimised: it deals millions of shuffles.
pub fn evidence_program(workspace: &Workspace, program: &str, arguments: &[String]) -> Result<()> {
    // Compiled on its own first, where a spinner and a log can show it.
    CommandLine::cargo().args("build --release -p battery").run(workspace)?;
    let line = CommandLine::cargo().args("run --quiet --release -p battery --").arg(program);
    arguments.iter().fold(line, |line, argument| line.arg(argument)).replace(workspace)
}
