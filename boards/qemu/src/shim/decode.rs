//! The loads and stores a compiler emits for registers, taken apart.
//!
//! Thumb-2 encodings of ARMv7-M ARM A7.7: immediate and register offsets, 16 and 32
//! bits wide, unsigned bytes, halves and words. Write-back, pairs and multiples are
//! not for single registers; they decode to nothing, and nothing ends the run.

/// Which way the data goes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// From the register to the processor.
    Load,
    /// From the processor to the register.
    Store,
}

/// How much of the register is meant.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Width {
    /// 8 bits.
    Byte,
    /// 16 bits.
    Half,
    /// 32 bits.
    Word,
}

/// One load or store.
pub struct Instruction {
    pub access: Access,
    pub width: Width,
    pub target: u8,
    pub base: u8,
    pub offset: i32,
    /// An index register and how far it is shifted.
    pub index: Option<(u8, u32)>,
    /// Bytes of the instruction itself.
    pub length: u32,
}

fn field(half: u16, low: u32, bits: u32) -> u8 {
    (half >> low & ((1 << bits) - 1)) as u8
}

/// The instruction at `first` and, if it is a long one, `second`.
pub fn decode(first: u16, second: u16) -> Option<Instruction> {
    match first >> 11 {
        0b01100 => short(first, Access::Store, Width::Word),
        0b01101 => short(first, Access::Load, Width::Word),
        0b01110 => short(first, Access::Store, Width::Byte),
        0b01111 => short(first, Access::Load, Width::Byte),
        0b10000 => short(first, Access::Store, Width::Half),
        0b10001 => short(first, Access::Load, Width::Half),
        0b01010 | 0b01011 => short_indexed(first),
        0b11111 => long(first, second),
        _ => None,
    }
}

fn short(first: u16, access: Access, width: Width) -> Option<Instruction> {
    let scale = match width {
        Width::Byte => 1,
        Width::Half => 2,
        Width::Word => 4,
    };
    Some(Instruction {
        access,
        width,
        target: field(first, 0, 3),
        base: field(first, 3, 3),
        offset: i32::from(field(first, 6, 5)) * scale,
        index: None,
        length: 2,
    })
}

fn short_indexed(first: u16) -> Option<Instruction> {
    let (access, width) = match field(first, 9, 3) {
        0b000 => (Access::Store, Width::Word),
        0b001 => (Access::Store, Width::Half),
        0b010 => (Access::Store, Width::Byte),
        0b100 => (Access::Load, Width::Word),
        0b101 => (Access::Load, Width::Half),
        0b110 => (Access::Load, Width::Byte),
        _ => return None, // sign-extending loads
    };
    Some(Instruction {
        access,
        width,
        target: field(first, 0, 3),
        base: field(first, 3, 3),
        offset: 0,
        index: Some((field(first, 6, 3), 0)),
        length: 2,
    })
}

fn long(first: u16, second: u16) -> Option<Instruction> {
    if first >> 8 != 0b1111_1000 {
        return None;
    }
    let access = if field(first, 4, 1) == 1 { Access::Load } else { Access::Store };
    let width = match field(first, 5, 2) {
        0b00 => Width::Byte,
        0b01 => Width::Half,
        0b10 => Width::Word,
        _ => return None,
    };
    let (offset, index) = if field(first, 7, 1) == 1 {
        (i32::from(second & 0xFFF), None)
    } else if second & 0x0FC0 == 0 {
        (0, Some((field(second, 0, 4), u32::from(field(second, 4, 2)))))
    } else if second & 0x0F00 == 0x0C00 {
        (-i32::from(second & 0xFF), None) // below the base, without write-back
    } else {
        return None;
    };
    let (base, target) = (field(first, 0, 4), field(second, 12, 4));
    Some(Instruction { access, width, target, base, offset, index, length: 4 })
}
