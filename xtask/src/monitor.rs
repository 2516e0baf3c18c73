//! `monitor`: what is said on a bus or a serial link, decoded as it comes.

use anyhow::Result;

use crate::host_program::{HostProgram, words};
use crate::workspace::Workspace;

/// Runs the command.
pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    HostProgram::bench("monitor").run(workspace, words()?)
}
