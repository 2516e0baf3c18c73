//! What the board's answers must be: limits from RM0351 and the STM32L475's datasheet.

use std::ops::RangeInclusive;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};

/// Processor clock.
const HERTZ: f64 = 80e6;
/// The internal oscillator's tolerance, with some for the host's own jitter, in per cent.
const CLOCK_PERCENT: f64 = 1.0;
/// A page's erase: 22 ms, 24.5 at most, and less where a part is quick.
const ERASE_US: RangeInclusive<u64> = 15_000..=26_000;
/// A double word: 82 us, 91 at most, and the adapter's own work.
const WORD_US: RangeInclusive<u64> = 60..=130;
/// Two seconds of an oscillator of 29.5 to 34 kHz, and the start after it.
const WATCHDOG_S: RangeInclusive<f64> = 1.8..=2.3;

/// The number after `name` on a line of its own.
fn figure(lines: &[String], name: &str) -> Result<u64> {
    let value = lines.iter().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    let value = value.with_context(|| format!("the answer has no line '{name}'"))?;
    let number = value.split(' ').next().unwrap_or_default();
    number.parse().with_context(|| format!("'{name} {value}' is no number"))
}

/// The registers of the clock tree.
pub(super) fn clocks(lines: &[String]) -> Result<Vec<String>> {
    let wanted = [
        ("sysclk source", 3, "3 is the PLL"),
        ("latency", 4, "wait states for 80 MHz at range 1"),
        ("timer", 80_000_000, "Hz"),
        ("rng", 48_000_000, "Hz; the generator needs it"),
    ];
    wanted
        .into_iter()
        .map(|(name, right, why)| {
            let value = figure(lines, name)?;
            ensure!(value == right, "{name} is {value}, expected {right} ({why})");
            Ok(format!("{name} {value}, as expected ({why})"))
        })
        .collect()
}

/// Device seconds against the host's, and processor cycles against device seconds.
pub(super) fn time(lines: &[String], seconds: u32, took: Duration) -> Result<Vec<String>> {
    let off = (took.as_secs_f64() / f64::from(seconds) - 1.0) * 100.0;
    let measured = format!("{seconds} device seconds took {:.3} s", took.as_secs_f64());
    ensure!(off.abs() <= CLOCK_PERCENT, "{measured}: off by {off:.2} %, allowed {CLOCK_PERCENT} %");
    let cycles = figure(lines, "cycles")? as f64 / f64::from(seconds);
    let drift = (cycles / HERTZ - 1.0) * 100.0;
    ensure!(
        drift.abs() < 0.01,
        "{cycles:.0} processor cycles in a device second, expected 80 million"
    );
    Ok(vec![
        format!("{measured}: off by {off:.2} % (allowed {CLOCK_PERCENT} %)"),
        format!("{cycles:.0} processor cycles in a device second (expected 80000000)"),
    ])
}

/// Counts and times of the flash loop.
pub(super) fn flash(lines: &[String], rounds: u64) -> Result<Vec<String>> {
    ensure!(figure(lines, "rounds")? == rounds, "it did not make all {rounds} rounds");
    let span = |name: &str, allowed: RangeInclusive<u64>| -> Result<String> {
        let line = lines.iter().find(|line| line.starts_with(name));
        let line = line.with_context(|| format!("the answer has no line '{name}'"))?;
        let numbers: Vec<u64> = line.split(' ').filter_map(|word| word.parse().ok()).collect();
        let [least, most] = numbers[..] else { bail!("'{line}' has not two numbers") };
        let (from, to) = (allowed.start(), allowed.end());
        let inside = allowed.contains(&least) && allowed.contains(&most);
        ensure!(inside, "{line}: expected {from} to {to} us");
        Ok(format!("{line} (allowed {from} to {to})"))
    };
    Ok(vec![span("erase", ERASE_US)?, span("word", WORD_US)?])
}

