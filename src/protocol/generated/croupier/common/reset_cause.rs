//! `croupier.common.ResetCause.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{Object, Reader, Writer};

/// Why the device started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum ResetCause {
    /// Power came on.
    #[default]
    PowerOn = 0,
    /// The program met a case it holds impossible.
    Panic = 1,
    /// The processor refused an instruction.
    HardFault = 2,
    /// A task missed its check-in.
    Hung = 3,
    /// The hardware watchdog ran out.
    Watchdog = 4,
    /// The reset line was pulled.
    ResetLine = 5,
    /// Asked for, by ExecuteCommand or an update.
    Restart = 6,
    /// From outside: watchdog or reset line, the board cannot tell.
    Outside = 7,
}

impl ResetCause {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 8] = [
        Self::PowerOn,
        Self::Panic,
        Self::HardFault,
        Self::Hung,
        Self::Watchdog,
        Self::ResetLine,
        Self::Restart,
        Self::Outside,
    ];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::PowerOn,
            1 => Self::Panic,
            2 => Self::HardFault,
            3 => Self::Hung,
            4 => Self::Watchdog,
            5 => Self::ResetLine,
            6 => Self::Restart,
            7 => Self::Outside,
            _ => return None,
        })
    }
}

impl Object for ResetCause {
    const NAME: &'static str = "croupier.common.ResetCause.1.0";
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
