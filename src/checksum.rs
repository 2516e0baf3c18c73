//! The checksums of this house, each with the one table it needs.
//!
//! Store, wire and scan head use the same two; a table of each in every module would cost
//! the image a kilobyte and a half.

use crc::{CRC_16_IBM_3740, CRC_32_ISCSI, Crc};

/// CRC-16/IBM-3740, also called CCITT-FALSE.
pub(crate) static CCITT_FALSE: Crc<u16> = Crc::<u16>::new(&CRC_16_IBM_3740);

/// CRC-32C, also called Castagnoli's.
pub(crate) static CASTAGNOLI: Crc<u32> = Crc::<u32>::new(&CRC_32_ISCSI);
