//! `judges`: what programs that others wrote say about the raw output.

use super::{fresh_seed, progress};
use anyhow::{Result, bail, ensure};
use arguments::Judges;
use battery::evidence::{EvidenceFile, Kind};
use battery::judges::{Ruling, ask, lay_out_raw, steps, summary};
use battery::production::Production;
use battery::supply::Supply;
use std::process::ExitCode;

/// Runs the command; fails if a judge does, or if none could be asked.
pub(crate) fn run(arguments: &Judges) -> Result<ExitCode> {
    std::fs::create_dir_all(&arguments.out)?;
    let seed = arguments.seed.map_or_else(fresh_seed, Ok)?;
    let (supply, bytes): (Box<dyn Supply>, u64) = match &arguments.file {
        None if arguments.live => (Box::new(Production(Some(seed))), arguments.bytes),
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
    let raw = arguments.out.join("raw.bin");
    let bar = progress(bytes, "raw bytes");
    lay_out_raw(supply.as_ref(), bytes, &raw, &bar)?;
    bar.finish_and_clear();
    let bar = progress(steps(), "judges");
    let opinions = ask(&raw, &arguments.out, &bar)?;
    bar.finish_and_clear();
    let origin = if arguments.file.is_some() { String::new() } else { format!(" --seed {seed}") };
    let table = format!("{}\n{bytes} raw bytes of {}{origin}\n", summary(&opinions), supply.name());
    std::fs::write(arguments.out.join("summary.md"), &table)?;
    println!("{table}");
    let failed = opinions.iter().any(|opinion| opinion.ruling == Ruling::Fail);
    let none = opinions.iter().all(|opinion| opinion.ruling == Ruling::Absent);
    Ok(if failed || none { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
