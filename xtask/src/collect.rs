//! `collect`: evidence for the laboratory, from the functions the devices call.

use anyhow::Result;
use arguments::{Collect, From};

use crate::host_program::{HostProgram, words};
use crate::workspace::{INSTRUMENTS, Workspace};
use crate::{build, setup};

/// The image that runs in the simulated chip.
const IMAGE: &str = "collect";

/// Runs the command.
pub(crate) fn run(workspace: &Workspace, arguments: &Collect) -> Result<()> {
    if arguments.from == From::Qemu {
        let chip = setup::chip(workspace)?;
        setup::ensure_qemu(workspace)?;
        for board in workspace.boards_named(Some(INSTRUMENTS))? {
            build::build(workspace, &chip, board, Some(IMAGE))?;
        }
    }
    HostProgram::battery("collect").run(workspace, words()?)
}
