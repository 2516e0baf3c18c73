//! `croupier.reader.Lesson.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{Object, Reader, Writer};

/// Where the teaching of a brand stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Lesson {
    /// No lesson.
    #[default]
    None = 0,
    /// Cards are shown to be learnt.
    Learn = 1,
    /// Every card, both ends, repeatedly: one error ends the lesson.
    Prove = 2,
    /// Proven and in force.
    InUse = 3,
    /// An error: the brand before stays in force.
    Failed = 4,
    /// Broken off: the brand before stays in force.
    Left = 5,
}

impl Lesson {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 6] =
        [Self::None, Self::Learn, Self::Prove, Self::InUse, Self::Failed, Self::Left];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::None,
            1 => Self::Learn,
            2 => Self::Prove,
            3 => Self::InUse,
            4 => Self::Failed,
            5 => Self::Left,
            _ => return None,
        })
    }
}

impl Object for Lesson {
    const NAME: &'static str = "croupier.reader.Lesson.1.0";
    const SHORTEST: usize = 1;
    const LONGEST: usize = 1;
    const EXTENT: usize = 1;
    const STRICT: bool = true;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.code().into(), 8)
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let code = from.take(8)? as u8;
        Self::from_code(code)
    }
}
