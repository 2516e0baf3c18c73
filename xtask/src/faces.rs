//! `faces`: whether the reader can be taught a brand of cards.

use anyhow::Result;

use crate::host_program::{HostProgram, words};
use crate::workspace::Workspace;

/// Runs the command.
pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    HostProgram::bench("faces").run(workspace, words()?)
}
