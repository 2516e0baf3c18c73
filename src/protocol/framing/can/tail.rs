//! The last byte of every frame: where in its transfer the frame belongs.

/// Transfers are counted with five bits.
const TRANSFER_ID_MASK: u8 = 0b1_1111;
const START: u8 = 1 << 7;
const END: u8 = 1 << 6;
const TOGGLE: u8 = 1 << 5;

/// The tail byte, taken apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Tail {
    /// The first frame of its transfer.
    pub start: bool,
    /// The last frame of its transfer.
    pub end: bool,
    /// Set in the first frame, then turning over, so that a repeated frame is noticed.
    pub toggle: bool,
    /// The transfer's number, modulo 32.
    pub transfer_id: u8,
}

impl Tail {
    /// The transfer's number as far as a tail can hold it.
    pub const fn wrap(transfer_id: u64) -> u8 {
        transfer_id as u8 & TRANSFER_ID_MASK
    }

    /// A frame's tail and the bytes before it, unless the frame is empty.
    pub fn split(data: &[u8]) -> Option<(Self, &[u8])> {
        let (&byte, before) = data.split_last()?;
        Some((Self::decode(byte), before))
    }

    /// The byte, taken apart.
    pub const fn decode(byte: u8) -> Self {
        Self {
            start: byte & START != 0,
            end: byte & END != 0,
            toggle: byte & TOGGLE != 0,
            transfer_id: byte & TRANSFER_ID_MASK,
        }
    }

    /// The byte, put together.
    pub const fn encode(self) -> u8 {
        (self.transfer_id & TRANSFER_ID_MASK)
            | (START * self.start as u8)
            | (END * self.end as u8)
            | (TOGGLE * self.toggle as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_a_tail_and_comes_back() {
        for byte in 0..=u8::MAX {
            assert_eq!(Tail::decode(byte).encode(), byte);
        }
    }
}
