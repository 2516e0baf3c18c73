//! Where to look: the part of the corner in which a brand's ranks differ.
//!
//! Suits, pictures and frames either differ between cards of one rank or are the same on
//! all, so they are worth nothing here; what stands out is the index, as one patch. Points
//! are taken from that patch and nowhere else.

use super::frame::{HEIGHT, WIDTH};
use super::stencil::{POINTS, Stencil};

/// What each pixel tells of the rank.
pub(super) type Worth = [[u16; WIDTH]; HEIGHT];

/// All pixels of the frame, row by row.
pub(super) fn places() -> impl Iterator<Item = (usize, usize)> {
    (0..WIDTH * HEIGHT).map(|place| (place % WIDTH, place / WIDTH))
}

/// A set of pixels, a row in each word.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Region(pub [u32; HEIGHT]);

impl Region {
    /// No pixel.
    pub(super) const NONE: Self = Self([0; HEIGHT]);

    fn of(worth: &Worth, least: u16) -> Self {
        Self(worth.map(|row| {
            row.iter().enumerate().fold(0, |bits, (x, w)| bits | u32::from(*w >= least) << x)
        }))
    }

    fn holds(&self, x: usize, y: usize) -> bool {
        self.0[y] >> x & 1 == 1
    }

    /// Its pixels, row by row.
    pub(super) fn pixels(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        places().filter(|&(x, y)| self.holds(x, y))
    }

    /// How many pixels it has.
    pub(super) fn count(&self) -> usize {
        self.0.iter().map(|row| row.count_ones() as usize).sum()
    }

    /// The pixels that are in both.
    pub(super) fn and(&self, other: &Self) -> Self {
        Self(core::array::from_fn(|y| self.0[y] & other.0[y]))
    }

    /// With every pixel's four neighbours.
    pub(super) fn grown(&self) -> Self {
        Self(core::array::from_fn(|y| {
            let above = if y > 0 { self.0[y - 1] } else { 0 };
            let below = if y + 1 < HEIGHT { self.0[y + 1] } else { 0 };
            self.0[y] | self.0[y] << 1 | self.0[y] >> 1 | above | below
        }))
    }

    /// Without the pixels at its edge; beyond the frame it goes on.
    pub(super) fn shrunk(&self) -> Self {
        let outside = Self(self.0.map(|row| !row));
        Self(outside.grown().0.map(|row| !row))
    }

    /// Every second pixel, as on a chess board.
    const CHESS: Self = {
        let mut rows = [0x5555_5555; HEIGHT];
        let mut y = 1;
        while y < HEIGHT {
            rows[y] = 0xAAAA_AAAA;
            y += 2;
        }
        Self(rows)
    };
}

/// The points at which the ranks of a brand differ, and the index that they are in.
pub(super) fn choose(worth: &Worth) -> (Stencil, Region) {
    let smooth = smoothed(worth);
    let (x, y) = highest(&smooth);
    let allowed = Region::of(&smooth, smooth[y][x] / 3).shrunk();
    let mut patch = Region::NONE;
    patch.0[y] = 1 << x;
    patch = patch.grown();
    loop {
        let wider = patch.grown().and(&allowed);
        if wider == patch {
            break;
        }
        patch = wider;
    }
    patch = patch.grown().grown();
    while patch.count() < POINTS {
        patch = patch.grown();
    }
    if patch.count() > 2 * POINTS {
        patch = patch.and(&Region::CHESS);
    }
    (stencil(&thinned(patch, worth)), patch)
}

/// Takes the pixels that tell least out of `patch` until as many are left as a stencil has.
fn thinned(mut patch: Region, worth: &Worth) -> Region {
    for _ in POINTS..patch.count() {
        let (x, y) = patch.pixels().min_by_key(|&(x, y)| worth[y][x]).unwrap_or((0, 0));
        patch.0[y] &= !(1 << x);
    }
    patch
}

/// The mean over each pixel and its eight neighbours.
fn smoothed(worth: &Worth) -> Worth {
    core::array::from_fn(|y| {
        core::array::from_fn(|x| {
            let rows = y.saturating_sub(1)..(y + 2).min(HEIGHT);
            let columns = x.saturating_sub(1)..(x + 2).min(WIDTH);
            let sum: u32 = worth[rows]
                .iter()
                .flat_map(|row| &row[columns.clone()])
                .map(|w| u32::from(*w))
                .sum();
            (sum / 9) as u16 // the mean of at most nine
        })
    })
}

fn highest(worth: &Worth) -> (usize, usize) {
    places().max_by_key(|&(x, y)| u32::from(worth[y][x]) * (2 * WIDTH - x) as u32).unwrap_or((0, 0))
}

/// Strides over the points in raster order, so that any first few are spread over all.
const STRIDE: usize = 139;

fn stencil(patch: &Region) -> Stencil {
    let mut raster = [(0, 0); POINTS];
    for (point, pixel) in raster.iter_mut().zip(patch.pixels()) {
        *point = pixel;
    }
    let sum = raster.iter().fold((0, 0), |sum, point| (sum.0 + point.0, sum.1 + point.1));
    let centre = (sum.0 / POINTS, sum.1 / POINTS);
    let from_centre = |i: usize| {
        let (x, y) = raster[i * STRIDE % POINTS];
        (x as i8 - centre.0 as i8, y as i8 - centre.1 as i8)
    };
    Stencil {
        centre: (centre.0 as u8, centre.1 as u8), // both below 48
        points: core::array::from_fn(from_centre),
    }
}
