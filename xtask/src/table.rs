//! `table`: the three devices at one table, in QEMU.

use anyhow::Result;

use crate::host_program::{HostProgram, words};
use crate::workspace::Workspace;

/// Runs the command.
pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    HostProgram::bench("table").run_with_images(workspace, words()?)
}
