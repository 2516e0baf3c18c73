//! What a device must still know after the power has failed.
//!
//! A profile, a deck's age, a lock-out or the number already shown to the table may
//! not change because the power failed. [`Store`] keeps one value per [`Key`]
//! in NOR flash and changes it whole: after a cut at any flash operation a key holds
//! its old value or its new one.
//!
//! # How it lies in flash
//!
//! Two banks of whole pages. One is active: a header word, then records, each appended
//! behind the last; the newest record of a key is its value. When the bank is full the
//! live values are copied into the spare bank, whose header is written last: that one
//! word is the moment the change happens. The old bank is erased when nothing moves, and then
//! the values are copied too, before the bank is quite full: see [`Chore`].
//!
//! ```text
//! bank    | generation, CRC |  record  |  record  | ... | blank ............ |
//! record  | key, tag, length, CRC | value, padded to 8 bytes |
//! ```
//!
//! A record's CRC-32C covers key, kind, length and value, so a torn record is no record; the
//! tag says value or forgotten and guards the length.
//! No word is ever written twice but with zeros, so flash with ECC per word (STM32L4) is content.
//!
//! A blank look does not prove an erase: one that was cut short may leave a page that takes words
//! and loses them. So the log also says when the spare bank has been erased to the end, and takes
//! that back before the spare is written; without it, the next start erases the spare again.
//!
//! # Why not a ready-made map
//!
//! sequential-storage 8 cannot hold a value longer than a page (a taught brand is up to
//! 4 KiB) and leaves replaced secrets in flash until their page comes round. Measured on
//! one workload (`cargo run --profile host --example store_compare`), even with all its caches, it
//! writes 1.4 times the words, erases 1.3 times as often and reads 3.5 times as much at
//! start. In a store full of long values it is the better one: ours writes 1.1 times its words,
//! and our worst change copies up to a bank where the map's copies a page.
//!
//! # Limits, said plainly
//!
//! - A word torn by a power cut may read as anything, but is taken to read the same
//!   every time. A driver for flash with ECC must return bytes for such a word, not stop.
//! - Damage to the *last* record cannot be told from a torn write: the older value is
//!   used. Damage anywhere else is [`StoreError::Damaged`].
//!
//! # How long the flash lives
//!
//! Product geometry: 2 banks of 8 pages of 2 KiB ([`BYTES`]). With a full taught brand and
//! the small values live (4,472 bytes), a page is erased 26 times in 10,000 reservations of 56
//! bytes (`tests/store/bounds.rs` counts them). 10,000 erases are 3.7 million reservations: at one a
//! minute 7 years. An idle device reserves sequence numbers once in three days; what others can make of
//! that is in `docs/protocol.md`.

mod bank;
mod chores;
mod error;
mod log;
mod moving;
mod nor_model;
mod pages;
mod record;
mod retire;
mod torn;

pub use chores::{Chore, EraseInSteps};
pub use error::{Operation, StoreError};
pub use log::{Found, Store};
pub use nor_model::{Counts, NorModel, Refused, Worn};
pub use record::{Key, Record};
pub use torn::is_torn_word;

/// Flash the product gives the store: 2 banks of 8 pages of 2 KiB.
pub const BYTES: usize = 2 * 8 * 2048;

/// What counts as one change: a reservation of sequence numbers, with its record's header, and longer
/// values as many.
pub const PIECE: u32 = 56;

/// The longest value, in bytes: a taught brand.
pub const LONGEST_VALUE: usize = 4096;
