//! `measure`: exact instruction counts, measured in QEMU.

use anyhow::Result;

use crate::host_program::{HostProgram, words};
use crate::workspace::Workspace;

/// Runs the command.
pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    HostProgram::bench("measure").run_with_images(workspace, words()?)
}
