//! `croupier.common.Condition.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{Object, Reader, Writer};

/// Whether the device may be used, the gravest word first to be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Condition {
    /// Self-test after power-on or reset.
    #[default]
    Starting = 0,
    /// May be used.
    InService = 1,
    /// Not until the gaming-day check is passed (CM-05).
    NotInspected = 2,
    /// Not until a floorperson has set a game (CM-07).
    NoProfile = 3,
    /// Not until keys are provisioned.
    NoKeys = 4,
    /// The gaming-day check, a lesson or a lamp test is going on.
    Checking = 5,
    /// Locked out: cleared by a passed check with service authority (RD-10).
    Malfunction = 6,
    /// To be covered or signed before anything else is used (SH-23).
    OutOfOrder = 7,
}

impl Condition {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 8] = [
        Self::Starting,
        Self::InService,
        Self::NotInspected,
        Self::NoProfile,
        Self::NoKeys,
        Self::Checking,
        Self::Malfunction,
        Self::OutOfOrder,
    ];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::Starting,
            1 => Self::InService,
            2 => Self::NotInspected,
            3 => Self::NoProfile,
            4 => Self::NoKeys,
            5 => Self::Checking,
            6 => Self::Malfunction,
            7 => Self::OutOfOrder,
            _ => return None,
        })
    }
}

impl Object for Condition {
    const NAME: &'static str = "croupier.common.Condition.1.0";
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
