//! Bytes and half words of a register.
//!
//! The decoder passes the exact byte offset and an unshifted value; a model that thinks in
//! whole registers takes its part out of the word here, or puts it in.

use crate::context::Width;

/// How far the part lies from bit 0, and its bits once it lies there.
const fn lane(offset: u32, width: Width) -> (u32, u32) {
    match width {
        Width::Byte => (8 * (offset & 3), 0xFF),
        Width::Half => (8 * (offset & 2), 0xFFFF),
        Width::Word => (0, u32::MAX),
    }
}

/// The part of `word` that an access at `offset` reads, from bit 0 on.
pub const fn part(word: u32, offset: u32, width: Width) -> u32 {
    let (shift, mask) = lane(offset, width);
    word >> shift & mask
}

/// `word` with `value` in the part that an access at `offset` writes.
pub const fn merge(word: u32, offset: u32, width: Width, value: u32) -> u32 {
    let (shift, mask) = lane(offset, width);
    word & !(mask << shift) | (value & mask) << shift
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_load_gets_its_part_right_aligned() {
        assert_eq!(part(0x4433_2211, 0x10, Width::Word), 0x4433_2211);
        assert_eq!(part(0x4433_2211, 0x12, Width::Half), 0x4433);
        assert_eq!(part(0x4433_2211, 0x13, Width::Byte), 0x44);
    }

    #[test]
    fn a_store_leaves_the_other_lanes_alone() {
        assert_eq!(merge(0x4433_2211, 0x10, Width::Word, 5), 5);
        assert_eq!(merge(0x4433_2211, 0x12, Width::Half, 0xFFFF_ABCD), 0xABCD_2211);
        assert_eq!(merge(0x4433_2211, 0x11, Width::Byte, 0x1FF), 0x4433_FF11);
    }
}
