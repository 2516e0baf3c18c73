//! Drivers of the chips beside the microcontroller, on embedded traits alone.
//!
//! A driver knows its part: bus, commands, registers, timing and what can fail. It does not
//! know what the part is used for, so each folder works in any project as it stands. Only
//! `core`, embedded-hal, embedded-io and small crates without I/O are used; a check of the
//! house (`xtask/src/house_rules.rs`) refuses the rest of this crate. Each driver has an
//! error enum of its own and a test against a mock of its bus.
//!
//! | folder | part | bus |
//! |---|---|---|
//! | [`hc165`] | 74HC165 shift registers in a chain | SPI, and a load pin |
//! | [`nhd0420`] | Newhaven NHD-0420D3Z text display | UART, send only |
//! | [`scan_head`] | reference scan head: imager and two lights | SPI |
//! | [`tmc5160`] | TMC5160 stepper driver and motion controller | UART on one wire |

pub mod hc165;
pub mod nhd0420;
pub mod scan_head;
pub mod tmc5160;
