//! What one may ask of `measure`.

use std::path::PathBuf;

use clap::Parser;

use crate::{Arguments, must_exist, must_have_folder};

/// Count instructions in QEMU, with a ratio to a peer measured in the same run
///
/// Readies the machine, builds the measuring image and runs it with one tick per
/// instruction, so that two runs give the same numbers on any host.
#[derive(Debug, Clone, Parser)]
#[command(name = "measure", bin_name = "cargo xtask measure", after_long_help = EXAMPLES)]
pub struct Measure {
    /// Also write the rows as JSON
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Fail when a row is more than 2 % worse than in this file, or is not measured any more
    #[arg(long, value_name = "FILE")]
    pub against: Option<PathBuf>,
    /// Run twice and show that every count repeats exactly
    #[arg(long)]
    pub repeat: bool,
}

impl Arguments for Measure {
    fn check(&self) -> Result<(), String> {
        self.against.as_deref().map_or(Ok(()), must_exist)?;
        self.json.as_deref().map_or(Ok(()), must_have_folder)
    }
}

const EXAMPLES: &str = "Examples:
  cargo xtask measure
  cargo xtask measure --against docs/figures.json
  cargo xtask measure --json target/measure.json";
