//! The frame that the processor stacked before a hard fault: whether it can be read.
//!
//! A stack that ran over its end is one reason for a hard fault. Then there is no frame, and to
//! read where it should be faults again, in the one handler where a fault locks the processor
//! up, with the motors as they are. So the handler asks here first.

use core::ops::Range;

/// Bytes of the frame: eight words.
const FRAME: u32 = 32;
/// Where the program counter lies in it.
const PC: u32 = 24;
/// The fault status says that stacking itself failed: MSTKERR, STKERR (ARMv7-M B3.2.15).
const STACKING: u32 = 1 << 4 | 1 << 12;

/// The address of the stacked program counter, if a frame lies at `frame` in one of the
/// `memories`; `status` is the configurable fault status register.
pub fn pc_address(frame: u32, status: u32, memories: &[Range<u32>]) -> Option<u32> {
    let end = frame.checked_add(FRAME)?;
    let inside = memories.iter().any(|memory| memory.start <= frame && end <= memory.end);
    (inside && frame.is_multiple_of(4) && status & STACKING == 0).then_some(frame + PC)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RAM: [Range<u32>; 2] = [0x2000_0000..0x2001_8000, 0x1000_0000..0x1000_8000];

    #[test]
    fn a_frame_in_memory_is_read_where_its_program_counter_lies() {
        assert_eq!(pc_address(0x2000_1000, 0x8200, &RAM), Some(0x2000_1018));
        assert_eq!(pc_address(0x2000_0000, 0, &RAM), Some(0x2000_0018));
        assert_eq!(pc_address(0x2001_8000 - 32, 0, &RAM), Some(0x2001_7FF8));
        assert_eq!(pc_address(0x1000_0400, 0, &RAM), Some(0x1000_0418));
    }

    #[test]
    fn a_frame_that_is_not_wholly_in_memory_is_not_read() {
        for frame in [0, 0x1FFF_FFE0, 0x1FFF_FFFC, 0x2001_7FE4, 0x2001_8000, 0xFFFF_FFF0] {
            assert_eq!(pc_address(frame, 0, &RAM), None, "{frame:#x}");
        }
        assert_eq!(pc_address(0x2000_1002, 0, &RAM), None, "not a word's address");
    }

    #[test]
    fn a_frame_that_could_not_be_stacked_is_not_read() {
        assert_eq!(pc_address(0x2000_1000, 1 << 12, &RAM), None);
        assert_eq!(pc_address(0x2000_1000, 1 << 4, &RAM), None);
    }
}
