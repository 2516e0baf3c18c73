//! Cyphal/serial on a UART: transfers as delimited bytes, without a heap.
//!
//! ```text
//! 00 | COBS of: header (24) payload (any) CRC-32C of the payload (4) | 00
//! ```
//! A zero byte appears nowhere but as delimiter, so a listener that joins late, or lost
//! bytes, is in step again at the next one. The header is version 1, as pycyphal 1.27 and
//! canadensis speak it. A transfer is one frame whatever its size; transfers that others
//! cut into several are counted as foreign.
//!
//! Nothing here drops repeats. A wire between two points repeats nothing by itself, and
//! what an attacker repeats the seal refuses.

mod decoder;
mod encoder;
mod header;

pub use decoder::Decoder;
pub use encoder::{Unsendable, encode, most_bytes};
