//! The first 160 bytes of an evidence file: what was collected, from what, by what.

use crate::supply::{BYTES_PER_STREAM, NUMBERS_PER_STREAM, ORDERS_PER_STREAM};
use anyhow::{Result, bail, ensure};

/// Bytes of a header.
pub(super) const HEADER_BYTES: usize = 160;

const MAGIC: &[u8; 8] = b"CRPIEREV";
const VERSION: u16 = 1;
const TEXT: usize = 48;

/// What one record is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// One shuffled order.
    Orders = 1,
    /// One number from 1 to n.
    Numbers = 2,
    /// One byte of generator output before scaling.
    Raw = 3,
}

impl Kind {
    /// The word a report prints.
    pub fn word(self) -> &'static str {
        match self {
            Self::Orders => "orders",
            Self::Numbers => "numbers",
            Self::Raw => "raw bytes",
        }
    }
}

/// Where the noise under a collection came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoiseOrigin {
    /// A random device or a chip's generator: cannot be repeated.
    Physical,
    /// A seed: the same file can be made again.
    Seeded(u64),
}

/// Everything a file says about itself before its records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// What one record is.
    pub kind: Kind,
    /// Cards in an order, sides of a draw; 256 for raw bytes.
    pub cards: u16,
    /// Records the whole file holds.
    pub count: u64,
    /// Where the noise came from.
    pub noise: NoiseOrigin,
    /// Firmware commit, as git prints it.
    pub commit: String,
    /// What collected it: host or QEMU, and the supply's name.
    pub source: String,
}

impl Header {
    /// Records in each block but the last.
    pub fn block_records(&self) -> u64 {
        match self.kind {
            Kind::Orders => ORDERS_PER_STREAM as u64,
            Kind::Numbers => NUMBERS_PER_STREAM as u64,
            Kind::Raw => BYTES_PER_STREAM as u64,
        }
    }

    /// Bytes of one card or number.
    pub fn width(&self) -> usize {
        if self.kind == Kind::Raw || self.cards <= 256 { 1 } else { 2 }
    }

    /// Bytes of one record.
    pub fn record_bytes(&self) -> usize {
        match self.kind {
            Kind::Orders => self.width() * usize::from(self.cards),
            Kind::Numbers => self.width(),
            Kind::Raw => 1,
        }
    }

    /// Blocks of the whole file.
    pub fn blocks(&self) -> u64 {
        self.count.div_ceil(self.block_records())
    }

    /// Records in block `block`.
    pub fn records_in(&self, block: u64) -> u64 {
        self.block_records().min(self.count - block * self.block_records())
    }

    /// Where block `block` begins.
    pub fn offset(&self, block: u64) -> u64 {
        HEADER_BYTES as u64 + block * (self.block_records() * self.record_bytes() as u64 + 32)
    }

    /// As bytes.
    pub fn to_bytes(&self) -> [u8; HEADER_BYTES] {
        let mut bytes = [0; HEADER_BYTES];
        bytes[..8].copy_from_slice(MAGIC);
        bytes[8..10].copy_from_slice(&VERSION.to_le_bytes());
        bytes[10] = self.kind as u8;
        bytes[11] = self.width() as u8;
        bytes[12..14].copy_from_slice(&self.cards.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.count.to_le_bytes());
        bytes[24..28].copy_from_slice(&(self.block_records() as u32).to_le_bytes());
        if let NoiseOrigin::Seeded(seed) = self.noise {
            bytes[28] = 1;
            bytes[32..40].copy_from_slice(&seed.to_le_bytes());
        }
        put_text(&mut bytes[40..40 + TEXT], &self.commit);
        put_text(&mut bytes[88..88 + TEXT], &self.source);
        bytes
    }

    /// From bytes.
    pub fn from_bytes(bytes: &[u8; HEADER_BYTES]) -> Result<Self> {
        let number = |at: usize, width: usize| {
            bytes[at..at + width]
                .iter()
                .rev()
                .fold(0u64, |value, &byte| value << 8 | u64::from(byte))
        };
        ensure!(&bytes[..8] == MAGIC, "this is no evidence file: it does not begin with CRPIEREV");
        ensure!(
            number(8, 2) == u64::from(VERSION),
            "version {} of the format is not known here",
            number(8, 2)
        );
        let kind = match bytes[10] {
            1 => Kind::Orders,
            2 => Kind::Numbers,
            3 => Kind::Raw,
            other => bail!("the header is altered: there is no kind of record {other}"),
        };
        let header = Self {
            kind,
            cards: number(12, 2) as u16,
            count: number(16, 8),
            noise: if bytes[28] == 1 {
                NoiseOrigin::Seeded(number(32, 8))
            } else {
                NoiseOrigin::Physical
            },
            commit: text(&bytes[40..40 + TEXT]),
            source: text(&bytes[88..88 + TEXT]),
        };
        ensure!(
            header.to_bytes() == *bytes,
            "the header is altered: its fields do not agree with each other"
        );
        ensure!(
            header.count > 0 && header.cards > 1,
            "the header is altered: it promises nothing to read"
        );
        Ok(header)
    }
}

fn put_text(field: &mut [u8], text: &str) {
    let mut end = text.len().min(field.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    field[..end].copy_from_slice(&text.as_bytes()[..end]);
}

fn text(field: &[u8]) -> String {
    let end = field.iter().position(|&byte| byte == 0).unwrap_or(field.len());
    String::from_utf8_lossy(&field[..end]).into_owned()
}
