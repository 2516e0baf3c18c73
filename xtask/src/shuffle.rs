//! `shuffle`: one shuffle to watch.

use anyhow::Result;
use arguments::{Bench, Shuffle};

use crate::host_program::{HostProgram, words};
use crate::workspace::Workspace;

/// Runs the command.
pub(crate) fn run(workspace: &Workspace, arguments: &Shuffle) -> Result<()> {
    let program = HostProgram::bench("shuffle");
    match arguments.bench {
        // Without a guest neither images nor QEMU are needed.
        Bench::Sim => program.run(workspace, words()?),
        Bench::Qemu => program.run_with_images(workspace, words()?),
    }
}
