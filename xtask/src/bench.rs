//! `bench`: exact instruction counts, measured in QEMU.

use anyhow::Result;

use crate::table::bench_program;
use crate::workshop::Workshop;

/// Count instructions in QEMU, with a ratio to a peer measured in the same run
///
/// Readies the machine, builds the bench image and runs it with one tick per
/// instruction, so that two runs give the same numbers on any host.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Passed on to the bench
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

const EXAMPLES: &str = "Examples:
  cargo xtask bench
  cargo xtask bench --json target/bench.json
  cargo xtask bench -- --help                   the bench's own options";

/// Runs the command.
pub fn run(workshop: &Workshop, args: &Args) -> Result<()> {
    bench_program(workshop, "bench", &args.arguments)
}
