//! What is taught of a brand: where to look, and what each rank looks like there.

use super::ground::{Ground, SPOTS};
use super::stencil::{POINTS, Row, Stencil, UNIT, square_root, sum_of_parts};

/// Ranks of a deck.
pub(super) const RANKS: usize = 13;
/// Points of the stencil that are enough to find a card and to see how it lies.
pub(super) const HALF: usize = POINTS / 2;

/// What the first points of a stencil need, to be compared by themselves.
pub(super) struct Depth {
    /// How many points.
    pub count: usize,
    /// What an even slope of light looks like at them, in two directions.
    pub slopes: [Row; 2],
    /// Sum of the first one's parts.
    pub parts: i32,
    /// Length of each rank's row there, without mean and slope.
    pub lengths: [u16; RANKS],
    /// Sum of each rank's row there.
    pub sums: [i16; RANKS],
}

impl Depth {
    const BLANK: Self = Self {
        count: 0,
        slopes: [[0; POINTS]; 2],
        parts: 0,
        lengths: [0; RANKS],
        sums: [0; RANKS],
    };

    #[inline(never)] // see `Taught`
    fn prepare(&mut self, count: usize, stencil: &Stencil, rows: &[Row; RANKS]) {
        self.count = count;
        self.slopes = slopes(stencil, count);
        self.parts = sum_of_parts(&self.slopes[0]);
        let slopes = &self.slopes;
        let length = |row: &Row| levelled(row.map(|part| i32::from(part) * 8), slopes, count).1;
        for (rank, row) in rows.iter().enumerate() {
            // No longer than the row of bytes: at most 127 * 15.
            self.lengths[rank] = (length(row) / 8).max(1) as u16;
            // At most 224 * 127.
            self.sums[rank] = sum_of_parts(&row[..count]) as i16;
        }
    }
}

/// Where to look and what is there. It is filled where it lies: a stack has no room for
/// several of them, and code that makes one calls deep.
pub(super) struct Taught {
    /// Where to look.
    pub stencil: Stencil,
    /// Where all ranks show the same.
    pub ground: Ground,
    /// What each rank looks like at the stencil's points.
    pub rows: [Row; RANKS],
    /// For finding a card, and seeing how it lies.
    pub half: Depth,
    /// For saying what it is.
    pub all: Depth,
    /// How well a card of each rank fits its own row at the first look, where it lies least
    /// well for that, in half parts of [`UNIT`].
    pub first_sight: [u8; RANKS],
}

impl Taught {
    /// Nothing taught.
    pub(super) const BLANK: Self = Self {
        stencil: Stencil { centre: (0, 0), points: [(0, 0); POINTS] },
        ground: Ground { spots: [(0, 0); SPOTS], floors: 0 },
        rows: [[0; POINTS]; RANKS],
        half: Depth::BLANK,
        all: Depth::BLANK,
        first_sight: [0; RANKS],
    };

    /// Prepares what follows from stencil and rows.
    pub(super) fn prepare(&mut self) {
        self.half.prepare(HALF, &self.stencil, &self.rows);
        self.all.prepare(POINTS, &self.stencil, &self.rows);
    }
}

/// Two rows that span every even slope over the stencil's first points.
fn slopes(stencil: &Stencil, count: usize) -> [Row; 2] {
    let across = unit(stencil.points.map(|(x, _)| i32::from(x) * 64), &[], count);
    let down = unit(stencil.points.map(|(_, y)| i32::from(y) * 64), &[across], count);
    [across, down]
}

/// What `values` at all points of `stencil` look like, whatever their mean, slope and contrast.
pub(super) fn row(stencil: &Stencil, values: [i32; POINTS]) -> Row {
    unit(values, &slopes(stencil, POINTS), POINTS)
}

/// The first `count` values without mean and slopes, at unit length.
fn unit(values: [i32; POINTS], slopes: &[Row], count: usize) -> Row {
    let (values, length) = levelled(values, slopes, count);
    values.map(|value| (value * UNIT / length).clamp(-127, 127) as i8)
}

/// The first `count` values without mean and slopes, and their length; none of the rest.
fn levelled(mut values: [i32; POINTS], slopes: &[Row], count: usize) -> ([i32; POINTS], i32) {
    values[count..].fill(0);
    let part = &mut values[..count];
    // Twice, because rows of bytes are not quite of unit length.
    for _ in 0..2 {
        let mean = part.iter().sum::<i32>() / count as i32;
        part.iter_mut().for_each(|value| *value -= mean);
        for slope in slopes {
            let along: i32 = part.iter().zip(slope).map(|(v, s)| v * i32::from(*s)).sum();
            for (value, step) in part.iter_mut().zip(slope) {
                *value -= (along / UNIT) * i32::from(*step) / UNIT;
            }
        }
    }
    let length = 4 * square_root(part.iter().map(|value| value * value / 16).sum());
    (values, length.max(1))
}
