//! `judges`: what programs that others wrote say about the raw output.

use super::{fresh_seed, progress};
use anyhow::{Result, bail, ensure};
use battery::evidence::{EvidenceFile, Kind};
use battery::judges::{DEFAULT_BYTES, Ruling, ask, lay_out_raw, steps, summary};
use battery::production::Production;
use battery::supply::Supply;
use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;

/// Ask the judges.
#[derive(Debug, Args)]
pub struct Judges {
    /// An evidence file of raw output.
    #[arg(required_unless_present = "live", conflicts_with = "live")]
    file: Option<PathBuf>,
    /// Take raw output of the production code on this computer instead.
    #[arg(long)]
    live: bool,
    /// Raw bytes of live output.
    #[arg(long, default_value_t = DEFAULT_BYTES)]
    bytes: u64,
    /// The seed of a run to repeat.
    #[arg(long)]
    seed: Option<u64>,
    /// Where results are kept.
    #[arg(long, default_value = "target/judges")]
    out: PathBuf,
}

impl Judges {
    /// Runs the command; fails if a judge does, or if none could be asked.
    pub fn run(&self) -> Result<ExitCode> {
        std::fs::create_dir_all(&self.out)?;
        let seed = self.seed.map_or_else(fresh_seed, Ok)?;
        let (supply, bytes): (Box<dyn Supply>, u64) = match &self.file {
            None if self.live => (Box::new(Production(Some(seed))), self.bytes),
            None => bail!("name a file of raw output, or ask for --live"),
            Some(path) => {
                let file = EvidenceFile::open(path)?;
                ensure!(
                    file.header.kind == Kind::Raw,
                    "{} holds {}: the judges want raw output",
                    path.display(),
                    file.header.kind.word()
                );
                let bytes = file.header.count;
                (Box::new(file), bytes)
            }
        };
        let raw = self.out.join("raw.bin");
        let bar = progress(bytes, "raw bytes");
        lay_out_raw(supply.as_ref(), bytes, &raw, &bar)?;
        bar.finish_and_clear();
        let bar = progress(steps(), "judges");
        let opinions = ask(&raw, &self.out, &bar)?;
        bar.finish_and_clear();
        let origin = if self.file.is_some() { String::new() } else { format!(" --seed {seed}") };
        let table =
            format!("{}\n{bytes} raw bytes of {}{origin}\n", summary(&opinions), supply.name());
        std::fs::write(self.out.join("summary.md"), &table)?;
        println!("{table}");
        let failed = opinions.iter().any(|opinion| opinion.ruling == Ruling::Fail);
        let none = opinions.iter().all(|opinion| opinion.ruling == Ruling::Absent);
        Ok(if failed || none { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }
}
