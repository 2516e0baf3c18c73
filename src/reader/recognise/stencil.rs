//! A stencil: the points of a corner at which a brand's ranks show, laid over what is seen.
//!
//! Points that tell the ranks of a brand apart are few, so only they are looked at: the
//! suit and the picture are not among them, and are never processed. An even slope of
//! light over the points is taken out of what is seen, whichever way it falls.
//!
//! Written by hand because the crates that match images want a heap, floats, or both.

use core::hint::black_box;

use zeroize::Zeroize;

use super::ink::Ink;

/// Points of a stencil.
pub(super) const POINTS: usize = 224;
/// Length of a row, as a vector. Scores are in parts of it.
pub(super) const UNIT: i32 = 1 << UNIT_BITS;
const UNIT_BITS: u32 = 9;
/// One pixel, in the unit of places.
pub(super) const PIXEL: i32 = 1 << PIXEL_BITS;
const PIXEL_BITS: u32 = 8;
/// One radian, in the unit of turns.
pub(super) const RADIAN: i32 = 1024;
/// How far from its taught place the print of a card that is home may be: the nest's play
/// of 1.5 mm, half a millimetre by which 4 degrees move an index that is 8 mm from the corner,
/// a cut and a stretched card, and how the taught cards lay.
const FARTHEST: i32 = 13 * PIXEL / 2;
/// How far it may be turned: 4 degrees, and how the taught cards lay.
const MOST_TURNED: i32 = RADIAN / 10;

/// Values at the stencil's points: of length [`UNIT`], with no mean and no slope.
pub(super) type Row = [i8; POINTS];

/// Where a card lies: how far from its taught place, and how it is turned.
#[derive(Clone, Copy, Default)]
pub(super) struct Pose {
    /// Across, in 1/256 pixel.
    pub x: i32,
    /// Down, in 1/256 pixel.
    pub y: i32,
    /// Turned, in 1/1024 radian.
    pub turn: i32,
}

impl Pose {
    /// As taught.
    pub(super) const HOME: Self = Self { x: 0, y: 0, turn: 0 };

    /// This pose, moved by `parts` of 256 of another.
    pub(super) const fn moved(self, by: Self, parts: i32) -> Self {
        Self {
            x: self.x + by.x * parts / 256,
            y: self.y + by.y * parts / 256,
            turn: self.turn + by.turn * parts / 256,
        }
    }

    /// This pose, or the nearest at which a card that is home can lie.
    pub(super) fn at_home(self) -> Self {
        Self {
            x: self.x.clamp(-FARTHEST, FARTHEST),
            y: self.y.clamp(-FARTHEST, FARTHEST),
            turn: self.turn.clamp(-MOST_TURNED, MOST_TURNED),
        }
    }

    /// Whether a card that is home can lie so.
    pub(super) fn is_home(self) -> bool {
        let room = |most: i32, off: i32| most.wrapping_sub(1).wrapping_sub(off.wrapping_abs());
        // Room is negative where there is none, and so is any number joined to it: no branch.
        let rooms = [room(FARTHEST, self.x), room(FARTHEST, self.y), room(MOST_TURNED, self.turn)];
        (rooms[0] | rooms[1] | rooms[2]) >= 0
    }

    /// Where a card at this pose shows what is around the pixel `centre`.
    pub(super) fn about(self, centre: (u8, u8)) -> Around {
        let at = |centre: u8, off: i32| i32::from(centre).wrapping_mul(PIXEL).wrapping_add(off);
        let around = Around { x: at(centre.0, self.x), y: at(centre.1, self.y), turn: self.turn };
        // Opaque, or the compiler takes the sums apart again at each point.
        black_box(around)
    }
}

/// A place on a card as it lies, to tell others from.
#[derive(Clone, Copy)]
pub(super) struct Around {
    x: i32,
    y: i32,
    turn: i32,
}

impl Around {
    /// Where the point is seen that is `across` and `down` from here on the card: turns are
    /// small, so a sine is its angle and a cosine is one.
    #[inline(always)]
    pub(super) fn shows(self, across: i32, down: i32) -> (i32, i32) {
        // All are a few thousand at most; a check on each would double the read.
        let turned = |by: i32| by.wrapping_mul(self.turn) >> 2;
        (
            self.x.wrapping_add(across << PIXEL_BITS).wrapping_sub(turned(down)),
            self.y.wrapping_add(down << PIXEL_BITS).wrapping_add(turned(across)),
        )
    }
}

