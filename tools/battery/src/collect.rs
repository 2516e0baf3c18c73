//! Collecting evidence: many blocks at once, written in order, resumable.

use crate::evidence::{Chain, Header, Kind, Writer};
use crate::supply::Supply;
use anyhow::Result;
use indicatif::ProgressBar;
use rayon::prelude::*;
use std::path::Path;

/// Collects what `header` promises from `supply` into the file at `path`. Returns the
/// file's digest, or `None` if it was whole already.
pub fn collect(
    supply: &dyn Supply,
    header: Header,
    path: &Path,
    progress: &ProgressBar,
) -> Result<Option<Chain>> {
    let Some(mut writer) = Writer::begin_or_resume(path, header.clone())? else {
        return Ok(None);
    };
    progress.inc((writer.next_block * header.block_records()).min(header.count));
    let batch = (supply.streams_at_once() * rayon::current_num_threads()) as u64;
    while writer.next_block < header.blocks() {
        let end = (writer.next_block + batch).min(header.blocks());
        let blocks: Vec<Vec<u8>> = (writer.next_block..end)
            .into_par_iter()
            .map(|block| make(supply, &header, block))
            .collect::<Result<_>>()?;
        for records in &blocks {
            progress.inc((records.len() / header.record_bytes()) as u64);
            writer.append(records)?;
        }
        writer.flush()?;
    }
    writer.close().map(Some)
}

fn make(supply: &dyn Supply, header: &Header, block: u64) -> Result<Vec<u8>> {
    let records = header.records_in(block) as usize;
    let narrow = |values: &[u16]| {
        let width = header.width();
        values.iter().flat_map(|value| value.to_le_bytes().into_iter().take(width)).collect()
    };
    Ok(match header.kind {
        Kind::Orders => {
            let mut orders = vec![0; records * usize::from(header.cards)];
            supply.deal(block, header.cards.into(), &mut orders)?;
            narrow(&orders)
        }
        Kind::Numbers => {
            let mut numbers = vec![0; records];
            supply.draw(block, header.cards, &mut numbers)?;
            narrow(&numbers)
        }
        Kind::Raw => {
            let mut bytes = vec![0; records];
            supply.raw(block, &mut bytes)?;
            bytes
        }
    })
}
