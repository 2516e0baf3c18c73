//! `faces`: whether the reader can be taught a brand of cards.

use anyhow::Result;

use crate::line::Line;
use crate::workshop::Workshop;

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
pub fn run(workshop: &Workshop, args: &Args) -> Result<()> {
    // Compiled on its own first, where a spinner and a log can show it.
    Line::cargo().args("build -p hil-tests --bin faces").run(workshop)?;
    let line = Line::cargo().args("run --quiet -p hil-tests --bin faces --");
    args.arguments.iter().fold(line, |line, argument| line.arg(argument)).replace(workshop)
}
