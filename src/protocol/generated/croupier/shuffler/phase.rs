//! `croupier.shuffler.Phase.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{Object, Reader, Writer};

/// What goes on in the shuffler.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Phase {
    /// Nothing.
    #[default]
    Idle = 0,
    /// Cards go in.
    Feeding = 1,
    /// Cards move inside, in a pass between.
    Reordering = 2,
    /// Cards come out in their final order.
    Delivering = 3,
    /// Counting only, the order is kept (SH-14).
    Counting = 4,
    /// The delivered stack is let go.
    Releasing = 5,
    /// Every card is brought out after a fault.
    Emptying = 6,
    /// The wheel looks for its home.
    Homing = 7,
}

impl Phase {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 8] = [
        Self::Idle,
        Self::Feeding,
        Self::Reordering,
        Self::Delivering,
        Self::Counting,
        Self::Releasing,
        Self::Emptying,
        Self::Homing,
    ];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::Idle,
            1 => Self::Feeding,
            2 => Self::Reordering,
            3 => Self::Delivering,
            4 => Self::Counting,
            5 => Self::Releasing,
            6 => Self::Emptying,
            7 => Self::Homing,
            _ => return None,
        })
    }
}

impl Object for Phase {
    const NAME: &'static str = "croupier.shuffler.Phase.1.0";
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
