//! `croupier.common.Game.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{Object, Reader, Writer};

/// A game with a profile, by the rule that governs it. 255 will never be a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Game {
    /// No profile has been set: the device gives no answers.
    #[default]
    None = 0,
    /// Pa. 581.
    DoubleAttackBlackjack = 1,
    /// Pa. 590, temporary.
    FreeBetTemporary = 2,
    /// Pa. 672a, permanent.
    FreeBet = 3,
    /// South Dakota 20:18:15:30.14.
    FreeBetSouthDakota = 4,
    /// Pa. 591.
    DoubleBackJack = 5,
    /// Pa. 685a.
    DownUnderBlackjack = 6,
    /// Pa. 583.
    FlopPoker = 7,
    /// Pa. 587.
    RaiseItUpStud = 8,
    /// Pa. 588.
    SixCardFortunePaiGow = 9,
    /// Pa. 589.
    LunarPoker = 10,
    /// Pa. 592.
    CrissCrossPoker = 11,
}

impl Game {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 12] = [
        Self::None,
        Self::DoubleAttackBlackjack,
        Self::FreeBetTemporary,
        Self::FreeBet,
        Self::FreeBetSouthDakota,
        Self::DoubleBackJack,
        Self::DownUnderBlackjack,
        Self::FlopPoker,
        Self::RaiseItUpStud,
        Self::SixCardFortunePaiGow,
        Self::LunarPoker,
        Self::CrissCrossPoker,
    ];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::None,
            1 => Self::DoubleAttackBlackjack,
            2 => Self::FreeBetTemporary,
            3 => Self::FreeBet,
            4 => Self::FreeBetSouthDakota,
            5 => Self::DoubleBackJack,
            6 => Self::DownUnderBlackjack,
            7 => Self::FlopPoker,
            8 => Self::RaiseItUpStud,
            9 => Self::SixCardFortunePaiGow,
            10 => Self::LunarPoker,
            11 => Self::CrissCrossPoker,
            _ => return None,
        })
    }
}

impl Object for Game {
    const NAME: &'static str = "croupier.common.Game.1.0";
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
