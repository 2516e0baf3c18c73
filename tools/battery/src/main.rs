//! The command line: collect evidence, run the battery, ask the judges.

mod command;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// The exit code of a command that could not do its work; a failed test is 1.
const COULD_NOT: u8 = 2;

/// Collects and tests the randomness of shuffles and draws (docs/randomness.md).
#[derive(Debug, Parser)]
struct Line {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Collect orders, numbers or raw output into an evidence file.
    Collect(command::collect::Collect),
    /// Run the battery on a file or on live output, or examine the battery itself.
    Battery(command::battery::Battery),
    /// Ask independent test programs about raw output.
    Judges(command::judges::Judges),
}

fn main() -> ExitCode {
    let done = match Line::parse().command {
        Command::Collect(collect) => collect.run(),
        Command::Battery(battery) => battery.run(),
        Command::Judges(judges) => judges.run(),
    };
    done.unwrap_or_else(|error| {
        eprintln!("{error:#}");
        ExitCode::from(COULD_NOT)
    })
}
