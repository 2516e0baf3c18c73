//! The chips on the table hardware's SPI: the far end of the bus, byte by byte.

pub mod scan_head;
pub mod shift_register;
pub mod spi_bus;

pub use spi_bus::SpiBus;
