//! The namespace `uavcan.time`, written from the DSDL by `cargo xtask dsdl`.

mod synchronized_timestamp;

pub use synchronized_timestamp::SynchronizedTimestamp;
