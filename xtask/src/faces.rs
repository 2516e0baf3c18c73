//! `faces`: whether the reader can be taught a brand of cards.

use anyhow::Result;

use crate::command::CommandLine;
use crate::workspace::Workspace;

/// Tell whether the reader can be taught a brand of cards, from pictures of its faces
//
// `--help` goes on to the program, whose options are its own.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub struct Args {
    /// A folder of faces, a sheet, or the program's options
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

/// Runs the command.
pub fn run(workspace: &Workspace, args: &Args) -> Result<()> {
    // Compiled on its own first, where a spinner and a log can show it.
    CommandLine::cargo().args("build -p hil-tests --bin faces").run(workspace)?;
    let line = CommandLine::cargo().args("run --quiet -p hil-tests --bin faces --");
    args.arguments.iter().fold(line, |line, argument| line.arg(argument)).replace(workspace)
}
