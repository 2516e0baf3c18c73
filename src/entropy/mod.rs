//! Randomness the rules may trust begins with a port for raw noise.
//!
//! Raw noise is never an answer: it is tested, conditioned and drawn from first
//! (SP 800-90B and 90C). The port can fail, and says how; there is no way to ask it
//! for a word and get something else instead.

/// Why the noise source gave no word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum NoiseFault {
    /// The source says its noise is not to be trusted (STM32: SEIS or SECS).
    Seed,
    /// The source's clock is wrong or stopped (STM32: CEIS or CECS).
    Clock,
    /// No word came in time.
    Silent,
    /// The word read is what an unready register reads as.
    Zero,
    /// The source is not there: its file or peripheral could not be opened.
    Absent,
}

/// A source of raw noise words.
pub trait NoiseSource {
    /// The next raw word, straight from the source and checked by nobody yet.
    fn word(&mut self) -> Result<u32, NoiseFault>;
}
