//! `dsdl`: writes whatever must agree with the DSDL.

use anyhow::Result;

use crate::command::CommandLine;
use crate::setup;
use crate::workspace::Workspace;

/// Write the wire's Rust types and docs/messages.md from the DSDL
///
/// Run it after a change under dsdl/croupier. The tests fail until the tree agrees.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// Change nothing; fail if anything would change
    #[arg(long)]
    check: bool,
}

const EXAMPLES: &str = "Examples:
  cargo xtask dsdl
  cargo xtask dsdl --check
  cargo run -p dsdl -- vectors      values and their bytes, for another stack to compare
  cargo run -p dsdl -- namespaces   the folders that pydsdl, nunavut and pycyphal want";

/// Runs the command.
pub(crate) fn run(workspace: &Workspace, args: &Args) -> Result<()> {
    setup::ensure_lints(workspace)?;
    let line = CommandLine::cargo().args("run --quiet --package dsdl --");
    if args.check { line.arg("--check") } else { line }.stream(workspace)
}
