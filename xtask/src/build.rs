//! `build`: compiles device images, one board at a time.

use std::fs;

use anyhow::{Context, Result};

use crate::budget::Budget;
use crate::chip::Chip;
use crate::setup;
use crate::workshop::{Board, Workshop};

/// Compile device images for the chip
///
/// Boards are built one after the other, never together: cargo would merge their
/// features. Images land in `target/images/<board>/<device>.elf`.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// One board only, such as qemu or b-l475e-iot01a [default: every board]
    board: Option<String>,
    /// One device only, such as shuffler [default: every binary of the board]
    device: Option<String>,
}

const EXAMPLES: &str = "Examples:
  cargo xtask build                            every image of every board
  cargo xtask build qemu                       every image of the simulator
  cargo xtask build b-l475e-iot01a shuffler    one image
  DEFMT_LOG=debug cargo xtask build qemu       more words in the log, more flash";

/// Runs the command.
pub fn run(workshop: &Workshop, args: &Args) -> Result<()> {
    let boards = workshop.boards_named(args.board.as_deref())?;
    for board in &boards {
        args.device.iter().try_for_each(|device| board.binary(device))?;
    }
    let chip = setup::chip(workshop)?;
    boards.iter().try_for_each(|board| build(workshop, &chip, board, args.device.as_deref()))
}

/// Builds every image of every board, after checking that the boards agree.
pub fn all(workshop: &Workshop, chip: &Chip) -> Result<()> {
    Budget::read(&workshop.root)?.agree(&workshop.boards)?;
    workshop.boards.iter().try_for_each(|board| build(workshop, chip, board, None))
}

/// Builds a board's images, or one of them, and puts them where they are looked for.
pub fn build(workshop: &Workshop, chip: &Chip, board: &Board, device: Option<&str>) -> Result<()> {
    let line = chip.build(board);
    let line = device.into_iter().fold(line, |line, device| line.arg("--bin").arg(device));
    line.run(workshop)?;
    let wanted = |binary: &&String| device.is_none_or(|device| device == *binary);
    board.binaries.iter().filter(wanted).try_for_each(|binary| keep(workshop, chip, board, binary))
}

/// Copies beside and renames, so that a guest running the old image keeps it whole.
fn keep(workshop: &Workshop, chip: &Chip, board: &Board, binary: &str) -> Result<()> {
    let (built, image) = (chip.output(&workshop.root, binary), workshop.image(board, binary));
    let draft = image.with_extension("new");
    let folder = image.parent().context("an image lies in a folder")?;
    fs::create_dir_all(folder)
        .and_then(|()| fs::copy(&built, &draft))
        .and_then(|_| fs::rename(&draft, &image))
        .with_context(|| format!("cannot copy {} to {}", built.display(), image.display()))
}