/// Points around a centre.
pub(super) struct Stencil {
    /// The pixel about which a card turns.
    pub centre: (u8, u8),
    /// Each point from there, in pixels. Any first few of them are spread over the whole.
    pub points: [(i8, i8); POINTS],
}

impl Stencil {
    /// Sees the first `count` points of a card that lies at `pose`.
    pub(super) fn lay(&self, ink: &Ink, pose: Pose, count: usize, seen: &mut Samples) {
        let around = pose.about(self.centre);
        for (value, &(across, down)) in seen.0[..count].iter_mut().zip(&self.points) {
            let (x, y) = around.shows(across.into(), down.into());
            *value = ink.at(x, y) as i16; // a byte
        }
    }

    /// The same for a card that lies straight, `across` and `down` by whole pixels: cheaper.
    pub(super) fn lay_straight(
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
    }
}

/// How bytes that were seen, and a row, go together. Their sums stay far below an `i32`.
pub(super) struct Likeness {
    sum: i32,
    squares: i32,
    product: i32,
}

impl Likeness {
    /// The product with the row whose parts make `row`, and the length of what was seen, its
    /// mean taken out of `count` points: nothing has to be seen twice for that.
    pub(super) fn centred(&self, count: usize, row: i32) -> (i32, i32) {
        let mean = mean(self.sum, count);
        let twice = self.sum.wrapping_mul(2).wrapping_sub(mean.wrapping_mul(count as i32));
        let squares = self.squares.wrapping_sub(mean.wrapping_mul(twice));
        (self.product.wrapping_sub(mean.wrapping_mul(row)), square_root(squares))
    }
}

/// The mean of `count` values, rounded.
fn mean(sum: i32, count: usize) -> i32 {
    sum.wrapping_add(count as i32 / 2) / (count as i32).max(1)
}

/// What is seen at the points. Wiped when it goes out of scope.
pub(super) struct Samples(pub [i16; POINTS]);

impl Samples {
    /// Nothing seen.
    pub(super) const fn new() -> Self {
        Self([0; POINTS])
    }

    /// Takes the mean out of the first `count` samples; gives it.
    pub(super) fn centre(&mut self, count: usize) -> i32 {
        let values = &mut self.0[..count];
        let sum = values.iter().fold(0_i32, |sum, value| sum.wrapping_add((*value).into()));
        let mean = mean(sum, count);
        for value in values {
            *value = value.wrapping_sub(mean as i16); // bytes both
        }
        mean
    }

    /// Takes the mean and an even slope of light out of the first `count` samples; gives the
    /// length of what is left. Each step is taken while the next one is measured. `parts` is the
    /// sum of the first slope's parts.
    pub(super) fn level(&mut self, slopes: &[Row; 2], parts: i32, count: usize) -> i32 {
        let ([across, down], values) = (slopes, &mut self.0[..count]);
        let (mut sum, mut first) = (0_i32, 0_i32);
        for (value, part) in values.iter().zip(across) {
            sum = sum.wrapping_add((*value).into());
            first = first.wrapping_add(product(*value, *part));
        }
        let mean = mean(sum, count);
        let first = first.wrapping_sub(mean.wrapping_mul(parts)) / UNIT;
        let mut second = 0_i32;
        for (value, (across, down)) in values.iter_mut().zip(across.iter().zip(down)) {
            *value = less(i32::from(*value).wrapping_sub(mean), first, *across);
            second = second.wrapping_add(product(*value, *down));
        }
        let second = second / UNIT;
        let mut squares = 0_i32;
        for (value, part) in values.iter_mut().zip(down) {
            *value = less((*value).into(), second, *part);
            squares = squares.wrapping_add(i32::from(*value).wrapping_mul((*value).into()));
        }
        square_root(squares)
    }

    /// Product with a row, over the row's length, which is a multiple of four. 224 products of a sample (at most 510)
    /// and a byte stay far below an `i32`.
    pub(super) fn dot(&self, row: &[i8]) -> i32 {
        let (values, rows) = (self.0.as_chunks::<4>().0, row.as_chunks::<4>().0);
        values.iter().zip(rows).fold(0, |sum, (v, r)| {
            let (one, two) = (product(v[0], r[0]), product(v[1], r[1]));
            let (three, four) = (product(v[2], r[2]), product(v[3], r[3]));
            sum.wrapping_add(one).wrapping_add(two).wrapping_add(three).wrapping_add(four)
        })
    }

