//! `croupier.common.Activity.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{Object, Reader, Writer};

/// What the device is doing, as far as anybody may know. It never depends on a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Activity {
    /// Between rounds.
    #[default]
    Idle = 0,
    /// Reader: knows the up-card. Pai Gow: shuffle complete and bets closed.
    Armed = 1,
    /// Pai Gow: shuffle complete, bets still open.
    WaitingBets = 2,
    /// Reader: a card is home, the answer is due.
    Reading = 3,
    /// Reader: an answer is shown. Pai Gow: a number is shown.
    Answered = 4,
    /// Shuffler: cards go in.
    Feeding = 5,
    /// Shuffler: cards move inside.
    Shuffling = 6,
    /// Shuffler: cards come out.
    Delivering = 7,
    /// Shuffler: counting only.
    Counting = 8,
    /// Shuffler: a certified batch waits.
    Ready = 9,
    /// Shuffler: a certified batch is locked away (SH-25).
    Stored = 10,
    /// Shuffler: continuous operation.
    Circulating = 11,
    /// Stopped until the next step told by Irregularity is done.
    WaitingPeople = 12,
}

impl Activity {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 13] = [
        Self::Idle,
        Self::Armed,
        Self::WaitingBets,
        Self::Reading,
        Self::Answered,
        Self::Feeding,
        Self::Shuffling,
        Self::Delivering,
        Self::Counting,
        Self::Ready,
        Self::Stored,
        Self::Circulating,
        Self::WaitingPeople,
    ];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::Idle,
            1 => Self::Armed,
            2 => Self::WaitingBets,
            3 => Self::Reading,
            4 => Self::Answered,
            5 => Self::Feeding,
            6 => Self::Shuffling,
            7 => Self::Delivering,
            8 => Self::Counting,
            9 => Self::Ready,
            10 => Self::Stored,
            11 => Self::Circulating,
            12 => Self::WaitingPeople,
            _ => return None,
        })
    }
}

impl Object for Activity {
    const NAME: &'static str = "croupier.common.Activity.1.0";
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
