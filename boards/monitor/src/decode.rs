//! The loads and stores a compiler emits for registers, taken apart.
//!
//! Thumb-2 encodings of ARMv7-M ARM A7.7: immediate and register offsets, 16 and 32 bits wide,
//! bytes, halves and words, also with write-back. Pairs and multiples are not for single
//! registers: they decode to nothing, and nothing ends the run. No crate does this small a part.

use crate::context::Width;

/// Which way the data goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// From the register to the processor.
    Load,
    /// The same, with the sign extended.
    LoadSigned,
    /// From the processor to the register.
    Store,
}

/// One load or store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Instruction {
    /// Load or store.
    pub way: Way,
    /// How much of the register.
    pub width: Width,
    /// The processor's register.
    pub target: u8,
    /// The base register.
    pub base: u8,
    /// What is added to the base.
    pub offset: i32,
    /// An index register and how far it is shifted.
    pub index: Option<(u8, u32)>,
    /// The base register is changed by the offset: before the access (true), or after it.
    pub write_back: Option<bool>,
    /// Bytes of the instruction itself.
    pub length: u32,
}

fn field(half: u16, low: u32, bits: u32) -> u8 {
    (half >> low & ((1 << bits) - 1)) as u8
}

/// The instruction at `first` and, if it is a long one, `second`.
pub fn decode(first: u16, second: u16) -> Option<Instruction> {
    match first >> 11 {
        0b01100 => Some(short(first, Way::Store, Width::Word)),
        0b01101 => Some(short(first, Way::Load, Width::Word)),
        0b01110 => Some(short(first, Way::Store, Width::Byte)),
        0b01111 => Some(short(first, Way::Load, Width::Byte)),
        0b10000 => Some(short(first, Way::Store, Width::Half)),
        0b10001 => Some(short(first, Way::Load, Width::Half)),
        0b01010 | 0b01011 => Some(short_indexed(first)),
        0b11111 => long(first, second),
        _ => None,
    }
}

fn short(first: u16, way: Way, width: Width) -> Instruction {
    let scale = match width {
        Width::Byte => 1,
        Width::Half => 2,
        Width::Word => 4,
    };
    Instruction {
        way,
        width,
        target: field(first, 0, 3),
        base: field(first, 3, 3),
        offset: i32::from(field(first, 6, 5)) * scale,
        index: None,
        write_back: None,
        length: 2,
    }
}

fn short_indexed(first: u16) -> Instruction {
    let (way, width) = match field(first, 9, 3) {
        0b000 => (Way::Store, Width::Word),
        0b001 => (Way::Store, Width::Half),
        0b010 => (Way::Store, Width::Byte),
        0b011 => (Way::LoadSigned, Width::Byte),
        0b100 => (Way::Load, Width::Word),
        0b101 => (Way::Load, Width::Half),
        0b110 => (Way::Load, Width::Byte),
        _ => (Way::LoadSigned, Width::Half),
    };
    Instruction {
        way,
        width,
        target: field(first, 0, 3),
        base: field(first, 3, 3),
        offset: 0,
        index: Some((field(first, 6, 3), 0)),
        write_back: None,
        length: 2,
    }
}

fn long(first: u16, second: u16) -> Option<Instruction> {
    if first >> 9 != 0b111_1100 {
        return None;
    }
    let signed = field(first, 8, 1) == 1;
    let way = match (field(first, 4, 1), signed) {
        (1, false) => Way::Load,
        (1, true) => Way::LoadSigned,
        (_, false) => Way::Store,
        (_, true) => return None,
    };
    let width = match field(first, 5, 2) {
        0b00 => Width::Byte,
        0b01 => Width::Half,
        0b10 => Width::Word,
        _ => return None,
    };
    let small = i32::from(second & 0xFF);
    let (offset, index, write_back) = if field(first, 7, 1) == 1 {
        (i32::from(second & 0xFFF), None, None)
    } else if second & 0x0FC0 == 0 {
        (0, Some((field(second, 0, 4), u32::from(field(second, 4, 2)))), None)
    } else if second & 0x0800 != 0 {
        let offset = if second & 0x0200 != 0 { small } else { -small };
        let (before, back) = (second & 0x0400 != 0, second & 0x0100 != 0);
        if !before && !back {
            return None;
        }
        (offset, None, back.then_some(before))
    } else {
        return None;
    };
    let (base, target) = (field(first, 0, 4), field(second, 12, 4));
    if base == 15 || target == 15 {
        return None; // a literal, or a jump
    }
    Some(Instruction { way, width, target, base, offset, index, write_back, length: 4 })
}

