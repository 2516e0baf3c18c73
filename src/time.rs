//! Time as the rules count it: an [`Instant`] since the device started, [`Millis`] between two.
//!
//! Types of our own, because `embassy_time` needs a clock and `fugit` panics when an instant
//! passes its end or a difference is negative. A rule must not panic on any number, also not on
//! one that came over the wire: here every operation stops at its end.

use core::ops::{Add, AddAssign, Div, Mul, Sub};

/// A length of time in milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Millis(u64);

/// A moment, in milliseconds since the device started.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Instant(u64);

impl Millis {
    /// No time.
    pub const ZERO: Self = Self(0);

    /// A number of milliseconds.
    pub const fn new(milliseconds: u64) -> Self {
        Self(milliseconds)
    }

    /// A number of seconds.
    pub const fn from_secs(seconds: u64) -> Self {
        Self(seconds.saturating_mul(1_000))
    }

    /// As milliseconds.
    pub const fn get(self) -> u64 {
        self.0
    }

    /// The whole seconds in it.
    pub const fn as_secs(self) -> u64 {
        self.0 / 1_000
    }
}

impl Instant {
    /// When the device started.
    pub const START: Self = Self(0);
    /// When it would be late for ever.
    pub const MAX: Self = Self(u64::MAX);

    /// Milliseconds after the start.
    pub const fn from_millis(milliseconds: u64) -> Self {
        Self(milliseconds)
    }

    /// As milliseconds since the start.
    pub const fn as_millis(self) -> u64 {
        self.0
    }

    /// Whole seconds since the start.
    pub const fn as_secs(self) -> u64 {
        self.0 / 1_000
    }

    /// When the next whole second begins.
    pub const fn next_second(self) -> Self {
        Self(self.as_secs().saturating_add(1).saturating_mul(1_000))
    }

    /// How long ago `earlier` was; no time if it is still to come.
    pub const fn since(self, earlier: Self) -> Millis {
        Millis(self.0.saturating_sub(earlier.0))
    }
}

impl Add<Millis> for Instant {
    type Output = Self;

    fn add(self, length: Millis) -> Self {
        Self(self.0.saturating_add(length.0))
    }
}

impl AddAssign<Millis> for Instant {
    fn add_assign(&mut self, length: Millis) {
        *self = *self + length;
    }
}

impl Sub<Millis> for Instant {
    type Output = Self;

    fn sub(self, length: Millis) -> Self {
        Self(self.0.saturating_sub(length.0))
    }
}

impl Add for Millis {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Sub for Millis {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl Mul<u64> for Millis {
    type Output = Self;

    fn mul(self, times: u64) -> Self {
        Self(self.0.saturating_mul(times))
    }
}

/// How often the second length is in the first; without end, if the second is no time.
impl Div for Millis {
    type Output = u64;

    fn div(self, other: Self) -> u64 {
        self.0.checked_div(other.0).unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::{Instant, Millis};

    #[test]
    fn instants_and_lengths_add_up() {
        let start = Instant::from_millis(1_000);
        let later = start + Millis::from_secs(2);
        assert_eq!(later.as_millis(), 3_000);
        assert_eq!(later.since(start), Millis::new(2_000));
        assert_eq!(later - Millis::new(2_000), start);
        assert_eq!((Millis::new(3) + Millis::new(4) - Millis::new(2)) * 5, Millis::new(25));
    }

    #[test]
    fn whole_parts_are_counted() {
        assert_eq!(Instant::from_millis(2_999).as_secs(), 2);
        assert_eq!(Millis::new(2_999).as_secs(), 2);
        assert_eq!(Instant::from_millis(2_999).next_second(), Instant::from_millis(3_000));
        assert_eq!(Instant::from_millis(3_000).next_second(), Instant::from_millis(4_000));
        assert_eq!(Millis::new(999) / Millis::new(250), 3);
        assert_eq!(Millis::new(999) / Millis::ZERO, u64::MAX);
    }

    #[test]
    fn no_number_overflows() {
        let end = Instant::MAX;
        assert_eq!(end + Millis::new(1), end);
        assert_eq!(end.next_second(), end);
        assert_eq!(Instant::START - Millis::new(1), Instant::START);
        assert_eq!(Instant::START.since(end), Millis::ZERO);
        assert_eq!(Millis::new(1) - Millis::new(2), Millis::ZERO);
        assert_eq!(Millis::new(u64::MAX) + Millis::new(1), Millis::new(u64::MAX));
        assert_eq!(Millis::new(u64::MAX) * 2, Millis::new(u64::MAX));
        assert_eq!(Millis::from_secs(u64::MAX), Millis::new(u64::MAX));
    }
}
