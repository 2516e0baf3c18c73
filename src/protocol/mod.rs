//! What a device and the table controller say, and how it travels.
//!
//! Messages are DSDL (`dsdl/croupier`), the single source; they travel as Cyphal
//! [transfers](transfer) over two framings that any Cyphal stack understands.

pub mod can;
pub mod counters;
mod crc;
pub mod dsdl;
pub mod generated;
pub mod keys;
pub mod seal;
pub mod sequence;
pub mod serial;
pub mod slcan;
pub mod transfer;
pub mod transfer_ids;
