//! The command line: collect evidence, run the battery, ask the judges.

mod command;

use arguments::{Arguments, Battery, Collect, Judges};
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
    Collect(Collect),
    Battery(Battery),
    Judges(Judges),
}

/// Ends the program if the arguments cannot work.
fn checked<T: Arguments>(arguments: &T) -> &T {
    if let Err(why) = arguments.check() {
        arguments::refusal::<T>(&why).exit();
    }
    arguments
}

fn main() -> ExitCode {
    let done = match Line::parse().command {
        Command::Collect(collect) => command::collect::run(checked(&collect)),
        Command::Battery(battery) => command::battery::run(checked(&battery)),
        Command::Judges(judges) => command::judges::run(checked(&judges)),
    };
    done.unwrap_or_else(|error| {
        eprintln!("{error:#}");
        ExitCode::from(COULD_NOT)
    })
}
