//! `measure`: exact instruction counts, measured in QEMU.

use anyhow::Result;

use crate::table::host_program;
use crate::workspace::Workspace;

/// Count instructions in QEMU, with a ratio to a peer measured in the same run
///
/// Readies the machine, builds the measuring image and runs it with one tick per
/// instruction, so that two runs give the same numbers on any host.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Passed on to the measuring program
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

const EXAMPLES: &str = "Examples:
  cargo xtask measure
  cargo xtask measure --json target/measure.json
  cargo xtask measure -- --help                   the program's own options";

/// Runs the command.
pub fn run(workspace: &Workspace, args: &Args) -> Result<()> {
    host_program(workspace, "measure", &args.arguments)
}
