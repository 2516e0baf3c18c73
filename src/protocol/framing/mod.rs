//! How a transfer becomes frames on CAN, bytes on a UART or lines of text, and back.
//!
//! Each framing is a pair: a sender that cuts a [transfer](super::transfer) up, and a receiver that
//! joins one and [counts](super::counters) what it drops. None of them does I/O, knows a clock or
//! looks into a payload. All have a fixed size.

pub mod can;
mod crc;
pub mod serial;
pub mod slcan;
