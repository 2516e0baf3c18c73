//! What the random core must still know after a reset, and the port that keeps it.

use super::Cause;

/// First noises remembered across starts.
const STARTS_KNOWN: usize = 8;
/// Bytes of [`RngLatch`] in flash.
pub const LATCH_BYTES: usize = 6 + 8 * STARTS_KNOWN;

/// What outlives a reset. Nothing in it is secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RngLatch {
    /// Why the core is out of use, if it is.
    pub latch: Option<Cause>,
    /// Seed errors of the last day.
    pub seed_errors: u8,
    /// How often the core has started; no two starts share a number.
    pub starts: u32,
    /// Marks of the first noise of the last starts, the newest at `starts` modulo eight.
    pub first_noise: [u64; STARTS_KNOWN],
}

impl RngLatch {
    /// What a device that never started knows.
    pub const fn new() -> Self {
        Self { latch: None, seed_errors: 0, starts: 0, first_noise: [0; STARTS_KNOWN] }
    }

    /// Whether an earlier start began with this noise.
    pub fn knows(&self, mark: u64) -> bool {
        self.first_noise.contains(&mark)
    }

    /// Counts a start that began with this noise, in place of the oldest.
    pub fn count_start(&mut self, mark: u64) {
        self.starts = self.starts.wrapping_add(1);
        let place = self.starts as usize % STARTS_KNOWN;
        if let Some(oldest) = self.first_noise.get_mut(place) {
            *oldest = mark;
        }
    }

    /// As bytes, for the store.
    pub fn to_bytes(&self) -> [u8; LATCH_BYTES] {
        let mut bytes = [0; LATCH_BYTES];
        let mut rest = bytes.as_mut_slice();
        let mut put = |field: &[u8]| {
            if let Some((place, behind)) =
                core::mem::take(&mut rest).split_at_mut_checked(field.len())
            {
                place.copy_from_slice(field);
                rest = behind;
            }
        };
        put(&[self.latch.map_or(0, Cause::code), self.seed_errors]);
        put(&self.starts.to_le_bytes());
        self.first_noise.iter().for_each(|mark| put(&mark.to_le_bytes()));
        bytes
    }

    /// From the store's bytes; `None` if they are not exactly one, or name no cause.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (&[latch, seed_errors], rest) = bytes.split_first_chunk()?;
        let (starts, rest) = rest.split_first_chunk()?;
        let (marks, rest) = rest.as_chunks();
        let mut first_noise = [0; STARTS_KNOWN];
        if marks.len() != STARTS_KNOWN || !rest.is_empty() {
            return None;
        }
        for (mark, bytes) in first_noise.iter_mut().zip(marks) {
            *mark = u64::from_le_bytes(*bytes);
        }
        let latch = match latch {
            0 => None,
            code => Some(Cause::of_code(code)?),
        };
        Some(Self { latch, seed_errors, starts: u32::from_le_bytes(*starts), first_noise })
    }
}

impl Default for RngLatch {
    fn default() -> Self {
        Self::new()
    }
}

/// What was kept could not be read or written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Lost;

/// The port to memory that outlives a reset.
pub trait Memory {
    /// What was kept last; [`RngLatch::new`] if the memory was never written. Bytes that are no
    /// `RngLatch` are [`Lost`], never a fresh start.
    fn recall(&mut self) -> Result<RngLatch, Lost>;

    /// Keeps `kept` instead; returns when it would outlive a reset.
    fn keep(&mut self, kept: &RngLatch) -> Result<(), Lost>;
}
