//! `table`: the three devices at one table, in QEMU.

use anyhow::Result;

use crate::line::Line;
use crate::workshop::Workshop;
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
pub fn run(workshop: &Workshop, args: &Args) -> Result<()> {
    let arguments: Vec<String> = args.keep.then(|| "--keep".into()).into_iter().collect();
    bench_program(workshop, "table", &arguments)
}

/// Readies all that a program of the bench needs, then becomes that program.
pub fn bench_program(workshop: &Workshop, program: &str, arguments: &[String]) -> Result<()> {
    let chip = setup::chip(workshop)?;
    setup::ensure_qemu(workshop)?;
    build::all(workshop, &chip)?;
    // Compiled on its own first, where a spinner and a log can show it.
    Line::cargo().args("build -p hil-tests --bin").arg(program).run(workshop)?;
    let line = Line::cargo().args("run --quiet -p hil-tests --bin").arg(program);
    let line = if arguments.is_empty() { line } else { line.arg("--") };
    arguments.iter().fold(line, |line, argument| line.arg(argument)).replace(workshop)
}
