//! The project's commands; one file per command beside this one.
//!
//! Every command readies the machine for itself and prints each line it runs,
//! so nothing is hidden and any step can be repeated by hand.

mod apt;
mod battery;
mod budget;
mod build;
mod chip;
mod collect;
mod command;
mod documents;
mod dsdl;
mod faces;
mod flash;
mod host_program;
mod house_rules;
mod image;
mod judges;
mod log;
mod machine;
mod measure;
mod monitor;
mod mutants;
mod probe;
mod qemu;
mod setup;
mod shuffle;
mod silicon_check;
mod size;
mod sources;
mod table;
mod test;
mod toolchain;
mod version;
mod workspace;

use std::process::ExitCode;

use anyhow::Result;
use arguments::Arguments;
use clap::{Parser, Subcommand};
use workspace::Workspace;

/// Builds, simulates, tests and flashes the table devices.
///
/// Nothing has to be installed first: each command readies the machine for
/// what it needs (`cargo xtask setup` does only that) and prints every cargo,
/// QEMU and apt line it runs.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", version, after_long_help = EXAMPLES)]
struct Cli {
    /// Show all output of the commands that are run, not only of those that fail
    #[arg(long, short, global = true)]
    verbose: bool,
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "Examples:
  cargo xtask table                           three devices in QEMU, in four minutes
  cargo xtask test                            everything CI checks
  cargo xtask build b-l475e-iot01a shuffler   one image
  cargo xtask flash shuffler                  the same image on the real board
  cargo xtask silicon-check                   a new board's first hour, step by step";

#[derive(Subcommand)]
enum Command {
    Setup(setup::Args),
    Build(build::Args),
    Size(size::Args),
    Flash(flash::Args),
    Log(log::Args),
    SiliconCheck(silicon_check::Args),
    Table(arguments::Table),
    Test(test::Args),
    Mutants(mutants::Args),
    #[command(alias = "bench")]
    Measure(arguments::Measure),
    Shuffle(arguments::Shuffle),
    Monitor(arguments::Monitor),
    Dsdl(dsdl::Args),
    Collect(arguments::Collect),
    Battery(arguments::Battery),
    Faces(arguments::Faces),
    Judges(arguments::Judges),
}

impl Command {
    /// Refuses arguments of a host program that cannot work, before anything is built.
    fn check(&self) -> Result<(), String> {
        match self {
            Self::Table(arguments) => arguments.check(),
            Self::Measure(arguments) => arguments.check(),
            Self::Shuffle(arguments) => arguments.check(),
            Self::Monitor(arguments) => arguments.check(),
            Self::Collect(arguments) => arguments.check(),
            Self::Battery(arguments) => arguments.check(),
            Self::Faces(arguments) => arguments.check(),
            Self::Judges(arguments) => arguments.check(),
            _ => Ok(()),
        }
    }
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    // A host program runs in the root, and means the files there.
    if let Err(error) = std::env::set_current_dir(workspace::root()) {
        eprintln!("error: cannot enter the workspace: {error}");
        return ExitCode::FAILURE;
    }
    if let Err(why) = cli.command.check() {
        arguments::refusal::<Cli>(&why).exit();
    }
    match run(cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(cli: Cli) -> Result<()> {
    let workspace = Workspace::open(cli.verbose)?;
    match cli.command {
        Command::Setup(args) => setup::run(&workspace, &args),
        Command::Build(args) => build::run(&workspace, &args),
        Command::Size(args) => size::run(&workspace, &args),
        Command::Flash(args) => flash::run(&workspace, &args),
        Command::Log(args) => log::run(&workspace, &args),
        Command::SiliconCheck(args) => silicon_check::run(&workspace, &args),
        Command::Table(_) => table::run(&workspace),
        Command::Test(args) => test::run(&workspace, &args),
        Command::Mutants(args) => mutants::run(&workspace, &args),
        Command::Measure(_) => measure::run(&workspace),
        Command::Shuffle(args) => shuffle::run(&workspace, &args),
        Command::Monitor(_) => monitor::run(&workspace),
        Command::Dsdl(args) => dsdl::run(&workspace, &args),
        Command::Collect(args) => collect::run(&workspace, &args),
        Command::Battery(_) => battery::run(&workspace),
        Command::Faces(_) => faces::run(&workspace),
        Command::Judges(_) => judges::run(&workspace),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }
}
