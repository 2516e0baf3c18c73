//! Ink: how dark the print is, whatever the lamps, the room and the gloss do.
//!
//! The dark frame takes the room's light away, the reference strip the lamps' strength.
//! Gloss mirrors one bank at a time and only ever adds light, so of the two banks the
//! darker view is the print. What is left, a slope of light across the window, is taken
//! away where it matters: in [`super::stencil`].

use zeroize::Zeroize;

use super::frame::{Frame, FrameSet, HEIGHT, SETS, WIDTH};

/// Reflectance of the white patch; what is whiter still has room above it.
const WHITE: u32 = 224;
const SHIFT: u32 = 16;

/// Darkness of each pixel: 0 is whiter than white, 255 sends nothing back.
pub(super) struct Ink(pub [[u8; WIDTH]; HEIGHT]);

impl Ink {
    /// Nothing printed anywhere.
    pub(super) const fn none() -> Self {
        Self([[0; WIDTH]; HEIGHT])
    }

    /// What is printed, from the three exposures of one set.
    #[inline(never)]
    pub(super) fn see(&mut self, set: &FrameSet) {
        let (left, right) = (gain(&set.left, &set.dark), gain(&set.right, &set.dark));
        for (y, row) in self.0.iter_mut().enumerate() {
            for (x, ink) in row.iter_mut().enumerate() {
                let dark = set.dark.pixels[y][x];
                let seen = reflectance(set.left.pixels[y][x], dark, left).min(reflectance(
                    set.right.pixels[y][x],
                    dark,
                    right,
                ));
                *ink = u8::MAX - seen;
            }
        }
    }

    /// The sets' average.
    pub(super) fn mean(of: &[Self; SETS]) -> Self {
        let [one, two, three] = of;
        let mut mean = Self::none();
        let sets = one.0.as_flattened().iter().zip(two.0.as_flattened());
        let sets = sets.zip(three.0.as_flattened());
        for (ink, ((one, two), three)) in mean.0.as_flattened_mut().iter_mut().zip(sets) {
            let sum = u32::from(*one).wrapping_add((*two).into()).wrapping_add((*three).into());
            *ink = (sum / SETS as u32) as u8; // the mean of bytes is a byte
        }
        mean
    }

    /// The same print, moved by whole pixels; at the edges it goes on.
    pub(super) fn moved(&self, across: i32, down: i32) -> Self {
        let mut moved = Self::none();
        for (y, row) in (0..).zip(&mut moved.0) {
            for (x, ink) in (0..).zip(row) {
                let x = (x - across).clamp(0, WIDTH as i32 - 1);
                let y = (y - down).clamp(0, HEIGHT as i32 - 1);
                *ink = self.0[y as usize][x as usize];
            }
        }
        moved
    }

    /// The same print, out of focus: each pixel the mean of its neighbourhood, twice over.
    pub(super) fn soft(&self) -> Self {
        self.smeared().smeared()
    }

    fn smeared(&self) -> Self {
        let mut smeared = Self::none();
        for (y, row) in smeared.0.iter_mut().enumerate() {
            let [above, at, below] = [y.saturating_sub(1), y, (y + 1).min(HEIGHT - 1)];
            let (above, at, below) = (&self.0[above], &self.0[at], &self.0[below]);
            // Nine bytes are no number to check at each step.
            let column = |x: usize| {
                u32::from(above[x]).wrapping_add(u32::from(at[x])).wrapping_add(u32::from(below[x]))
            };
            let (mut before, mut here) = (column(0), column(0));
            for (x, ink) in row.iter_mut().enumerate() {
                let after = column((x + 1).min(WIDTH - 1));
                let sum = before.wrapping_add(here).wrapping_add(after);
                *ink = (sum / 9) as u8; // the mean of bytes is a byte
                (before, here) = (here, after);
            }
        }
        smeared
    }

    /// The darkness of a pixel; beyond the frame its edge goes on.
    #[inline(always)]
    pub(super) fn pixel(&self, x: i8, y: i8) -> u8 {
        let column = x.clamp(0, WIDTH as i8 - 1) as usize;
        let row = y.clamp(0, HEIGHT as i8 - 1) as usize;
        self.0[row][column]
    }

    /// The darkness between pixels, at `x`, `y` in 1/256 pixel; beyond the frame its edge goes on.
    #[inline(always)]
    pub(super) fn at(&self, x: i32, y: i32) -> i32 {
        let x = x.clamp(0, (WIDTH as i32 - 1) * 256 - 1) as u32;
        let y = y.clamp(0, (HEIGHT as i32 - 1) * 256 - 1) as u32;
        let (column, across) = ((x >> 8) as usize, x & 0xFF);
        let (row, down) = ((y >> 8) as usize, y & 0xFF);
        let blend = |row: &[u8; WIDTH]| {
            u32::from(row[column]) * (256 - across) + u32::from(row[column + 1]) * across
        };
        let both = blend(&self.0[row]) * (256 - down) + blend(&self.0[row + 1]) * down;
        (both >> SHIFT) as i32
    }
}

impl Drop for Ink {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

/// What makes a lit pixel's level a reflectance, in parts of 1 << [`SHIFT`].
fn gain(lit: &Frame, dark: &Frame) -> u32 {
    let white = u32::from(lit.strip.white.saturating_sub(dark.strip.white));
    (WHITE << SHIFT) / white.max(1)
}

/// At most 255: `gain` is at most 224 whole parts, so nothing here can overflow.
#[inline(always)]
fn reflectance(lit: u8, dark: u8, gain: u32) -> u8 {
    let light = u32::from(lit.saturating_sub(dark));
    ((light * gain) >> SHIFT).min(u32::from(u8::MAX)) as u8
}
