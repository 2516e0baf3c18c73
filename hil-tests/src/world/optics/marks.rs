//! What lies on card or window: lint, ash, smears, scratches.
//!
//! Each mark is stamped onto a pane of sensor pixels, as how much of the pixel it covers and
//! how bright it is there. A mark on the card moves with the card, one on the window stays.

use croupier::reader::recognise::frame::{HEIGHT, WIDTH};

use super::Point;
use super::sensor::PITCH;

/// Something that is not print.
#[derive(Debug, Clone, Copy)]
pub enum Mark {
    /// A thread, or a scratch: from one end by a middle to the other.
    Fibre {
        /// Ends and middle, mm.
        path: [Point; 3],
        /// How wide, mm.
        width: f32,
        /// How bright.
        tone: f32,
    },
    /// A speck, a smear or a rubbed patch: soft-edged and round or oval.
    Blot {
        /// Its middle, mm.
        middle: Point,
        /// Half its size, across and down, mm.
        radius: Point,
        /// How much of what is below it hides at its middle, 0 to 1.
        opacity: f32,
        /// How bright.
        tone: f32,
    },
}

/// Marks as one picture: how much each pixel is covered, and the tone of the cover.
pub struct Pane {
    cover: [[(f32, f32); WIDTH]; HEIGHT],
    clean: bool,
}

impl Pane {
    /// Nothing on it.
    pub fn new() -> Self {
        Self { cover: [[(0.0, 0.0); WIDTH]; HEIGHT], clean: true }
    }

    /// Stamps `mark` where `placed` puts its points on the window.
    pub fn stamp(&mut self, mark: &Mark, placed: impl Fn(Point) -> Point) {
        self.clean = false;
        match *mark {
            Mark::Fibre { path, width, tone } => self.fibre(path.map(&placed), width, tone),
            Mark::Blot { middle, radius, opacity, tone } => {
                self.blot(placed(middle), radius, opacity, tone);
            }
        }
    }

    /// What a pixel shows when `below` lies under the marks.
    #[inline]
    pub fn over(&self, row: usize, column: usize, below: f32) -> f32 {
        if self.clean {
            return below;
        }
        let (cover, tone) = self.cover[row][column];
        below + cover * (tone - below)
    }

    fn add(&mut self, row: i32, column: i32, cover: f32, tone: f32) {
        let (Ok(row), Ok(column)) = (usize::try_from(row), usize::try_from(column)) else { return };
        let Some(there) = self.cover.get_mut(row).and_then(|row| row.get_mut(column)) else {
            return;
        };
        let whole = there.0 + cover;
        if whole > 1e-6 {
            there.1 = (there.1 * there.0 + tone * cover) / whole;
            there.0 = whole.min(1.0);
        }
    }

    /// A quadratic curve, as stamps a fifth of a millimetre apart shared by the four nearest pixels.
    fn fibre(&mut self, path: [Point; 3], width: f32, tone: f32) {
        let [from, by, to] = path;
        let length = distance(from, by) + distance(by, to);
        let steps = ((length / 0.2).ceil() as usize).max(1);
        let cover = width * (length / steps as f32) / (PITCH * PITCH);
        for step in 0..steps {
            let t = (step as f32 + 0.5) / steps as f32;
            let along = |a: f32, b: f32, c: f32| {
                (1.0 - t) * (1.0 - t) * a + 2.0 * t * (1.0 - t) * b + t * t * c
            };
            let x = along(from.0, by.0, to.0) / PITCH - 0.5;
            let y = along(from.1, by.1, to.1) / PITCH - 0.5;
            let (column, row) = (x.floor(), y.floor());
            let (fx, fy) = (x - column, y - row);
            let (column, row) = (column as i32, row as i32);
            self.add(row, column, cover * (1.0 - fx) * (1.0 - fy), tone);
            self.add(row, column + 1, cover * fx * (1.0 - fy), tone);
            self.add(row + 1, column, cover * (1.0 - fx) * fy, tone);
            self.add(row + 1, column + 1, cover * fx * fy, tone);
        }
    }

    /// A blot falls off like a bell beyond its middle; smaller than a pixel, it covers its part of one.
    fn blot(&mut self, middle: Point, radius: Point, opacity: f32, tone: f32) {
        // A pixel cannot see less than itself: a small speck is spread over it, and thinner.
        let seen = |size: f32| (size * size + 0.25 * PITCH * PITCH).sqrt();
        let (wide, high) = (seen(radius.0), seen(radius.1));
        let peak = opacity * radius.0 * radius.1 / (wide * high);
        let range = |at: f32, size: f32| {
            let from = ((at - 2.0 * size) / PITCH - 0.5).floor() as i32;
            from..=((at + 2.0 * size) / PITCH - 0.5).ceil() as i32
        };
        for row in range(middle.1, high) {
            let y = ((row as f32 + 0.5) * PITCH - middle.1) / high;
            for column in range(middle.0, wide) {
                let x = ((column as f32 + 0.5) * PITCH - middle.0) / wide;
                // (1 - r²/4)² falls to nothing at twice the radius, without an exponential.
                let rest = (1.0 - 0.25 * (x * x + y * y)).max(0.0);
                self.add(row, column, peak * rest * rest, tone);
            }
        }
    }
}

impl Default for Pane {
    fn default() -> Self {
        Self::new()
    }
}

fn distance(a: Point, b: Point) -> f32 {
    (a.0 - b.0).hypot(a.1 - b.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn covered(mark: Mark) -> f32 {
        let mut pane = Pane::new();
        pane.stamp(&mark, |place| place);
        pane.cover.iter().flatten().map(|(cover, _)| cover).sum::<f32>() * PITCH * PITCH
    }

    #[test]
    fn a_fibre_covers_its_length_times_its_width() {
        let path = [(2.0, 2.0), (4.0, 2.0), (6.0, 2.0)];
        let area = covered(Mark::Fibre { path, width: 0.05, tone: 0.2 });
        assert!((area - 0.2).abs() < 0.01, "{area} mm2");
    }

    #[test]
    fn a_speck_smaller_than_a_pixel_darkens_it_in_part() {
        let speck = |radius| {
            covered(Mark::Blot {
                middle: (5.0, 5.0),
                radius: (radius, radius),
                opacity: 1.0,
                tone: 0.3,
            })
        };
        assert!(speck(0.05) < 0.05 && speck(0.05) > 0.0);
        assert!(speck(0.4) > 10.0 * speck(0.05));
    }

    #[test]
    fn a_mark_beyond_the_window_is_no_mark() {
        let path = [(-9.0, 2.0), (-8.0, 2.0), (-7.0, 2.0)];
        assert_eq!(covered(Mark::Fibre { path, width: 0.05, tone: 0.2 }), 0.0);
    }
}
