//! `croupier.common.CheckAction.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{Object, Reader, Writer};

/// What the inspector does in the gaming-day check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum CheckAction {
    /// Only ask how far it is.
    #[default]
    Look = 0,
    /// Begin; the device is out of service until the end.
    Begin = 1,
    /// The inspector saw what the step asks to be seen.
    Confirm = 2,
    /// The inspector did not see it.
    Deny = 3,
    /// Break off; the device stays not inspected.
    Leave = 4,
}

impl CheckAction {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 5] = [Self::Look, Self::Begin, Self::Confirm, Self::Deny, Self::Leave];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::Look,
            1 => Self::Begin,
            2 => Self::Confirm,
            3 => Self::Deny,
            4 => Self::Leave,
            _ => return None,
        })
    }
}

impl Object for CheckAction {
    const NAME: &'static str = "croupier.common.CheckAction.1.0";
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
