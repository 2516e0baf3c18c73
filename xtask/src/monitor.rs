//! `monitor`: what is said on a bus or a serial link, decoded as it comes.

use anyhow::Result;

use crate::command::CommandLine;
use crate::workspace::Workspace;

/// Show what is said on a CAN or serial link: who, what, every field, whose seal
///
/// It only listens. The link is `can:` or `serial:`, then HOST:PORT of the simulated table
/// or a device file such as /dev/ttyACM0; `--file` reads a recording instead. Everything
/// after `monitor` goes to the monitor itself.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// The link and the monitor's options: `cargo xtask monitor -- --help` lists them
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

const EXAMPLES: &str = "Try it on the simulated table:
  cargo xtask table --keep                               in one terminal; it prints the bus's port
  cargo xtask monitor can:127.0.0.1:PORT --keys bench       in another

More:
  cargo xtask monitor can:/dev/ttyACM0 --events             a real bus; only what happened once
  cargo xtask monitor serial:/dev/ttyUSB0@115200 --json     one device's link, for another program
  cargo xtask monitor -- --help                             filters, recordings, how to read a line";

/// Runs the command.
pub fn run(workspace: &Workspace, args: &Args) -> Result<()> {
    // Compiled on its own first, where a spinner and a log can show it.
    CommandLine::cargo().args("build -p hil-tests --bin monitor").run(workspace)?;
    let line = CommandLine::cargo().args("run --quiet -p hil-tests --bin monitor --");
    args.arguments.iter().fold(line, |line, argument| line.arg(argument)).replace(workspace)
}
