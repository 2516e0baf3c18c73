//! Cyphal's two checksums, fed piece by piece.
//!
//! Both close themselves: fed with the data and then with its own sum, a checksum ends in
//! a fixed value. So a receiver needs no delay line to tell the sum from the data.

use crc::{CRC_16_IBM_3740, CRC_32_ISCSI, Digest, NoTable};

use crate::checksum::{CASTAGNOLI, CCITT_FALSE};

/// CRC-16/CCITT-FALSE: multi-frame transfers on CAN, frame headers on serial.
#[derive(Debug, Clone, Copy)]
pub(super) struct Crc16(u16);

impl Crc16 {
    pub(super) const START: Self = Self(CRC_16_IBM_3740.init);

    /// Of `bytes` alone.
    pub(super) fn of(bytes: &[u8]) -> Self {
        Self::START.with(bytes)
    }

    /// With `bytes` behind what it has seen.
    pub(super) fn with(self, bytes: &[u8]) -> Self {
        // Not reflected and nothing inverted at the end, so the value is also the state.
        let mut digest = CCITT_FALSE.digest_with_initial(self.0);
        digest.update(bytes);
        Self(digest.finalize())
    }

    /// As sent: most significant byte first.
    pub(super) fn to_bytes(self) -> [u8; 2] {
        self.0.to_be_bytes()
    }

    /// Whether the last two bytes were the sum of those before.
    pub(super) fn is_closed(self) -> bool {
        self.0 == 0
    }
}

/// CRC-32C: the payload on serial.
#[derive(Clone)]
pub(super) struct Crc32c(Digest<'static, u32, NoTable>);

impl Crc32c {
    /// What is left after data and sum.
    const CLOSED: u32 = CRC_32_ISCSI.residue ^ CRC_32_ISCSI.xorout;

    pub(super) const fn new() -> Self {
        Self(CASTAGNOLI.digest())
    }

    pub(super) fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// As sent: least significant byte first.
    pub(super) fn to_bytes(&self) -> [u8; 4] {
        self.0.clone().finalize().to_le_bytes()
    }

    /// Whether the last four bytes were the sum of those before.
    pub(super) fn is_closed(&self) -> bool {
        self.0.clone().finalize() == Self::CLOSED
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // The check values that the catalogue of parametrised CRCs gives for these two.
    #[test]
    fn the_sums_are_those_of_the_catalogue() {
        assert_eq!(Crc16::of(b"123456789").to_bytes(), [0x29, 0xB1]);
        let mut sum = Crc32c::new();
        sum.update(b"123456789");
        assert_eq!(sum.to_bytes(), 0xE306_9283u32.to_le_bytes());
    }

    #[test]
    fn pieces_give_the_sum_of_the_whole() {
        assert_eq!(Crc16::of(b"1234").with(b"56789").to_bytes(), [0x29, 0xB1]);
    }

    #[test]
    fn data_and_its_own_sum_close_and_any_flipped_bit_does_not() {
        let mut small = *b"shuffled\0\0";
        small[8..].copy_from_slice(&Crc16::of(b"shuffled").to_bytes());
        let mut sum = Crc32c::new();
        sum.update(b"shuffled");
        let mut large = *b"shuffled\0\0\0\0";
        large[8..].copy_from_slice(&sum.to_bytes());
        let closes = |bytes: &[u8]| {
            let mut sum = Crc32c::new();
            sum.update(bytes);
            sum.is_closed()
        };
        assert!(Crc16::of(&small).is_closed() && closes(&large));
        for bit in 0..80 {
            small[bit / 8] ^= 1 << (bit % 8);
            assert!(!Crc16::of(&small).is_closed(), "bit {bit}");
            small[bit / 8] ^= 1 << (bit % 8);
        }
        for bit in 0..96 {
            large[bit / 8] ^= 1 << (bit % 8);
            assert!(!closes(&large), "bit {bit}");
            large[bit / 8] ^= 1 << (bit % 8);
        }
    }
}
