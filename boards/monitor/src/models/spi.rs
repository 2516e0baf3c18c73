//! SPI1.
