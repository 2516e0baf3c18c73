//! `table`: the three devices at one table, in QEMU.

use anyhow::Result;

use crate::command::CommandLine;
use crate::workspace::Workspace;
use crate::{build, setup};

/// Boot the three devices in QEMU and work each of them once
///
/// Readies the machine, builds the images, boots them beside the monitor and shows what
/// they say and what their pins do. Ctrl-C ends it and leaves no process behind.
#[derive(clap::Args)]
#[command(after_long_help = "Examples:\n  cargo xtask table\n  cargo xtask table --keep")]
pub struct Args {
    /// Leave the table running for a controller of your own, until Ctrl-C, instead of shuffling
    #[arg(long)]
    keep: bool,
}

/// Runs the command.
pub fn run(workspace: &Workspace, args: &Args) -> Result<()> {
    let arguments: Vec<String> = args.keep.then(|| "--keep".into()).into_iter().collect();
    host_program(workspace, "table", &arguments)
}

/// Readies all that a program of the bench needs, then becomes that program.
pub fn host_program(workspace: &Workspace, program: &str, arguments: &[String]) -> Result<()> {
    let chip = setup::chip(workspace)?;
    setup::ensure_qemu(workspace)?;
    build::all(workspace, &chip)?;
    // Compiled on its own first, where a spinner and a log can show it.
    CommandLine::cargo().args("build -p hil-tests --bin").arg(program).run(workspace)?;
    let line = CommandLine::cargo().args("run --quiet -p hil-tests --bin").arg(program);
    let line = if arguments.is_empty() { line } else { line.arg("--") };
    arguments.iter().fold(line, |line, argument| line.arg(argument)).replace(workspace)
}
