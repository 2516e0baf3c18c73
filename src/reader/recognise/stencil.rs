//! A stencil: the points of a corner at which a brand's ranks show, laid over what is seen.
//!
//! Points that tell the ranks of a brand apart are few, so only they are looked at: the
//! suit and the picture are not among them, and are never processed. An even slope of
//! light over the points is taken out of what is seen, whichever way it falls.
//!
//! Written by hand because the crates that match images want a heap, floats, or both.

use zeroize::Zeroize;

use super::ink::Ink;

/// Points of a stencil.
pub const POINTS: usize = 224;
/// Length of a row, as a vector. Scores are in parts of it.
pub const UNIT: i32 = 1 << UNIT_BITS;
const UNIT_BITS: u32 = 9;
/// One pixel, in the unit of places.
pub const PIXEL: i32 = 256;
/// One radian, in the unit of turns.
pub const RADIAN: i32 = 1024;
/// How far from its taught place the print of a card that is home may be: the nest's play
/// of 1.5 mm, half a millimetre by which 4 degrees move an index that is 8 mm from the corner,
/// a cut and a stretched card, and how the taught cards lay.
const FARTHEST: i32 = 13 * PIXEL / 2;
/// How far it may be turned: 4 degrees, and how the taught cards lay.
const MOST_TURNED: i32 = RADIAN / 10;

/// Values at the stencil's points: of length [`UNIT`], with no mean and no slope.
pub type Row = [i8; POINTS];

/// Where a card lies: how far from its taught place, and how it is turned.
#[derive(Clone, Copy, Default)]
pub struct Pose {
    /// Across, in 1/256 pixel.
    pub x: i32,
    /// Down, in 1/256 pixel.
    pub y: i32,
    /// Turned, in 1/1024 radian.
    pub turn: i32,
}

impl Pose {
    /// As taught.
    pub const HOME: Self = Self { x: 0, y: 0, turn: 0 };

    /// This pose, moved by `parts` of 256 of another.
    pub const fn moved(self, by: Self, parts: i32) -> Self {
        Self {
            x: self.x + by.x * parts / 256,
            y: self.y + by.y * parts / 256,
            turn: self.turn + by.turn * parts / 256,
        }
    }

    /// This pose, or the nearest at which a card that is home can lie.
    pub fn at_home(self) -> Self {
        Self {
            x: self.x.clamp(-FARTHEST, FARTHEST),
            y: self.y.clamp(-FARTHEST, FARTHEST),
            turn: self.turn.clamp(-MOST_TURNED, MOST_TURNED),
        }
    }

    /// Whether a card that is home can lie so.
    pub fn is_home(self) -> bool {
        let room = |most: i32, off: i32| most.wrapping_sub(1).wrapping_sub(off.wrapping_abs());
        // Room is negative where there is none, and so is any number joined to it: no branch.
        let rooms = [room(FARTHEST, self.x), room(FARTHEST, self.y), room(MOST_TURNED, self.turn)];
        (rooms[0] | rooms[1] | rooms[2]) >= 0
    }

    /// Where a card at this pose shows the point that is `across` and `down` from the pixel
    /// `centre`: turns are small, so a sine is its angle and a cosine is one.
    #[inline(always)]
    pub fn shows(self, centre: (u8, u8), across: i32, down: i32) -> (i32, i32) {
        // All are a few thousand at most; a check on each would double the read.
        let turned = |by: i32| by.wrapping_mul(self.turn) >> 2;
        let (x, y) =
            (i32::from(centre.0).wrapping_add(across), i32::from(centre.1).wrapping_add(down));
        (
            x.wrapping_mul(PIXEL).wrapping_add(self.x).wrapping_sub(turned(down)),
            y.wrapping_mul(PIXEL).wrapping_add(self.y).wrapping_add(turned(across)),
        )
    }
}

/// Points around a centre.
pub struct Stencil {
    /// The pixel about which a card turns.
    pub centre: (u8, u8),
    /// Each point from there, in pixels. Any first few of them are spread over the whole.
    pub points: [(i8, i8); POINTS],
}

impl Stencil {
    /// Sees the first `count` points of a card that lies at `pose`; gives their mean.
    pub fn lay(&self, ink: &Ink, pose: Pose, count: usize, seen: &mut Samples) -> i32 {
        for (value, &(across, down)) in seen.0[..count].iter_mut().zip(&self.points) {
            let (x, y) = pose.shows(self.centre, i32::from(across), i32::from(down));
            *value = ink.at(x, y) as i16; // a byte
        }
        seen.centred(count)
    }