/// The execution state of an IT block after one of its instructions (ARMv7-M ARM A7.3.3), in the
/// program status register as an exception frame holds it.
pub const fn step_it_block(xpsr: u32) -> u32 {
    let it = (xpsr >> 8 & 0xFC) | (xpsr >> 25 & 3);
    let it = if it & 7 != 0 { (it & 0xE0) | (it << 1 & 0x1F) } else { 0 };
    (xpsr & !0x0600_FC00) | (it & 0xFC) << 8 | (it & 3) << 25
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(first: u16, second: u16) -> Instruction {
        decode(first, second).expect("a load or store")
    }

    /// Encodings as GNU as gives them.
    #[test]
    fn short_forms_have_their_scale() {
        // ldr r0, [r1, #8]; strb r2, [r3, #5]; ldrh r4, [r5, #6]
        let load = of(0x6888, 0);
        assert_eq!(
            (load.way, load.width, load.target, load.base, load.offset),
            (Way::Load, Width::Word, 0, 1, 8)
        );
        let store = of(0x715A, 0);
        assert_eq!(
            (store.way, store.width, store.target, store.base, store.offset),
            (Way::Store, Width::Byte, 2, 3, 5)
        );
        assert_eq!(of(0x88EC, 0).offset, 6);
        assert_eq!(of(0x88EC, 0).length, 2);
    }

    #[test]
    fn an_index_register_is_added_and_a_signed_load_known() {
        // ldr r0, [r1, r2]; ldrsb r0, [r1, r2]; ldrsh r0, [r1, r2]
        assert_eq!(of(0x5888, 0).index, Some((2, 0)));
        assert_eq!((of(0x5688, 0).way, of(0x5688, 0).width), (Way::LoadSigned, Width::Byte));
        assert_eq!((of(0x5E88, 0).way, of(0x5E88, 0).width), (Way::LoadSigned, Width::Half));
    }

    #[test]
    fn long_forms_reach_further_and_below_the_base() {
        // ldr.w r8, [r9, #0x123]; str.w r0, [r1, #-4]; ldr.w r0, [r1, r2, lsl #2]
        let far = of(0xF8D9, 0x8123);
        assert_eq!((far.target, far.base, far.offset, far.length), (8, 9, 0x123, 4));
        let below = of(0xF841, 0x0C04);
        assert_eq!((below.way, below.offset, below.write_back), (Way::Store, -4, None));
        assert_eq!(of(0xF851, 0x0022).index, Some((2, 2)));
    }

    #[test]
    fn write_back_comes_before_or_after() {
        // ldr r0, [r1, #4]!; str r0, [r1], #4; ldr r0, [r1], #-4
        assert_eq!((of(0xF851, 0x0F04).offset, of(0xF851, 0x0F04).write_back), (4, Some(true)));
        assert_eq!((of(0xF841, 0x0B04).offset, of(0xF841, 0x0B04).write_back), (4, Some(false)));
        assert_eq!(of(0xF851, 0x0904).offset, -4);
    }

    #[test]
    fn what_is_no_single_register_decodes_to_nothing() {
        for (first, second) in [
            (0xE9D1, 0x0200),
            (0xC807, 0),
            (0xB510, 0),
            (0xF85F, 0x0004),
            (0xF8D1, 0xF000),
            (0xBF00, 0),
        ] {
            assert_eq!(decode(first, second), None, "{first:04x} {second:04x}");
        }
    }

    #[test]
    fn an_it_block_steps_on_and_ends() {
        // ITTE EQ, cond 0000: ITSTATE 0000_0110 -> 0000_1100 -> 0001_1000 -> 0
        let psr = |it: u32| 0x0100_0000 | (it & 0xFC) << 8 | (it & 3) << 25;
        assert_eq!(step_it_block(psr(0x06)), psr(0x0C));
        assert_eq!(step_it_block(psr(0x0C)), psr(0x18));
        assert_eq!(step_it_block(psr(0x18)), psr(0));
        assert_eq!(step_it_block(psr(0)), psr(0));
    }
}