    /// How the first samples, their mean still in them, and a row of this number of parts go
    /// together.
    pub(super) fn likeness(&self, row: &[i8]) -> Likeness {
        let mut likeness = Likeness { sum: 0, squares: 0, product: 0 };
        for (value, part) in self.0.iter().zip(row) {
            let byte = i32::from(*value);
            likeness.sum = likeness.sum.wrapping_add(byte);
            likeness.squares = likeness.squares.wrapping_add(byte.wrapping_mul(byte));
            likeness.product = likeness.product.wrapping_add(product(*value, *part));
        }
        likeness
    }

    /// Products with four rows at once, over the first `count` points: each sample is fetched once.
    pub(super) fn dots(&self, rows: &[Row; 4], count: usize) -> [i32; 4] {
        let [one, two, three, four] = rows;
        let (mut a, mut b, mut c, mut d) = (0_i32, 0_i32, 0_i32, 0_i32);
        let rows = one.iter().zip(two).zip(three.iter().zip(four));
        for (value, ((one, two), (three, four))) in self.0[..count].iter().zip(rows) {
            a = a.wrapping_add(product(*value, *one));
            b = b.wrapping_add(product(*value, *two));
            c = c.wrapping_add(product(*value, *three));
            d = d.wrapping_add(product(*value, *four));
        }
        [a, b, c, d]
    }

    /// The first `count` samples' length as a vector.
    pub(super) fn length(&self, count: usize) -> i32 {
        let square = |value: &i16| i32::from(*value).wrapping_mul(i32::from(*value));
        square_root(self.0[..count].iter().map(square).fold(0, i32::wrapping_add))
    }
}

#[inline(always)]
fn product(value: i16, part: i8) -> i32 {
    i32::from(value).wrapping_mul(i32::from(part))
}

/// The sum of a row's parts.
pub(super) fn sum_of_parts(row: &[i8]) -> i32 {
    row.iter().fold(0, |sum, part| sum.wrapping_add(i32::from(*part)))
}

/// A sample less its part of a slope, which is no steeper than the samples.
#[inline(always)]
fn less(value: i32, along: i32, part: i8) -> i16 {
    value.wrapping_sub(along.wrapping_mul(i32::from(part)) >> UNIT_BITS) as i16
}

impl Drop for Samples {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

/// One of two values, on the same path for both.
#[inline(always)]
pub(super) fn select(first: bool, one: i32, other: i32) -> i32 {
    let mask = -i32::from(first);
    (one & mask) | (other & !mask)
}

/// The integer square root of less than 2^30, in the same steps for every value.
pub(super) fn square_root(of: i32) -> i32 {
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

    /// Bytes, and rows, that have nothing in common.
    fn samples(seed: u32) -> Samples {
        let mut seen = Samples::new();
        for (i, value) in (1..).zip(&mut seen.0) {
            *value = (seed.wrapping_mul(i).wrapping_mul(0x9E37_79B9) >> 24) as i16;
        }
        seen
    }

    fn row(seed: u32) -> Row {
        samples(seed).0.map(|value| (value / 2 - 64) as i8)
    }

    #[test]
    fn what_is_summed_up_at_one_sight_is_what_the_samples_say_without_their_mean() {
        for count in [112, POINTS] {
            let (mut seen, row) = (samples(3), row(5));
            let likeness = seen.likeness(&row[..count]);
            let summed = likeness.centred(count, sum_of_parts(&row[..count]));
            seen.centre(count);
            assert_eq!(summed, (seen.dot(&row[..count]), seen.length(count)));
        }
    }

    #[test]
    fn four_rows_at_once_are_four_rows() {
        let (seen, rows) = (samples(7), [1, 2, 3, 4].map(row));
        for count in [112, POINTS] {
            assert_eq!(seen.dots(&rows, count), rows.map(|row| seen.dot(&row[..count])));
        }
    }

    #[test]
    fn levelled_samples_have_neither_mean_nor_slope() {
        let points: [i32; POINTS] = core::array::from_fn(|i| 2 * (i as i32 % 16) - 15);
        let across =
            points.map(|x| (x * UNIT / square_root(points.iter().map(|x| x * x).sum())) as i8);
        let slopes = [across, [0; POINTS]];
        let mut seen = Samples(points.map(|x| (100 + 3 * x) as i16));
        let left = seen.level(&slopes, sum_of_parts(&across), POINTS);
        // All that was there was mean and slope; a row of bytes says it nearly.
        assert!(left < 3 * square_root(points.iter().map(|x| x * x).sum()) / 16, "{left}");
        assert_eq!(left, seen.length(POINTS));
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
