//! Opening an evidence file: nothing is believed before every digest agrees.

use super::header::HEADER_BYTES;
use super::{CLOSING, Chain, Header, Kind, link};
use crate::supply::Supply;
use anyhow::{Context, Result, bail, ensure};
use std::fs::File;
use std::io::{BufReader, ErrorKind, Read};
use std::os::unix::fs::FileExt;
use std::path::Path;

/// How far a file has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatusSummary {
    /// What the file says about itself.
    pub header: Header,
    /// Whole blocks, all of them verified.
    pub blocks: u64,
    /// The chain after the last whole block.
    pub chain: Chain,
    /// Whether the closing mark is there.
    pub closed: bool,
}

impl StatusSummary {
    /// Records in whole blocks.
    pub fn records(&self) -> u64 {
        (self.blocks * self.header.block_records()).min(self.header.count)
    }
}

/// Reads and verifies the file at `path`, whole or interrupted.
pub fn inspect(path: &Path) -> Result<StatusSummary> {
    let name = path.display();
    let file = File::open(path).with_context(|| format!("{name} cannot be opened"))?;
    let mut file = BufReader::with_capacity(1 << 20, file);
    let mut bytes = [0; HEADER_BYTES];
    ensure!(fill(&mut file, &mut bytes)? == HEADER_BYTES, "{name} is too short to hold a header");
    let header = Header::from_bytes(&bytes).with_context(|| format!("{name} cannot be used"))?;
    let mut standing =
        StatusSummary { chain: link(&[0; 32], &bytes), header, blocks: 0, closed: false };
    let mut block = Vec::new();
    while standing.blocks < standing.header.blocks() {
        let records = standing.header.records_in(standing.blocks) as usize;
        let body = records * standing.header.record_bytes();
        block.resize(body + 32, 0);
        if fill(&mut file, &mut block)? < block.len() {
            return Ok(standing);
        }
        let chain = link(&standing.chain, &block[..body]);
        ensure!(
            block[body..] == chain,
            "{name} is altered: block {} does not match its digest",
            standing.blocks
        );
        standing.chain = chain;
        standing.blocks += 1;
    }
    let mut closing = [0; 9];
    let got = fill(&mut file, &mut closing)?;
    if got < CLOSING.len() && CLOSING.starts_with(&closing[..got]) {
        return Ok(standing);
    }
    ensure!(
        got == CLOSING.len() && closing.starts_with(CLOSING),
        "{name} is altered: it does not end where it should"
    );
    standing.closed = true;
    Ok(standing)
}

/// Reads as much as there is, up to the whole of `buffer`.
fn fill(file: &mut impl Read, buffer: &mut [u8]) -> Result<usize> {
    let mut got = 0;
    while got < buffer.len() {
        match file.read(&mut buffer[got..]) {
            Ok(0) => break,
            Ok(more) => got += more,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(got)
}

/// A whole, verified file as a supply: block `i` is stream `i`.
#[derive(Debug)]
pub struct EvidenceFile {
    /// What the file says about itself.
    pub header: Header,
    file: File,
    name: String,
}

impl EvidenceFile {
    /// Opens a file that is whole; says what to do about one that is not.
    pub fn open(path: &Path) -> Result<Self> {
        let standing = inspect(path)?;
        if !standing.closed {
            bail!(
                "{} stops after {} of {} {}: run the same collect command again to complete it",
                path.display(),
                standing.records(),
                standing.header.count,
                standing.header.kind.word()
            );
        }
        Ok(Self {
            header: standing.header,
            file: File::open(path)?,
            name: path.display().to_string(),
        })
    }

    fn read(&self, kind: Kind, stream: u64, bytes: &mut [u8]) -> Result<()> {
        ensure!(
            self.header.kind == kind,
            "{} holds {}, not {}",
            self.name,
            self.header.kind.word(),
            kind.word()
        );
        ensure!(
            stream < self.header.blocks(),
            "{} has no more data: collect a larger file",
            self.name
        );
        self.file
            .read_exact_at(bytes, self.header.offset(stream))
            .with_context(|| format!("{} changed while it was read", self.name))
    }

    fn read_wide(&self, kind: Kind, stream: u64, values: &mut [u16]) -> Result<()> {
        let width = self.header.width();
        let mut bytes = vec![0; values.len() * width];
        self.read(kind, stream, &mut bytes)?;
        for (value, bytes) in values.iter_mut().zip(bytes.chunks_exact(width)) {
            *value = bytes.iter().rev().fold(0, |value, &byte| value << 8 | u16::from(byte));
        }
        Ok(())
    }
}

impl Supply for EvidenceFile {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn deal(&self, stream: u64, cards: usize, orders: &mut [u16]) -> Result<()> {
        ensure!(
            cards == usize::from(self.header.cards),
            "{} holds orders of {} cards",
            self.name,
            self.header.cards
        );
        self.read_wide(Kind::Orders, stream, orders)
    }

    fn draw(&self, stream: u64, sides: u16, numbers: &mut [u16]) -> Result<()> {
        ensure!(
            sides == self.header.cards,
            "{} holds numbers from 1 to {}",
            self.name,
            self.header.cards
        );
        self.read_wide(Kind::Numbers, stream, numbers)
    }

    fn raw(&self, stream: u64, bytes: &mut [u8]) -> Result<()> {
        self.read(Kind::Raw, stream, bytes)
    }
}
