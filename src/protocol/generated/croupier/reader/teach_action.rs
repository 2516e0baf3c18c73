//! `croupier.reader.TeachAction.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{Object, Reader, Writer};

/// What the supervisor does in a lesson.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum TeachAction {
    /// Only ask how far it is.
    #[default]
    Look = 0,
    /// Begin; the reader is out of service until the end.
    Begin = 1,
    /// The next card is home.
    Next = 2,
    /// Break off.
    Leave = 3,
}

impl TeachAction {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 4] = [Self::Look, Self::Begin, Self::Next, Self::Leave];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::Look,
            1 => Self::Begin,
            2 => Self::Next,
            3 => Self::Leave,
            _ => return None,
        })
    }
}

impl Object for TeachAction {
    const NAME: &'static str = "croupier.reader.TeachAction.1.0";
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
