//! What one may ask of `table`.

use clap::Parser;

use crate::Arguments;

/// Boot the three devices in QEMU and work each of them once
///
/// Shows who they are, holds each one's lamp-test key until its lamps have blinked, plays two
/// peeks, and shuffles: a good deck, the wrong one, one with a card missing, one that jams, and
/// a shoe that goes round. Ctrl-C ends it and leaves no process behind.
///
/// The devices are QEMU guests running the same firmware as the boards; keys and lamps
/// are pins of the simulated chip. `BENCH=<rig>` uses a hardware rig in `hil-tests/rigs/`,
/// where the devices take turns on the rig's one board.
#[derive(Debug, Clone, Parser)]
#[command(name = "table", bin_name = "cargo xtask table", after_long_help = EXAMPLES)]
pub struct Table {
    /// Leave the table running for a controller of your own, until Ctrl-C, instead of shuffling
    #[arg(long)]
    pub keep: bool,
}

impl Arguments for Table {}

const EXAMPLES: &str = "Examples:
  cargo xtask table
  cargo xtask table --keep    prints where the bus and the serial links are";
