//! Evidence files: what a laboratory keeps, checks and tests again.
//!
//! A header, blocks of records each followed by a digest that covers everything before
//! it, and a closing mark. An interrupted collection is recognised and can be continued;
//! an altered byte anywhere is found before a single test is run. The layout is written
//! down in `docs/randomness.md`.

mod header;
mod reader;
mod writer;

pub use header::{Header, Kind, NoiseOrigin};
pub use reader::{EvidenceFile, StatusSummary, inspect};
pub use writer::Writer;

use sha2::{Digest, Sha256};

/// The digest chained through a file.
pub type Chain = [u8; 32];

/// The mark that closes a whole file.
pub const CLOSING: &[u8; 8] = b"CRPIEREN";

/// The chain after one more piece.
pub fn link(chain: &Chain, piece: &[u8]) -> Chain {
    Sha256::new().chain_update(chain).chain_update(piece).finalize().into()
}
