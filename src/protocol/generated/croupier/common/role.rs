//! `croupier.common.Role.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{Object, Reader, Writer};

/// Whose authority sealed a message: the role is the key that made the seal, nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Role {
    /// A device speaking for itself, with the key it alone holds.
    #[default]
    Device = 0,
    /// Deals and presses; may arm and ask.
    Dealer = 1,
    /// Supervises; may set profiles, inspect and clear irregularities.
    Floorperson = 2,
    /// Repairs; may clear lock-outs and, with the service switch on, provision keys.
    Service = 3,
    /// The table controller acting by itself.
    Controller = 4,
}

impl Role {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 5] =
        [Self::Device, Self::Dealer, Self::Floorperson, Self::Service, Self::Controller];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::Device,
            1 => Self::Dealer,
            2 => Self::Floorperson,
            3 => Self::Service,
            4 => Self::Controller,
            _ => return None,
        })
    }
}

impl Object for Role {
    const NAME: &'static str = "croupier.common.Role.1.0";
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
