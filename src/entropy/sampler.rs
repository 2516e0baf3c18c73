//! The sampler: exactly equal chances from random bits, and no bit thrown away.
//!
//! It holds a number `z` that is uniform below `m`, and nothing else. To draw one of `n`,
//! `m` is split into `n` equal parts and a rest: the part `z` lies in is the draw, and
//! its place within the part is again uniform, so it is kept for the next draw; a `z` in
//! the rest is uniform there, so it is kept too and the draw repeated. A remainder would
//! favour small numbers, and drawing afresh each time wastes a third of the bits
//! (randomness recycling: Draper and Saad, arXiv 2505.18879).
//!
//! Widths are parameters so that the proof of exactness, which tries every bit string,
//! can run this very code with numbers small enough to try them all.

use core::num::NonZeroU32;

use zeroize::Zeroize;

/// Refusals within one shuffle or draw that are no chance any more: not in 2^100 shoes.
const MOST_REFUSALS: u32 = 16;

/// Fresh random bits, a refill at a time.
pub trait Refill {
    /// Why there are none.
    type Stop;

    /// The next refill, below 2 to the refill's width.
    fn refill(&mut self) -> Result<u32, Self::Stop>;
}

/// Why nothing was drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DrawFault<S> {
    /// No bits came.
    Refill(S),
    /// `z` is not below `m`, or `n` does not fit: memory is not what was written to it.
    Broken,
    /// Refused too often.
    Retries,
}

/// The product's sampler: 16 bits in hand at each draw, and 16 more when there are fewer.
pub type Sampler = Recycler<16, 16>;

/// A number uniform below another. Wiped when dropped.
///
/// Holds at least `FLOOR` bits at each draw and takes `WIDTH` bits at a time; the two
/// together must not exceed 32.
pub struct Recycler<const FLOOR: u32, const WIDTH: u32>(Hand<FLOOR, WIDTH>);

impl<const FLOOR: u32, const WIDTH: u32> Recycler<FLOOR, WIDTH> {
    const FITS: () = assert!(FLOOR + WIDTH <= 32);

    /// Holding nothing: zero is uniform below one.
    pub const fn new() -> Self {
        const { Self::FITS };
        Self(Hand::EMPTY)
    }

    /// A state that memory may hold after a fault.
    #[cfg(test)]
    pub(super) const fn holding(z: u32, m: u32) -> Self {
        Self(Hand { z, m, refusals_left: MOST_REFUSALS })
    }

    /// One of `n`, from zero up, all equally likely.
    pub fn draw<R: Refill>(
        &mut self,
        n: NonZeroU32,
        bits: &mut R,
    ) -> Result<u32, DrawFault<R::Stop>> {
        self.lend(|hand| hand.draw(n, bits))
    }

    /// Lends out what is held; of work that failed, nothing comes back.
    #[inline]
    pub(super) fn lend<T, S>(
        &mut self,
        work: impl FnOnce(&mut Hand<FLOOR, WIDTH>) -> Result<T, DrawFault<S>>,
    ) -> Result<T, DrawFault<S>> {
        let mut hand = core::mem::replace(&mut self.0, Hand::EMPTY);
        let outcome = work(&mut hand)?;
        self.0 = Hand { refusals_left: MOST_REFUSALS, ..hand };
        Ok(outcome)
    }
}

/// What the sampler holds, apart from its wiping, so that a shuffle keeps it in registers.
pub(super) struct Hand<const FLOOR: u32, const WIDTH: u32> {
    z: u32,
    m: u32,
    refusals_left: u32,
}

impl<const FLOOR: u32, const WIDTH: u32> Hand<FLOOR, WIDTH> {
    const EMPTY: Self = Self { z: 0, m: 1, refusals_left: MOST_REFUSALS };

    /// One of `n`, from zero up, all equally likely.
    #[inline]
    pub(super) fn draw<R: Refill>(
        &mut self,
        n: NonZeroU32,
        bits: &mut R,
    ) -> Result<u32, DrawFault<R::Stop>> {
        loop {
            while self.m < 1 << FLOOR {
                if self.z >= self.m {
                    return Err(DrawFault::Broken);
                }
                self.z = self.z << WIDTH | bits.refill().map_err(DrawFault::Refill)?;
                self.m <<= WIDTH;
            }
            let part = self.m / n;
            // Cannot wrap: the parts together are at most `m`.
            let parts = part.wrapping_mul(n.get());
            if self.z < parts {
                let drawn = self.z.checked_div(part).ok_or(DrawFault::Broken)?;
                self.z = self.z.wrapping_sub(drawn.wrapping_mul(part));
                self.m = part;
                return Ok(drawn);
            }
            // A broken `z` stays broken; the rest is short, so a refill and its check are next.
            self.z = self.z.wrapping_sub(parts);
            self.m = self.m.wrapping_sub(parts);
            self.refusals_left = match self.refusals_left {
                0 | 1 => return Err(DrawFault::Retries),
                left => left - 1,
            };
        }
    }
}

impl<const FLOOR: u32, const WIDTH: u32> Default for Recycler<FLOOR, WIDTH> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const FLOOR: u32, const WIDTH: u32> Drop for Recycler<FLOOR, WIDTH> {
    fn drop(&mut self) {
        self.0.z.zeroize();
        self.0.m.zeroize();
    }
}
