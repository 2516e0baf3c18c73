//! `flash`: puts a device on a real board and shows its log.

use anyhow::{Result, bail};

use crate::line::Line;
use crate::machine::on_path;
use crate::workshop::Workshop;
use crate::{build, setup};

/// Build a device, flash it onto a real board and show its log
///
/// Needs probe-rs and the board on USB. The log runs until Ctrl-C.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// The board, such as b-l475e-iot01a
    board: String,
    /// The device: reader, shuffler or paigow
    device: String,
    /// Only write the image; do not stay for the log
    #[arg(long)]
    no_log: bool,
    /// Which probe, when several are connected (see `probe-rs list`)
    #[arg(long, value_name = "VID:PID[:SERIAL]")]
    probe: Option<String>,
}

const EXAMPLES: &str = "Examples:
  cargo xtask flash b-l475e-iot01a shuffler
  cargo xtask flash b-l475e-iot01a reader --no-log";

/// The part on the board, by probe-rs' name for it.
const PART: &str = "STM32L475VGTx";

/// Runs the command.
pub fn run(workshop: &Workshop, args: &Args) -> Result<()> {
    let boards = workshop.boards_named(Some(&args.board))?;
    for board in boards {
        if board.is_simulated() {
            bail!(
                "board '{}' is simulated and has no flash to write: see it with `cargo xtask table`",
                board.name
            );
        }
        board.binary(&args.device)?;
        if on_path("probe-rs").is_none() {
            bail!("probe-rs is not installed: get it with `cargo install probe-rs-tools --locked`");
        }
        build::build(workshop, &setup::chip(workshop)?, board, Some(&args.device))?;
        let listed = Line::new("probe-rs").arg("list").answer(&workshop.root).unwrap_or_default();
        if listed.contains("No debug probes") {
            bail!("no debug probe was found: connect the board by USB");
        }
        let verb = if args.no_log { "download" } else { "run" };
        let line = Line::new("probe-rs").arg(verb).arg("--chip").arg(PART);
        let line = args.probe.iter().fold(line, |line, probe| line.arg("--probe").arg(probe));
        line.arg(workshop.image(board, &args.device).display().to_string()).replace(workshop)?;
    }
    Ok(())
}
