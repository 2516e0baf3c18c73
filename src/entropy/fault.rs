//! Why there is no randomness: what a caller gets, and what is kept in the latch.

use core::error::Error;
use core::fmt;

use super::NoiseFault;

/// What was wrong. The number is kept in flash and published on the wire: append only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Cause {
    /// A known answer came out wrong at start.
    SelfTest = 1,
    /// The source's clock is wrong or stopped.
    Clock = 2,
    /// No word came in time.
    Silent = 3,
    /// The source is not there.
    Absent = 4,
    /// The source's settings are not what was written.
    Altered = 5,
    /// Seed errors too often, or one that recovery did not clear.
    SeedError = 6,
    /// 51 equal bits in a row.
    Repetition = 7,
    /// Too many equal bits in 1024.
    Proportion = 8,
    /// One line of the data register stood still for 51 words.
    Lane = 9,
    /// Too many or too few ones in 2^20 bits.
    Ones = 10,
    /// Too many or too few changes in 2^20 bits.
    Changes = 11,
    /// 51 bits in a row each differed from the one before.
    Alternation = 12,
    /// 128 bits that were read before, within the last 64 words.
    RepeatedBlock = 13,
    /// A zero word or the same word again, twice within 2^20 words.
    OddWord = 14,
    /// The first noise of this start is that of an earlier one.
    KnownStart = 15,
    /// The sampler's state broke its invariant.
    SamplerBroken = 16,
    /// The sampler refused sixteen times in one shuffle or draw.
    SamplerRetries = 17,
    /// A request gave out more than it took in.
    Ledger = 18,
    /// The deterministic generator was asked for more than it may give.
    Generator = 19,
    /// What must outlive a reset could not be read or written.
    Memory = 20,
}

/// Every cause, in the order of their codes.
const ALL: [Cause; 20] = [
    Cause::SelfTest,
    Cause::Clock,
    Cause::Silent,
    Cause::Absent,
    Cause::Altered,
    Cause::SeedError,
    Cause::Repetition,
    Cause::Proportion,
    Cause::Lane,
    Cause::Ones,
    Cause::Changes,
    Cause::Alternation,
    Cause::RepeatedBlock,
    Cause::OddWord,
    Cause::KnownStart,
    Cause::SamplerBroken,
    Cause::SamplerRetries,
    Cause::Ledger,
    Cause::Generator,
    Cause::Memory,
];

impl Cause {
    /// The byte in flash and on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The cause with this code.
    pub fn of_code(code: u8) -> Option<Self> {
        ALL.into_iter().find(|cause| cause.code() == code)
    }
}

impl From<NoiseFault> for Cause {
    fn from(fault: NoiseFault) -> Self {
        match fault {
            NoiseFault::Seed => Self::SeedError,
            NoiseFault::Clock => Self::Clock,
            NoiseFault::Silent => Self::Silent,
            NoiseFault::Zero => Self::OddWord,
            NoiseFault::Absent => Self::Absent,
            NoiseFault::Altered => Self::Altered,
        }
    }
}

/// Why a request was not answered. Nothing of it was released.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum RngFault {
    /// Out of use until a service reset and a passed start.
    Latched(Cause),
    /// This request is void and its noise discarded; the source has recovered, ask again.
    Void(Cause),
    /// The core has not been started.
    NotStarted,
    /// No such range or number of cards.
    OutOfRange,
}

impl fmt::Display for RngFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Latched(cause) => write!(f, "latched, fault {:02}", cause.code()),
            Self::Void(cause) => write!(f, "request void, fault {:02}", cause.code()),
            Self::NotStarted => f.write_str("not started"),
            Self::OutOfRange => f.write_str("no such range"),
        }
    }
}

impl Error for RngFault {}
