//! `build`: compiles device images, one board at a time.

use std::fs;

use anyhow::{Context, Result};

use crate::budget::Budget;
use crate::chip::Chip;
use crate::image::sha256;
use crate::setup;
use crate::workspace::{Board, Workspace};

/// Compile device images for the chip
///
/// Crates are built one after the other, never together: cargo would merge their
/// features. Images land in `target/images/<board>/<device>.elf`. Beside the boards there
/// are `instruments`, which measure the rules in QEMU, and `monitor`, which supplies what
/// QEMU lacks of the chip and runs beside a board's image.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// One board only, or instruments, or monitor [default: all of them]
    board: Option<String>,
    /// One image only, such as shuffler [default: every one]
    device: Option<String>,
}

const EXAMPLES: &str = "Examples:
  cargo xtask build                            everything: boards, instruments, monitor
  cargo xtask build b-l475e-iot01a             every image of the board
  cargo xtask build b-l475e-iot01a shuffler    one image
  cargo xtask build instruments measure          one instrument
  DEFMT_LOG=debug cargo xtask build            more words in the log, more flash";

/// Runs the command.
pub(crate) fn run(workspace: &Workspace, args: &Args) -> Result<()> {
    let boards = workspace.boards_named(args.board.as_deref())?;
    for board in &boards {
        args.device.iter().try_for_each(|device| board.binary(device))?;
    }
    let chip = setup::chip(workspace)?;
    boards.iter().try_for_each(|board| build(workspace, &chip, board, args.device.as_deref()))
}

/// Builds every image of every board, after checking that the boards agree.
pub(crate) fn all(workspace: &Workspace, chip: &Chip) -> Result<()> {
    Budget::read(&workspace.root)?.agree(&workspace.boards)?;
    workspace.boards.iter().try_for_each(|board| build(workspace, chip, board, None))
}

/// Builds a board's images, or one of them, and puts them where they are looked for.
pub(crate) fn build(
    workspace: &Workspace,
    chip: &Chip,
    board: &Board,
    device: Option<&str>,
) -> Result<()> {
    if board.binaries.is_empty() {
        return Ok(());
    }
    let line = chip.build(board);
    let line = device.into_iter().fold(line, |line, device| line.arg("--bin").arg(device));
    line.run(workspace)?;
    let wanted = |binary: &&String| device.is_none_or(|device| device == *binary);
    board.binaries.iter().filter(wanted).try_for_each(|binary| keep(workspace, chip, board, binary))
}

/// Copies beside and renames, so that a guest running the old image keeps it whole.
fn keep(workspace: &Workspace, chip: &Chip, board: &Board, binary: &str) -> Result<()> {
    let (built, image) = (chip.output(&workspace.root, binary), workspace.image(board, binary));
    let draft = image.with_extension("new");
    let folder = image.parent().context("an image lies in a folder")?;
    fs::create_dir_all(folder)
        .and_then(|()| fs::copy(&built, &draft))
        .and_then(|_| fs::rename(&draft, &image))
        .with_context(|| format!("cannot copy {} to {}", built.display(), image.display()))?;
    if board.is_board() {
        let elf = fs::read(&image).with_context(|| format!("cannot read {}", image.display()))?;
        println!("{} {}: image sha256 {}", board.name, binary, sha256(&elf)?);
    }
    Ok(())
}
