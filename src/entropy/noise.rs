//! The port for raw noise: words that are not tested yet, or the reason for none.

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
    /// The source's settings are not those written to it.
    Altered,
}

/// A source of raw noise words.
///
/// A source without settings or recovery, such as a file, needs only [`word`](Self::word).
pub trait NoiseSource {
    /// The next raw word, straight from the source and not checked yet.
    fn word(&mut self) -> Result<u32, NoiseFault>;

    /// Writes the settings and reads them back. Called at start and after a service reset.
    fn configure(&mut self) -> Result<(), NoiseFault> {
        Ok(())
    }

    /// Whether the settings still are what was written. Called before each block and after.
    fn settings_hold(&mut self) -> Result<(), NoiseFault> {
        Ok(())
    }

    /// The documented way back from a seed error; the default is that there is none.
    fn recover(&mut self) -> Result<(), NoiseFault> {
        Err(NoiseFault::Seed)
    }
}
