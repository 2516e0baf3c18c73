//! What is said on a link, decoded for a person who has a bus in front of them.
//!
//! ```text
//! source --bytes--> decoder --transfers--> catalogue, seals --> filter --> show
//! ```
//! The decoder is an onlooker's: it receives services between any nodes and sends nothing. What
//! it cannot understand it counts. Types, names and fields come from the generated types,
//! so a change of the DSDL shows here without a change here.

mod catalogue;
mod decoder;
mod fields;
mod filter;
mod names;
mod seen;
pub mod show;
pub mod source;
mod transcript;

#[cfg(test)]
mod tests;

use std::time::Duration;

use croupier::protocol::keys::KeyRing;
use croupier::protocol::transfer::Transfer;

pub use arguments::Framing;

pub use self::catalogue::Catalogue;
pub use self::decoder::BusDecoder;
pub use self::fields::{Field, clause_words};
pub use self::filter::Filter;
pub use self::names::Names;
pub use self::seen::{Content, Seen, Verdict};
pub use self::transcript::{Recorded, read_line};

/// Makes sense of transfers.
pub struct Monitor {
    catalogue: Catalogue,
    names: Names,
    keys: Option<KeyRing>,
    filter: Filter,
    /// Seals that did not verify, shown or not.
    pub bad_seals: u64,
}

impl Monitor {
    /// Looks for what `filter` wants; judges seals if it has `keys`.
    pub fn new(keys: Option<KeyRing>, filter: Filter) -> Self {
        let (catalogue, names) = (Catalogue::new(), Names::default());
        Self { catalogue, names, keys, filter, bad_seals: 0 }
    }

    /// What `transfer` says, if it is wanted.
    pub fn see(&mut self, at: Duration, transfer: &Transfer<'_>) -> Option<Seen> {
        let content = self.catalogue.read(transfer);
        let verdict = Verdict::of(self.keys.as_ref(), &content, transfer);
        if matches!(verdict, Verdict::Bad(_)) {
            self.bad_seals += 1;
        }
        let seen = Seen { at, header: transfer.header, content, verdict };
        self.names.learn(&seen);
        self.filter.wants(&seen, &self.names).then_some(seen)
    }

    /// The names of the nodes seen so far.
    pub fn names(&self) -> &Names {
        &self.names
    }
}
