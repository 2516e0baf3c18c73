//! What a device and the table controller say, and how it travels.
//!
//! Messages are DSDL (`/dsdl/croupier`), the single source; they travel as Cyphal [transfers](transfer)
//! over framings that any Cyphal stack understands. One room for each step:
//!
//! ```text
//!   /dsdl ── cargo xtask dsdl ──> generated    a type for each message
//!                                     │
//!                                   codec      fields <-> bytes
//!                                     │
//!        keys ────────────────────> seal       who said it, and when: HMAC, role
//!        sequence ────────────────────┘        numbers that are used once
//!                                     │
//!        transfer_ids ──────────> transfer     bytes with a port, a node and a priority
//!                                     │
//!        counters <─────────────── framing     can · serial · slcan
//!                                     │
//!                             bxCAN, UART, socket
//! ```
//!
//! The sealed bytes meet in [`node`](crate::node) on a device, and in
//! [`controller`](crate::controller) on the other side.

pub mod codec;
pub mod counters;
pub mod framing;
pub mod generated;
pub mod keys;
pub mod seal;
pub mod sequence;
pub mod transfer;
pub(crate) mod transfer_ids;
