//! What a device and the table controller say, and how it travels.
//!
//! Messages are DSDL (`dsdl/croupier`), the single source; they travel as Cyphal
//! [transfers](transfer) over two framings that any Cyphal stack understands.

pub mod transfer;
