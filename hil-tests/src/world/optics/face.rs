//! What is printed in a card's corner, as reflectance, ready to be seen blurred.
//!
//! A read is rendered nine frames at a time, a million times: so the blur is done once, when
//! the face is made, at five strengths, and a sensor pixel mixes the two nearest.

use super::Point;

/// Side of a raster cell, mm. A sensor pixel covers nearly four.
pub const CELL: f32 = 0.1;
/// The raster begins this far outside the card's corner, mm, so that a miscut has something to show.
pub const MARGIN: f32 = 2.0;
/// Cells across.
pub const COLUMNS: usize = 180;
/// Cells down.
pub const ROWS: usize = 240;
/// What black printing ink sends back, as a part of what good card stock does.
pub const INK: f32 = 0.05;

/// Spread of the light from one point, mm (standard deviation), at each blur strength. The first
/// is a lens in focus over a pixel of 0.375 mm.
pub const SPREADS: [f32; 5] = [0.13, 0.2, 0.28, 0.38, 0.5];

/// A corner's print, unblurred: parts of what good card stock sends back, row by row.
#[derive(Clone)]
pub struct Raster(Vec<f32>);

impl Raster {
    /// Prints what `at` says, asked once for each cell's middle, mm from the corner.
    pub fn printed(at: impl Fn(Point) -> f32) -> Self {
        let middle = |index: usize| (index as f32 + 0.5) * CELL - MARGIN;
        let cells = (0..ROWS).flat_map(|row| (0..COLUMNS).map(move |column| (column, row)));
        Self(cells.map(|(column, row)| at((middle(column), middle(row)))).collect())
    }

    /// One tone everywhere: a blank card is `plain(1.0)`.
    pub fn plain(tone: f32) -> Self {
        Self(vec![tone; COLUMNS * ROWS])
    }

    /// From sRGB pixels of the raster's size: [`COLUMNS`] by [`ROWS`].
    pub fn from_rgb(pixels: &[[u8; 3]]) -> Self {
        assert_eq!(pixels.len(), COLUMNS * ROWS, "a corner has its own size");
        Self(pixels.iter().copied().map(seen).collect())
    }

    /// The cells' tones, row by row.
    pub fn tones(&self) -> &[f32] {
        &self.0
    }
}

/// How bright a printed colour is under white lamps to a silicon sensor, which sees red well:
/// red ink has far less contrast than black.
fn seen([red, green, blue]: [u8; 3]) -> f32 {
    let linear = |value: u8| (f32::from(value) / 255.0).powf(2.2);
    let bright = 0.33 * linear(red) + 0.45 * linear(green) + 0.22 * linear(blue);
    INK + (1.0 - INK) * bright
}

/// A printed corner, at every blur.
pub struct Face {
    /// Per cell the tone at each spread, 0 to 255; a cell's five lie together for the cache.
    cells: Vec<[u8; SPREADS.len()]>,
}

impl Face {
    /// Blurs `raster` at every strength.
    pub fn new(raster: &Raster) -> Self {
        let mut cells = vec![[0; SPREADS.len()]; COLUMNS * ROWS];
        let mut tones = raster.0.clone();
        let mut had = 0.0_f32;
        for (strength, spread) in SPREADS.into_iter().enumerate() {
            blur(&mut tones, (spread * spread - had * had).sqrt() / CELL);
            had = spread;
            for (cell, tone) in cells.iter_mut().zip(&tones) {
                cell[strength] = (tone * 255.0 + 0.5).clamp(0.0, 255.0) as u8;
            }
        }
        Self { cells }
    }

    /// A card with nothing printed on it.
    pub fn plain(tone: f32) -> Self {
        Self::new(&Raster::plain(tone))
    }

