//! `judges`: what programs that others wrote say about the raw output.

use anyhow::Result;

use crate::host_program::{HostProgram, words};
use crate::machine::{Machine, on_path};
use crate::workspace::Workspace;

/// Debian's packages, each with a program of its name.
const PROGRAMS: [&str; 2] = ["ent", "dieharder"];

/// Runs the command.
pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    ensure_programs(workspace);
    HostProgram::battery("judges").run(workspace, words()?)
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
