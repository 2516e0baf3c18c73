//! `battery`: tests shuffles and draws, and shows that the tests can fail.

use anyhow::Result;

use crate::host_program::{HostProgram, words};
use crate::workspace::Workspace;

/// Runs the command.
pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    HostProgram::battery("battery").run(workspace, words()?)
}
