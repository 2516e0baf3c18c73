//! `log`: what a device on a real board says, without flashing it again.

use anyhow::{Result, bail};

use crate::flash::chosen;
use crate::probe::Probe;
use crate::workspace::Workspace;

/// Show the log of a device that runs on a real board
///
/// defmt over RTT, through probe-rs. The device runs on; only a debug halt would stop it.
/// The words of the log are in the image that was flashed: build another one, and the log
/// is unreadable until it is flashed too. Ends with Ctrl-C.
#[derive(clap::Args)]
#[command(
    after_long_help = "Examples:\n  cargo xtask log shuffler\n  cargo xtask log b-l475e-iot01a reader"
)]
pub(crate) struct Args {
    /// The device: reader, shuffler or paigow; with more than one board, the board before it
    #[arg(required = true, num_args = 1..=2, value_names = ["BOARD", "DEVICE"])]
    words: Vec<String>,
    /// Which probe, when several are connected (see `probe-rs list`)
    #[arg(long, value_name = "VID:PID[:SERIAL]")]
    probe: Option<String>,
}

/// Runs the command.
pub(crate) fn run(workspace: &Workspace, args: &Args) -> Result<()> {
    let (board, device) = chosen(workspace, &args.words)?;
    let probe = Probe::find(args.probe.as_deref())?;
    let image = workspace.image(board, device);
    if !image.is_file() {
        bail!("{} is not there: flash it with `cargo xtask flash {device}`", image.display());
    }
    probe.connected(workspace)?;
    probe.line("attach").arg(image.display().to_string()).replace(workspace)
}
