//! What one may ask of `judges`.

use std::path::PathBuf;

use clap::Parser;

use crate::{Arguments, must_exist};

/// Ask independent test programs about raw output
///
/// ent and dieharder are installed with apt-get if they are not there; a judge that
/// cannot be had says so and is left out. Answers are kept under target/judges. The
/// judges and their rules are described in docs/randomness.md; all of them take some minutes.
#[derive(Debug, Clone, Parser)]
#[command(name = "judges", bin_name = "cargo xtask judges", after_long_help = EXAMPLES)]
pub struct Judges {
    /// An evidence file of raw output
    #[arg(required_unless_present = "live", conflicts_with = "live")]
    pub file: Option<PathBuf>,
    /// Take raw output of the production code on this computer instead
    #[arg(long)]
    pub live: bool,
    /// Raw bytes of live output
    #[arg(long, default_value_t = 100_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub bytes: u64,
    /// The seed of a run to repeat
    #[arg(long)]
    pub seed: Option<u64>,
    /// Where results are kept
    #[arg(long, default_value = "target/judges")]
    pub out: PathBuf,
}

impl Arguments for Judges {
    fn check(&self) -> Result<(), String> {
        self.file.as_deref().map_or(Ok(()), must_exist)
    }
}

const EXAMPLES: &str = "Examples:
  cargo xtask judges --live
  cargo xtask collect raw --count 100000000 --out raw.ev
  cargo xtask judges raw.ev";
