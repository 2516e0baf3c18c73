//! `flash`: puts a device on a real board and shows its log.

use anyhow::{Result, bail};

use crate::probe::Probe;
use crate::workspace::{Board, Workspace};
use crate::{build, setup};

/// Build a device, flash it onto a real board and show its log
///
/// Needs probe-rs and the board on USB. The log runs until Ctrl-C; `cargo xtask log` shows
/// it again later.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// The device: reader, shuffler or paigow; with more than one board, the board before it
    #[arg(required = true, num_args = 1..=2, value_names = ["BOARD", "DEVICE"])]
    words: Vec<String>,
    /// Only write the image; do not stay for the log
    #[arg(long)]
    no_log: bool,
    /// Which probe, when several are connected (see `probe-rs list`)
    #[arg(long, value_name = "VID:PID[:SERIAL]")]
    probe: Option<String>,
}

const EXAMPLES: &str = "Examples:
  cargo xtask flash shuffler
  cargo xtask flash b-l475e-iot01a shuffler    the board named too
  cargo xtask flash reader --no-log
cargo can do it as well, once the chip's target is installed:
  cargo run --release --target thumbv7em-none-eabihf -p board-b-l475e-iot01a --bin reader";

/// Runs the command.
pub(crate) fn run(workspace: &Workspace, args: &Args) -> Result<()> {
    let (board, device) = chosen(workspace, &args.words)?;
    let probe = Probe::find(args.probe.as_deref())?;
    build::build(workspace, &setup::chip(workspace)?, board, Some(device))?;
    probe.connected(workspace)?;
    let line = probe.line(if args.no_log { "download" } else { "run" });
    line.arg(workspace.image(board, device).display().to_string()).replace(workspace)
}

/// The board and its image, from `DEVICE` or `BOARD DEVICE`.
pub(crate) fn chosen<'a>(
    workspace: &'a Workspace,
    words: &'a [String],
) -> Result<(&'a Board, &'a str)> {
    let (board, device) = match words {
        [device] => (None, device),
        [board, device] => (Some(board.as_str()), device),
        _ => bail!("name a device, or a board and a device"),
    };
    match workspace.flashable_named(board)?[..] {
        [board] => board.binary(device).map(|()| (board, device.as_str())),
        _ => bail!("there is more than one board: name it before the device"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(words: &[&str]) -> String {
        let workspace = Workspace::open(false).unwrap();
        let words: Vec<String> = words.iter().map(|word| (*word).into()).collect();
        match chosen(&workspace, &words) {
            Ok((board, device)) => format!("{}/{device}", board.name),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn the_board_may_be_left_out_while_there_is_one() {
        assert_eq!(said(&["reader"]), "b-l475e-iot01a/reader");
        assert_eq!(said(&["b-l475e-iot01a", "shuffler"]), "b-l475e-iot01a/shuffler");
    }

    #[test]
    fn what_cannot_be_flashed_is_refused_before_anything_is_built() {
        assert!(said(&["dealer"]).starts_with("unknown image 'dealer': 'b-l475e-iot01a' has"));
        assert!(said(&["instruments", "measure"]).ends_with("run in QEMU and are never flashed"));
        assert!(said(&["nowhere", "reader"]).starts_with("unknown board 'nowhere'"));
    }
}
