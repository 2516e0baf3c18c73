//! The checksums of this house.
//!
//! Store and wire use the same two. The short one is reckoned with a table, because a
//! transfer waits for it; the long one bit by bit, because nothing waits for what it
//! guards, the serial link and the flash, and its table would cost each image a kilobyte.

use crc::{CRC_16_IBM_3740, CRC_32_ISCSI, Crc, NoTable};

/// CRC-16/IBM-3740, also called CCITT-FALSE. A constant, so that the scan head's driver, which has
/// the same one, adds no second table to an image.
pub(crate) const CCITT_FALSE: &Crc<u16> = &Crc::<u16>::new(&CRC_16_IBM_3740);

/// CRC-32C, also called Castagnoli's.
pub(crate) static CASTAGNOLI: Crc<u32, NoTable> = Crc::<u32, NoTable>::new(&CRC_32_ISCSI);
