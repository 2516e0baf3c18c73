//! The fifteen tests of SP 800-22, as the crate `rng-entropy` implements them.
//!
//! NIST no longer takes them for a claim of entropy; laboratories still ask for them.

use super::{Opinion, Ruling};
use crate::tail;
use anyhow::Result;
use entropy::nist;
use entropy::result::Status;
use entropy::rng::Rng;
use rayon::prelude::*;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Bits of one sequence, as the publication recommends.
const BITS: usize = 1_000_000;

/// Sequences tested, if there is enough data.
const SEQUENCES: usize = 40;

/// The significance level of one sequence.
const LEVEL: f64 = 0.01;

/// False alarms per run, shared among all sub-tests.
const ALARM: f64 = 1e-6;

struct Replay<'a>(std::slice::Iter<'a, u8>);

impl Rng for Replay<'_> {
    fn next_u32(&mut self) -> u32 {
        let mut word = [0; 4];
        for byte in &mut word {
            *byte = self.0.next().copied().unwrap_or_default();
        }
        u32::from_be_bytes(word)
    }
}

pub(super) fn ask(raw: &Path, folder: &Path) -> Result<Opinion> {
    let judge = String::from("SP 800-22 (rng-entropy)");
    let bytes = fs::read(raw)?;
    // A sequence takes a few words more than its bits.
    let sequences: Vec<&[u8]> = bytes.chunks_exact(BITS / 8 + 64).take(SEQUENCES).collect();
    if sequences.len() < 2 {
        return Ok(Opinion {
            judge,
            ruling: Ruling::Absent,
            words: "too little data: two million bits at least".into(),
        });
    }
    let results: Vec<_> = sequences
        .par_iter()
        .map(|sequence| nist::run_all(&mut Replay(sequence.iter()), BITS))
        .collect();
    let mut text = String::from("sub-test | sequences | below 0.01 | smallest p | tail\n");
    let (mut worst, mut worst_name, mut all, mut below) = (0.0, "none", 0, 0);
    for slot in 0..results[0].len() {
        let scored: Vec<f64> = results
            .iter()
            .filter_map(|run| run.get(slot))
            .filter(|r| r.status == Status::Scored)
            .map(|r| r.p_value)
            .collect();
        let low = scored.iter().filter(|&&p| p < LEVEL).count();
        let smallest = scored.iter().copied().fold(1.0, f64::min);
        let ln_tail = tail::poisson(low as u64, scored.len() as f64 * LEVEL).upper;
        let name = results[0][slot].name;
        let _ = writeln!(
            text,
            "{name} | {} | {low} | {smallest:.2e} | {}",
            scored.len(),
            crate::outcome::print_p(ln_tail)
        );
        if ln_tail < worst {
            (worst, worst_name) = (ln_tail, name);
        }
        all += scored.len();
        below += low;
    }
    fs::write(folder.join("sp800-22.txt"), text)?;
    let failed = worst < (ALARM / results[0].len() as f64).ln() || all == 0;
    let words = format!(
        "{} sequences of a million bits, {all} p-values, {:.2} % below 0.01; worst sub-test {worst_name}, tail {}",
        sequences.len(),
        100.0 * below as f64 / all.max(1) as f64,
        crate::outcome::print_p(worst)
    );
    Ok(Opinion { judge, ruling: if failed { Ruling::Fail } else { Ruling::Pass }, words })
}
