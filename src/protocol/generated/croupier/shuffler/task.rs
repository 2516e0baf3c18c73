//! `croupier.shuffler.Task.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{Object, Reader, Writer};

/// What the shuffler is told to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Task {
    /// Nothing; never accepted.
    #[default]
    None = 0,
    /// Begin a cycle with the given purpose (SH-05).
    Start = 1,
    /// Stop; the cards count as not shuffled (SH-22).
    Abort = 2,
    /// Unlock and hand over the certified stack; needs a dealer's action (SH-33).
    Release = 3,
    /// Lock the certified batch away for an idle table (SH-25).
    Store = 4,
    /// Bring every card out; nothing is certified.
    Empty = 5,
    /// Continuous: a new round begins, the last may be mixed in (SH-21).
    NextRound = 6,
    /// Continuous: return the last round in its order (SH-21).
    GiveBack = 7,
    /// The shoe or round played with the released batch is over (SH-17).
    Dealt = 8,
}

impl Task {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 9] = [
        Self::None,
        Self::Start,
        Self::Abort,
        Self::Release,
        Self::Store,
        Self::Empty,
        Self::NextRound,
        Self::GiveBack,
        Self::Dealt,
    ];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::None,
            1 => Self::Start,
            2 => Self::Abort,
            3 => Self::Release,
            4 => Self::Store,
            5 => Self::Empty,
            6 => Self::NextRound,
            7 => Self::GiveBack,
            8 => Self::Dealt,
            _ => return None,
        })
    }
}

impl Object for Task {
    const NAME: &'static str = "croupier.shuffler.Task.1.0";
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
