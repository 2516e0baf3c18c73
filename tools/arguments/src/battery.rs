//! What one may ask of `battery`.

use std::path::PathBuf;

use clap::{Parser, ValueEnum};

use crate::{Arguments, must_exist};

/// Test the randomness of orders and numbers, from a file or live
///
/// Prints a table and writes a page with plots. Fails if a test rejects. The tests, the
/// rule by which they decide and what they cannot see are described in docs/randomness.md.
#[derive(Debug, Clone, Parser)]
#[command(name = "battery", bin_name = "cargo xtask battery", after_long_help = EXAMPLES)]
pub struct Battery {
    /// An evidence file written by `collect`
    #[arg(required_unless_present_any = ["live", "calibrate", "uniformity"], conflicts_with = "live")]
    pub file: Option<PathBuf>,
    /// Test live output of this computer instead of a file
    #[arg(long, value_enum, num_args = 0..=1, default_missing_value = "production")]
    pub live: Option<Live>,
    /// Run the release sizes instead of the sizes for every commit
    #[arg(long)]
    pub release_size: bool,
    /// Examine the battery: every bad shuffler must be rejected, ideal ones must pass
    #[arg(long)]
    pub calibrate: bool,
    /// With --calibrate: only the rows that take seconds
    #[arg(long)]
    pub quick: bool,
    /// Examine the battery: the p-values of this many ideal runs must be uniform
    #[arg(long, value_name = "RUNS", num_args = 0..=1, default_missing_value = "1000",
        value_parser = clap::value_parser!(u64).range(1..))]
    pub uniformity: Option<u64>,
    /// The seed of a run to repeat
    #[arg(long)]
    pub seed: Option<u64>,
    /// Where the HTML page goes
    #[arg(long, default_value = "target/battery/report.html")]
    pub html: PathBuf,
}

/// What runs live.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Live {
    /// The firmware's random core
    Production,
    /// The reference shuffler
    Ideal,
    /// What comes out of the simulated shuffler's wheel
    Wheel,
}

impl Arguments for Battery {
    fn check(&self) -> Result<(), String> {
        if self.quick && !self.calibrate {
            return Err("--quick shortens the calibration: give --calibrate too".into());
        }
        self.file.as_deref().map_or(Ok(()), must_exist)
    }
}

const EXAMPLES: &str = "Examples:
  cargo xtask battery --live                 the production code on this computer
  cargo xtask battery deck.ev                a file that `cargo xtask collect` made
  cargo xtask battery --calibrate --quick    known bad shufflers: each must be rejected
  cargo xtask battery --uniformity           1000 ideal runs: no test may be prejudiced";
