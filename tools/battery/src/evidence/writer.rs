//! Writing an evidence file, or going on where an interrupted one stops.

use super::{CLOSING, Chain, Header, StatusSummary, inspect, link};
use anyhow::{Context, Result, bail, ensure};
use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::Path;

/// A file that takes blocks.
#[derive(Debug)]
pub struct Writer {
    file: BufWriter<File>,
    header: Header,
    chain: Chain,
    /// The block that comes next.
    pub next_block: u64,
}

impl Writer {
    /// A new file, or the verified rest of an interrupted one with the same header.
    /// `None` if the file is already whole.
    pub fn begin_or_resume(path: &Path, header: Header) -> Result<Option<Self>> {
        if path.exists() && path.metadata()?.len() > 0 {
            Self::resume(path, inspect(path)?, header)
        } else {
            Self::begin(path, header).map(Some)
        }
    }

    fn begin(path: &Path, header: Header) -> Result<Self> {
        let file =
            File::create(path).with_context(|| format!("{} cannot be written", path.display()))?;
        let mut file = BufWriter::new(file);
        let bytes = header.to_bytes();
        file.write_all(&bytes)?;
        file.flush()?;
        Ok(Self { file, header, chain: link(&[0; 32], &bytes), next_block: 0 })
    }

    fn resume(path: &Path, standing: StatusSummary, header: Header) -> Result<Option<Self>> {
        let name = path.display();
        if standing.header != header {
            bail!(
                "{name} was begun differently and cannot be continued: it holds {:?}, asked for {header:?}",
                standing.header
            );
        }
        if standing.closed {
            return Ok(None);
        }
        let mut file = OpenOptions::new()
            .write(true)
            .open(path)
            .with_context(|| format!("{name} cannot be written"))?;
        let end = if standing.blocks == header.blocks() {
            header.offset(standing.blocks - 1)
                + header.records_in(standing.blocks - 1) * header.record_bytes() as u64
                + 32
        } else {
            header.offset(standing.blocks)
        };
        // A block cut short by the interruption is dropped: it was never vouched for.
        file.set_len(end)?;
        file.seek(SeekFrom::End(0))?;
        Ok(Some(Self {
            file: BufWriter::new(file),
            header,
            chain: standing.chain,
            next_block: standing.blocks,
        }))
    }

    /// Appends the next block.
    pub fn append(&mut self, records: &[u8]) -> Result<()> {
        let wanted = self.header.records_in(self.next_block) as usize * self.header.record_bytes();
        ensure!(
            records.len() == wanted,
            "block {} has {} bytes instead of {wanted}",
            self.next_block,
            records.len()
        );
        self.chain = link(&self.chain, records);
        self.file.write_all(records)?;
        self.file.write_all(&self.chain)?;
        self.next_block += 1;
        Ok(())
    }

    /// Hands all blocks so far to the disk, so that an interruption costs no more than a batch.
    pub fn flush(&mut self) -> Result<()> {
        Ok(self.file.flush()?)
    }

    /// Closes a file that has all its blocks. Returns the digest that stands for the whole.
    pub fn close(mut self) -> Result<Chain> {
        ensure!(
            self.next_block == self.header.blocks(),
            "only {} of {} blocks were written",
            self.next_block,
            self.header.blocks()
        );
        self.file.write_all(CLOSING)?;
        self.file.flush()?;
        self.file.get_ref().sync_all()?;
        Ok(self.chain)
    }
}