    /// The same for a card that lies straight, `across` and `down` by whole pixels: cheaper.
    pub fn lay_straight(
        &self,
        ink: &Ink,
        (across, down): (i8, i8),
        count: usize,
        seen: &mut Samples,
    ) {
        let x = (self.centre.0 as i8).wrapping_add(across);
        let y = (self.centre.1 as i8).wrapping_add(down);
        for (value, &(across, down)) in seen.0[..count].iter_mut().zip(&self.points) {
            *value = i16::from(ink.pixel(x.wrapping_add(across), y.wrapping_add(down)));
        }
        seen.centred(count);
    }
}

/// What is seen at the points, less its mean. Wiped when it goes out of scope.
pub struct Samples(pub [i16; POINTS]);

impl Samples {
    /// Nothing seen.
    pub const fn new() -> Self {
        Self([0; POINTS])
    }

    /// Takes the mean out of the first `count` samples; gives it.
    fn centred(&mut self, count: usize) -> i32 {
        let values = &mut self.0[..count];
        let sum = values.iter().fold(0, |sum: i32, value| sum.wrapping_add(i32::from(*value)));
        let mean = (sum + count as i32 / 2) / (count as i32).max(1);
        for value in values {
            *value = value.wrapping_sub(mean as i16); // bytes both
        }
        mean
    }

    /// Product with a row, over the row's length, which is a multiple of four. 224 products of a sample (at most 510)
    /// and a byte stay far below an `i32`.
    pub fn dot(&self, row: &[i8]) -> i32 {
        let product = |a: i16, b: i8| i32::from(a).wrapping_mul(i32::from(b));
        let (values, rows) = (self.0.as_chunks::<4>().0, row.as_chunks::<4>().0);
        values.iter().zip(rows).fold(0, |sum, (v, r)| {
            let (one, two) = (product(v[0], r[0]), product(v[1], r[1]));
            let (three, four) = (product(v[2], r[2]), product(v[3], r[3]));
            sum.wrapping_add(one).wrapping_add(two).wrapping_add(three).wrapping_add(four)
        })
    }

    /// Takes an even slope of light out of the first `count` samples.
    pub fn level(&mut self, slopes: &[Row; 2], count: usize) {
        for slope in slopes {
            let along = self.dot(&slope[..count]) / UNIT;
            for (value, part) in self.0[..count].iter_mut().zip(slope) {
                let step = along.wrapping_mul(i32::from(*part)) >> UNIT_BITS;
                *value = value.wrapping_sub(step as i16); // no steeper than the samples
            }
        }
    }

    /// The first `count` samples' length as a vector.
    pub fn length(&self, count: usize) -> i32 {
        let square = |value: &i16| i32::from(*value).wrapping_mul(i32::from(*value));
        square_root(self.0[..count].iter().map(square).fold(0, i32::wrapping_add))
    }
}

impl Drop for Samples {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

/// One of two values, on the same path for both.
#[inline(always)]
pub fn select(first: bool, one: i32, other: i32) -> i32 {
    let mask = -i32::from(first);
    (one & mask) | (other & !mask)
}

/// The integer square root of less than 2^30, in the same steps for every value.
pub fn square_root(of: i32) -> i32 {
    let (mut root, mut rest, mut bit) = (0, of, 1 << 28);
    while bit != 0 {
        let fits = i32::from(rest >= root + bit);
        rest -= fits * (root + bit);
        root = (root >> 1) + fits * bit;
        bit >>= 2;
    }
    root
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn square_roots_are_the_floor_of_the_true_ones() {
        for value in (0..5000).chain([65_535, 65_536, 14_565_600, (1 << 30) - 1]) {
            let root = square_root(value);
            assert!(root * root <= value && i64::from(root + 1).pow(2) > i64::from(value));
        }
    }

    #[test]
    fn a_pose_keeps_to_what_a_card_that_is_home_can_do() {
        let far = Pose { x: 9 * PIXEL, y: -9 * PIXEL, turn: RADIAN }.at_home();
        assert_eq!((far.x, far.y, far.turn), (FARTHEST, -FARTHEST, MOST_TURNED));
        assert!(!far.is_home());
        let near = Pose { x: 4 * PIXEL, y: 0, turn: -71 }.at_home();
        assert_eq!((near.x, near.y, near.turn), (4 * PIXEL, 0, -71));
        assert!(near.is_home());
    }
}
