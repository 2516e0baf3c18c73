//! The reader's scan head, at the far end of SPI1.
