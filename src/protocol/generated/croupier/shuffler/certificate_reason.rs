//! `croupier.shuffler.CertificateReason.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{Object, Reader, Writer};

/// Why a certificate changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum CertificateReason {
    /// It did not.
    #[default]
    None = 0,
    /// A whole clean cycle.
    WholeCycle = 1,
    /// The cards were let go for dealing.
    Released = 2,
    /// A card got stuck (SH-22).
    Jam = 3,
    /// The door was opened.
    Door = 4,
    /// The lid was opened.
    Lid = 5,
    /// Power failed.
    Power = 6,
    /// Not the right number (SH-08).
    WrongCount = 7,
    /// Another back among them (SH-18).
    ForeignBack = 8,
    /// A card lay face up (SH-29).
    FaceUp = 9,
    /// Somebody stopped the cycle.
    Aborted = 10,
    /// The batch came of age (SH-40).
    DeckLife = 11,
    /// The machine does not trust itself.
    Fault = 12,
    /// The batch before it came again (SH-17).
    SameBatch = 13,
}

impl CertificateReason {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 14] = [
        Self::None,
        Self::WholeCycle,
        Self::Released,
        Self::Jam,
        Self::Door,
        Self::Lid,
        Self::Power,
        Self::WrongCount,
        Self::ForeignBack,
        Self::FaceUp,
        Self::Aborted,
        Self::DeckLife,
        Self::Fault,
        Self::SameBatch,
    ];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::None,
            1 => Self::WholeCycle,
            2 => Self::Released,
            3 => Self::Jam,
            4 => Self::Door,
            5 => Self::Lid,
            6 => Self::Power,
            7 => Self::WrongCount,
            8 => Self::ForeignBack,
            9 => Self::FaceUp,
            10 => Self::Aborted,
            11 => Self::DeckLife,
            12 => Self::Fault,
            13 => Self::SameBatch,
            _ => return None,
        })
    }
}

impl Object for CertificateReason {
    const NAME: &'static str = "croupier.shuffler.CertificateReason.1.0";
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
