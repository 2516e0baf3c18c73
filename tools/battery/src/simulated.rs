//! The firmware's own random core in the simulated chip: one guest for each stream.
//!
//! Every stream is a device started for the first time, with noise of its own: the
//! host's random device, a part of a file that a real board filled, or with a seed a file
//! of the words that [`crate::production`] would be fed. So a seeded stream is the same,
//! byte for byte, from either.

use crate::production::{RAW_REQUEST, seeded_noise, serial};
use crate::supply::Supply;
use anyhow::{Context, Result, bail, ensure};
use hil_tests::{Collector, Records};
use rand_core::Rng;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Words of noise in a block, as the core's gate reads them.
const BLOCK_WORDS: usize = 20;
/// Bytes that a block of noise gives.
const BLOCK_YIELD: usize = 32;
/// Blocks that the start takes, and some to spare for a block that is thrown away.
const START_BLOCKS: usize = 16;

/// The production core in QEMU, by where its noise comes from.
#[derive(Debug, Clone)]
pub enum Simulated {
    /// The host's random device.
    Random,
    /// Words made from this seed.
    Seeded(u64),
    /// Raw words that a board gave, each stream its own part of them.
    Recorded(PathBuf),
}

impl Simulated {
    /// `count` records of a stream, for which the core answers `requests`, each with at
    /// most `drawn` bytes of its output.
    fn collect(
        &self,
        stream: u64,
        records: Records,
        count: usize,
        (requests, drawn): (usize, usize),
    ) -> Result<Vec<u8>> {
        let blocks = START_BLOCKS + requests * (1 + drawn.div_ceil(BLOCK_YIELD));
        let noise = match self {
            Self::Random => None,
            Self::Seeded(seed) => Some(noise_file(*seed, stream, blocks * BLOCK_WORDS)?),
            Self::Recorded(file) => Some(part(file, stream, blocks * BLOCK_WORDS)?),
        };
        let source = noise.as_ref().map_or(Path::new("/dev/urandom"), NamedTempFile::path);
        let mut collector = Collector::open(records, count, serial(stream), source.into())?;
        let made = collector.run()?;
        match made.ended {
            None => Ok(made.records),
            Some(fault) => bail!("the random core in QEMU gave no record: {fault}"),
        }
    }
}

/// Bytes of output that `draws` draws take at most, with room for draws that are refused.
fn drawn(draws: usize) -> usize {
    2 * draws + 4 * BLOCK_YIELD
}

fn noise_file(seed: u64, stream: u64, words: usize) -> Result<NamedTempFile> {
    let file = NamedTempFile::new().context("a file for the noise cannot be made")?;
    let (mut noise, mut out) = (seeded_noise(seed, stream), BufWriter::new(&file));
    for _ in 0..words {
        out.write_all(&noise.next_u32().to_le_bytes())?;
    }
    out.flush()?;
    drop(out);
    Ok(file)
}

/// The stream's own words of a recording; no word serves twice.
fn part(recording: &Path, stream: u64, words: usize) -> Result<NamedTempFile> {
    let about = || format!("the noise in {}", recording.display());
    let recorded = std::fs::read(recording).with_context(about)?;
    let bytes = words * 4;
    let begin = usize::try_from(stream)?.saturating_mul(bytes);
    let own = recorded.get(begin..begin.saturating_add(bytes)).with_context(|| {
        let (held, needed) = (recorded.len() / 4, begin / 4 + words);
        format!("{} holds {held} words and {needed} are needed", recording.display())
    })?;
    let mut file = NamedTempFile::new().context("a file for the noise cannot be made")?;
    file.write_all(own)?;
    Ok(file)
}

/// Spreads `bytes` over `values`, each of as many bytes as there are for it.
fn widen(bytes: &[u8], values: &mut [u16], width: usize) -> Result<()> {
    ensure!(
        bytes.len() == width * values.len(),
        "QEMU wrote {} bytes instead of {}",
        bytes.len(),
        width * values.len()
    );
    for (value, bytes) in values.iter_mut().zip(bytes.chunks_exact(width)) {
        *value = bytes.iter().rev().fold(0, |value, &byte| value << 8 | u16::from(byte));
    }
    Ok(())
}

impl Supply for Simulated {
    fn name(&self) -> String {
        match self {
            Self::Recorded(_) => "production random core, noise of a board".into(),
            _ => "production random core".into(),
        }
    }

    fn streams_at_once(&self) -> usize {
        1
    }

    fn deal(&self, stream: u64, cards: usize, orders: &mut [u16]) -> Result<()> {
        let count = orders.len() / cards;
        let made = self.collect(stream, Records::Orders(cards), count, (count, drawn(cards)))?;
        widen(&made, orders, if cards > 256 { 2 } else { 1 })
    }

    fn draw(&self, stream: u64, sides: u16, numbers: &mut [u16]) -> Result<()> {
        let most = u8::try_from(sides).context("a draw has 1 to 255 sides")?;
        let count = numbers.len();
        let made = self.collect(stream, Records::Numbers(most), count, (count, 2))?;
        widen(&made, numbers, 1)
    }

    fn raw(&self, stream: u64, bytes: &mut [u8]) -> Result<()> {
        let requests = (bytes.len().div_ceil(RAW_REQUEST), RAW_REQUEST);
        let made = self.collect(stream, Records::Raw, bytes.len(), requests)?;
        ensure!(made.len() == bytes.len(), "QEMU wrote {} bytes of {}", made.len(), bytes.len());
        bytes.copy_from_slice(&made);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_stream_has_its_own_part_of_a_recording_and_a_short_one_is_refused() {
        let mut recording = NamedTempFile::new().unwrap();
        recording.write_all(&[1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3]).unwrap();
        let of =
            |stream| part(recording.path(), stream, 1).map(|file| std::fs::read(file).unwrap());
        assert_eq!(of(0).unwrap(), [1; 4]);
        assert_eq!(of(2).unwrap(), [3; 4]);
        let short = of(3).unwrap_err().to_string();
        assert!(short.ends_with("holds 3 words and 4 are needed"), "{short}");
    }
}
