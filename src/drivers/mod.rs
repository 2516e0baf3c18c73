//! Drivers of chips beside the microcontroller.

pub mod hc165;
pub mod nhd0420;
pub mod scan_head;
pub mod tmc5160;