/// Raw words: a first look, no proof. The battery comes after it.
pub(super) fn noise(lines: &[String], words: u32) -> Result<(Vec<u32>, Vec<String>)> {
    let digits = lines.concat();
    ensure!(
        digits.len() == words as usize * 8,
        "{} digits came instead of {}: the line lost some",
        digits.len(),
        u64::from(words) * 8
    );
    let word = |at: usize| u32::from_str_radix(&digits[at..at + 8], 16);
    let noise = (0..digits.len()).step_by(8).map(word).collect::<Result<Vec<_>, _>>();
    let noise = noise.context("a word is not hexadecimal")?;
    ensure!(!noise.contains(&0), "a word is zero: the register was not ready");
    let again = noise.windows(2).filter(|pair| pair[0] == pair[1]).count();
    ensure!(again == 0, "{again} words came twice in a row");
    let bits = f64::from(words) * 32.0;
    let ones = noise.iter().map(|word| f64::from(word.count_ones())).sum::<f64>();
    let sigma = (ones - bits / 2.0) / (bits.sqrt() / 2.0);
    ensure!(
        sigma.abs() < 6.0,
        "{:.3} % of the bits are ones: {sigma:+.1} sigma",
        ones / bits * 100.0
    );
    let share = ones / bits * 100.0;
    let said = format!(
        "{words} words, no zero, none twice in a row, {share:.3} % ones ({sigma:+.1} sigma)"
    );
    Ok((noise, vec![said]))
}

/// A watchdog that was not fed.
pub(super) fn watchdog(reset: &str, took: Duration) -> Result<Vec<String>> {
    ensure!(reset.starts_with("reset watchdog"), "the next run says '{reset}'");
    let (seconds, from, to) = (took.as_secs_f64(), WATCHDOG_S.start(), WATCHDOG_S.end());
    ensure!(WATCHDOG_S.contains(&seconds), "it came after {seconds:.2} s, expected {from} to {to}");
    Ok(vec![format!("'{reset}' after {seconds:.2} s (allowed {from} to {to})")])
}

/// A stack that ran over.
pub(super) fn stack(reset: &str) -> Result<Vec<String>> {
    if reset.starts_with("reset watchdog") {
        bail!(
            "the processor locked up: the fault handler itself had no stack, and the watchdog ended it"
        );
    }
    ensure!(reset.starts_with("reset hard-fault"), "the next run says '{reset}'");
    Ok(vec![format!("'{reset}': the overflow was caught and reported")])
}

/// The sum of torn words, and what the runs in between said of their start.
pub(super) fn torn(sum: &str, resets: &[String], rounds: u64) -> Result<Vec<String>> {
    let crash = resets.iter().find(|line| !line.starts_with("reset restart"));
    if let Some(crash) = crash {
        bail!("a word of the page before ended a run: '{crash}'");
    }
    let line = [sum.strip_prefix("torn ").unwrap_or(sum).to_owned()];
    let count = |name: &str| -> Result<u64> {
        let words: Vec<&str> = line[0].split(' ').collect();
        let pair = words.windows(2).find(|pair| pair[0] == name);
        pair.and_then(|pair| pair[1].parse().ok()).with_context(|| format!("'{sum}' lacks {name}"))
    };
    let (blank, whole, ecc, mixed) =
        (count("blank")?, count("whole")?, count("ecc")?, count("mixed")?);
    let all = blank + whole + ecc + mixed;
    ensure!(
        count("rounds")? == rounds && all == rounds,
        "{all} words were seen in {rounds} rounds"
    );
    ensure!(
        whole > 0,
        "no word was ever whole, also with the longest delay: nothing was programmed"
    );
    let mut said = vec![format!(
        "{rounds} resets: {blank} blank, {whole} whole, {ecc} with an ECC error, {mixed} mixed; no run was ended by one"
    )];
    if ecc + mixed == 0 {
        said.push("a reset tore none: cut the supply by hand as docs/first-board.md says".into());
    }
    Ok(said)
}

#[cfg(test)]
mod tests;
