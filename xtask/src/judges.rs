//! `judges`: what programs that others wrote say about the raw output.

use anyhow::Result;

use crate::battery::evidence_program;
use crate::machine::{Machine, on_path};
use crate::workspace::Workspace;

/// Ask independent test programs about raw output
///
/// ent and dieharder are installed with apt-get if they are not there; a judge that
/// cannot be had says so and is left out. Answers are kept under target/judges. The
/// judges and their rules are told in docs/randomness.md; all of them take some minutes.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// A file of raw output, or the judges' options: `cargo xtask judges -- --help`
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

const EXAMPLES: &str = "Examples:
  cargo xtask judges --live
  cargo xtask collect raw --count 100000000 --out raw.ev
  cargo xtask judges raw.ev";

/// Debian's packages, each with a program of its name.
const PROGRAMS: [&str; 2] = ["ent", "dieharder"];

/// Runs the command.
pub fn run(workspace: &Workspace, args: &Args) -> Result<()> {
    ensure_programs(workspace);
    evidence_program(workspace, "judges", &args.arguments)
}

/// Gets the programs that are missing; without them the other judges can still be asked.
fn ensure_programs(workspace: &Workspace) {
    let missing: Vec<_> =
        PROGRAMS.into_iter().filter(|program| on_path(program).is_none()).collect();
    if missing.is_empty() {
        return;
    }
    let outcome = match &Machine::look(workspace).apt {
        Some(apt) => apt.install_any(workspace, &missing),
        None => Err(anyhow::anyhow!("there is no apt")),
    };
    if let Err(problem) = outcome {
        eprintln!("judges: cannot install {}: {problem:#}", missing.join(" and "));
    }
}
