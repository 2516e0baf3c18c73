//! `shuffle`: one shuffle to watch.

use anyhow::Result;

use crate::command::CommandLine;
use crate::table::host_program;
use crate::workspace::Workspace;

/// Run one shuffle and watch the wheel, the counts and the time
///
/// In process and in virtual time unless `--bench qemu` asks for the image. On a terminal
/// it is a film, otherwise lines of text. Ends with an error if nothing was certified.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// What to shuffle, and what goes wrong: `cargo xtask shuffle -- --help`
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

const EXAMPLES: &str = "Examples:
  cargo xtask shuffle                                           53 cards, chapter 588
  cargo xtask shuffle --profile 588 --cards 52                  one card is missing
  cargo xtask shuffle --profile 583 --fault jam@23              a card sticks
  cargo xtask shuffle --profile 672a --decks 8 --speed 20       eight decks, two passes
  cargo xtask shuffle --profile 583 --bench qemu                the image, at the pace of life
  cargo xtask shuffle --profile 583 --soak 10000 --field 1   ten thousand, as in the field";

/// Runs the command.
pub fn run(workspace: &Workspace, args: &Args) -> Result<()> {
    let arguments = &args.arguments;
    if arguments.iter().any(|word| word == "qemu" || word == "--bench=qemu") {
        return host_program(workspace, "shuffle", arguments);
    }
    // Without a guest neither images nor QEMU are needed.
    CommandLine::cargo().args("build -p hil-tests --bin shuffle").run(workspace)?;
    let line = CommandLine::cargo().args("run --quiet -p hil-tests --bin shuffle --");
    arguments.iter().fold(line, |line, argument| line.arg(argument)).replace(workspace)
}