    /// The tone at a place, with the light of one point spread over `spread` mm.
    #[inline]
    pub fn tone(&self, (x, y): Point, spread: f32) -> f32 {
        let (strength, share) = strength(spread);
        let across = ((x + MARGIN) / CELL - 0.5).clamp(0.0, (COLUMNS - 2) as f32);
        let down = ((y + MARGIN) / CELL - 0.5).clamp(0.0, (ROWS - 2) as f32);
        let (column, row) = (across as usize, down as usize);
        let (fx, fy) = (across - column as f32, down - row as f32);
        let base = row * COLUMNS + column;
        let at = |offset: usize| {
            let cell = &self.cells[base + offset];
            let (sharp, soft) = (f32::from(cell[strength]), f32::from(cell[strength + 1]));
            sharp + (soft - sharp) * share
        };
        let top = at(0) + (at(1) - at(0)) * fx;
        let bottom = at(COLUMNS) + (at(COLUMNS + 1) - at(COLUMNS)) * fx;
        (top + (bottom - top) * fy) / 255.0
    }
}

/// Which two blurs a spread lies between, and how far on.
#[inline]
fn strength(spread: f32) -> (usize, f32) {
    let last = SPREADS.len() - 2;
    let mut lower = 0;
    while lower < last && spread > SPREADS[lower + 1] {
        lower += 1;
    }
    let share = (spread - SPREADS[lower]) / (SPREADS[lower + 1] - SPREADS[lower]);
    (lower, share.clamp(0.0, 1.0))
}

/// Gaussian blur of a raster, `spread` in cells; the rim goes on as it ends.
fn blur(tones: &mut [f32], spread: f32) {
    let reach = (spread * 3.0).ceil() as usize;
    let weight = |step: usize| (-0.5 * (step as f32 / spread).powi(2)).exp();
    let sum: f32 = weight(0) + 2.0 * (1..=reach).map(weight).sum::<f32>();
    let kernel: Vec<f32> = (0..=reach).map(|step| weight(step) / sum).collect();
    for row in tones.chunks_exact_mut(COLUMNS) {
        line(row, 1, COLUMNS, &kernel);
    }
    for column in 0..COLUMNS {
        line(&mut tones[column..], COLUMNS, ROWS, &kernel);
    }
}

/// Blurs one line of `length` cells that are `stride` apart.
fn line(tones: &mut [f32], stride: usize, length: usize, kernel: &[f32]) {
    let reach = kernel.len() - 1;
    let last = length - 1;
    let padded: Vec<f32> = (0..length + 2 * reach)
        .map(|place| tones[place.saturating_sub(reach).min(last) * stride])
        .collect();
    for (place, around) in padded.windows(2 * reach + 1).enumerate() {
        let pairs =
            (1..=reach).map(|step| kernel[step] * (around[reach - step] + around[reach + step]));
        tones[place * stride] = kernel[0] * around[reach] + pairs.sum::<f32>();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn red_ink_has_less_contrast_than_black() {
        assert!(seen([0, 0, 0]) < 0.06 && seen([255; 3]) > 0.99);
        assert!((0.2..0.4).contains(&seen([220, 0, 0])));
    }

    #[test]
    fn an_edge_softens_with_the_spread_and_keeps_its_place() {
        let face = Face::new(&Raster::printed(|(x, _)| if x < 5.0 { 0.0 } else { 1.0 }));
        for spread in [0.13, 0.24, 0.5] {
            let middle = face.tone((5.0, 8.0), spread);
            assert!((middle - 0.5).abs() < 0.02, "{middle} at {spread}");
        }
        let just_inside = |spread| face.tone((5.3, 8.0), spread);
        assert!(just_inside(0.13) > just_inside(0.3) && just_inside(0.3) > just_inside(0.5));
    }

    #[test]
    fn plain_stock_is_plain_at_every_blur_and_beyond_the_raster() {
        let face = Face::plain(1.0);
        for place in [(-50.0, -50.0), (0.0, 0.0), (7.0, 11.0), (99.0, 99.0)] {
            assert!(face.tone(place, 0.3) > 0.995);
        }
    }
}
