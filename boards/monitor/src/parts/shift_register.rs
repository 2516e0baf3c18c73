//! The shuffler's chain of shift registers, at the far end of SPI1.
