//! Independent judges: tests that others wrote, run on raw output and kept as files.
//!
//! They look at the generator's bytes before scaling. They share no code with the
//! battery, so that one mistake cannot hide in both; none of them says anything about
//! shuffling, which is what the battery is for.

mod min_entropy;
mod sp800_22;
mod tools;

use crate::supply::{BYTES_PER_STREAM, Supply};
use anyhow::{Context, Result};
use indicatif::ProgressBar;
use rayon::prelude::*;
use std::fs;
use std::io::{BufWriter, Write};
use std::path::Path;

/// What one judge said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ruling {
    /// Nothing against it.
    Pass,
    /// Not random.
    Fail,
    /// The judge is not installed, or had too little data.
    Absent,
}

/// One line of the summary.
#[derive(Debug, Clone)]
pub struct Opinion {
    /// Who.
    pub judge: String,
    /// What.
    pub ruling: Ruling,
    /// The figures, or the sentence that says what to do.
    pub words: String,
}

/// Writes `bytes` raw bytes of `supply` to `path`: every judge reads the same file.
pub fn lay_out_raw(
    supply: &dyn Supply,
    bytes: u64,
    path: &Path,
    progress: &ProgressBar,
) -> Result<()> {
    let file =
        fs::File::create(path).with_context(|| format!("{} cannot be written", path.display()))?;
    let mut file = BufWriter::new(file);
    let each = BYTES_PER_STREAM as u64;
    let streams = bytes.div_ceil(each);
    for batch in (0..streams).step_by(64) {
        let blocks: Vec<Vec<u8>> = (batch..streams.min(batch + 64))
            .into_par_iter()
            .map(|stream| {
                let mut block = vec![0; each.min(bytes - stream * each) as usize];
                supply.raw(stream, &mut block).map(|()| block)
            })
            .collect::<Result<_>>()?;
        for block in blocks {
            progress.inc(block.len() as u64);
            file.write_all(&block)?;
        }
    }
    Ok(file.flush()?)
}

/// Asks every judge about the raw bytes at `raw`; what each says is kept in `folder`.
pub fn ask(raw: &Path, folder: &Path, progress: &ProgressBar) -> Result<Vec<Opinion>> {
    let mut opinions = Vec::new();
    let next = |name: &str| {
        progress.set_message(name.to_string());
        progress.inc(1);
    };
    next("ent");
    opinions.push(tools::ent(raw, folder)?);
    next("SP 800-22");
    opinions.push(sp800_22::ask(raw, folder)?);
    next("SP 800-90B");
    opinions.push(min_entropy::ask(raw, folder)?);
    opinions.push(tools::entropy_assessment(raw, folder)?);
    for test in tools::DIEHARDER {
        next(test.name);
        opinions.push(tools::dieharder(test, raw, folder)?);
    }
    Ok(opinions)
}

/// How many steps [`ask`] reports.
pub fn steps() -> u64 {
    3 + tools::DIEHARDER.len() as u64
}

/// The summary as a table in Markdown, kept beside the results.
pub fn summary(opinions: &[Opinion]) -> String {
    let mut text = String::from("| judge | ruling | figures |\n|---|---|---|\n");
    for opinion in opinions {
        let ruling = match opinion.ruling {
            Ruling::Pass => "pass",
            Ruling::Fail => "FAIL",
            Ruling::Absent => "not asked",
        };
        text += &format!("| {} | {ruling} | {} |\n", opinion.judge, opinion.words);
    }
    text
}
