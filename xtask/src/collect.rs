//! `collect`: evidence for the laboratory, from the functions the devices call.

use anyhow::Result;

use crate::battery::evidence_program;
use crate::workshop::Workshop;

/// Collect orders, numbers or raw output into an evidence file
///
/// The production code makes every record; on this computer only the noise differs. An
/// interrupted collection is continued by the same command line. The file's format, and
/// what a file is evidence for, is told in docs/randomness.md.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// What to collect, and the collector's options: `cargo xtask collect -- --help`
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

const EXAMPLES: &str = "Examples:
  cargo xtask collect orders --cards 52 --count 1000000 --out deck.ev
  cargo xtask collect numbers --cards 7 --count 1000000 --out seats.ev
  cargo xtask collect raw --count 100000000 --out raw.ev    before scaling and shuffling
  cargo xtask battery deck.ev                               then test it";

/// Runs the command.
pub fn run(workshop: &Workshop, args: &Args) -> Result<()> {
    evidence_program(workshop, "collect", &args.arguments)
}
