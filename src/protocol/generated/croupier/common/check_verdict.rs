//! `croupier.common.CheckVerdict.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{Object, Reader, Writer};

/// How a step of a check ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum CheckVerdict {
    /// Not decided yet.
    #[default]
    Open = 0,
    /// As it should be.
    Passed = 1,
    /// Not as it should be.
    Failed = 2,
    /// The check was broken off.
    Left = 3,
}

impl CheckVerdict {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 4] = [Self::Open, Self::Passed, Self::Failed, Self::Left];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::Open,
            1 => Self::Passed,
            2 => Self::Failed,
            3 => Self::Left,
            _ => return None,
        })
    }
}

impl Object for CheckVerdict {
    const NAME: &'static str = "croupier.common.CheckVerdict.1.0";
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
