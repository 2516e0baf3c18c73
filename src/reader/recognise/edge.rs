//! A second card: its edge throws a thin straight shadow, which print does not.
//!
//! Two cards in the nest may show the whole index of the upper one, and that answer would
//! be right for a card that was not asked about (RD-18). Where the lower card ends, its
//! thickness shades the other. Its long edge does so under the right bank only, while print
//! is as dark under both: a line in the banks' shares of the light is an edge. Its short edge
//! lies along the banks' direction and shades under both: a line there is an edge if it
//! goes on through index, margin and whatever else is printed.
//!
//! An edge that is nearer than the index's far side needs no finding: what it hides of the
//! upper card, and where the lower one's index then lies, is refused by the fit. Looking there
//! would take frames for edges: many brands have a line two or three millimetres from theirs.

use core::hint::black_box;
use core::ops::Range;

use zeroize::Zeroizing;

use super::frame::{Capture, Frame, FrameSet, HEIGHT, SETS, WIDTH};

/// Columns in which the edge of the card itself, or its round corner, may lie.
const OWN_EDGE: usize = 7;
/// Columns in which a long edge leaves enough of an index to be read.
const BESIDE_INDEX: Range<usize> = 12..WIDTH - BESIDE;
/// Lines to look at: one for each of these columns, and one before them.
const LINES: usize = BESIDE_INDEX.end - BESIDE_INDEX.start + 1;
/// A line is this far from the pixels that it is compared with.
const BESIDE: usize = 2;
/// Rows that a long edge goes through wherever the lower card's corner is, and in which a
/// short one leaves enough of an index to be read.
const LOWER: Range<usize> = 20..HEIGHT;
/// The row from which on a leaning long edge is a pixel aside.
const LEANS_FROM: usize = 36;
/// More than this at one pixel is gloss or dirt, and counts as this.
const MOST_AT_A_PIXEL: i32 = 24;
/// So much of what the left bank sees change there is taken for print that moved: a sixteenth of a pixel.
const SHARP: i32 = 16;
/// A line across the shares with this much on average is an edge. In 1/256 of the light.
const LONG_EDGE: i32 = 8;
/// A pixel this much darker than above and below is in shadow. In 1/256 of white.
const SHADOW: i32 = 12;
/// A line down the light that is in shadow at this number of pixels is an edge.
const SHORT_EDGE: i32 = (WIDTH - OWN_EDGE) as i32 - 1;

/// What is looked at begins at this row and column: lines, and what they are compared with.
const FIRST_ROW: usize = LOWER.start - BESIDE;
const FIRST_COLUMN: usize = OWN_EDGE;

type Picture = [[i16; WIDTH - FIRST_COLUMN]; HEIGHT - FIRST_ROW];

/// Whether no second card's edge is in sight.
pub(super) fn alone(capture: &Capture) -> bool {
    let light = Light::of(&capture.sets);
    // Opaque, or the second would be left out when the first has decided.
    let long = black_box(light.long_edge()) < LONG_EDGE * LOWER.len() as i32;
    let short = black_box(light.short_edge()) < SHORT_EDGE;
    long & short
}

/// What the banks show, and the left one's share against the right one's. In 1/256.
struct Light {
    left: Zeroizing<Picture>,
    right: Zeroizing<Picture>,
    shares: Zeroizing<Picture>,
}

impl Light {
    /// All sets together, for an edge is in all of them, and noise in each another.
    fn of(sets: &[FrameSet; SETS]) -> Self {
        // Lamps may be unequal; the strip says by how much.
        let white = |lit: fn(&FrameSet) -> &Frame| -> i32 {
            let one = |set| i32::from(lit(set).strip.white.saturating_sub(set.dark.strip.white));
            sets.iter().map(one).sum::<i32>().max(1)
        };
        let (left, right) = (white(|set| &set.left), white(|set| &set.right));
        let nothing = || Zeroizing::new([[0; WIDTH - FIRST_COLUMN]; HEIGHT - FIRST_ROW]);
        let mut light = Self { left: nothing(), right: nothing(), shares: nothing() };
        for row in 0..HEIGHT - FIRST_ROW {
            for column in 0..WIDTH - FIRST_COLUMN {
                let (x, y) = (FIRST_COLUMN + column, FIRST_ROW + row);
                let (mut from_left, mut from_right) = (0_i32, 0_i32);
                for set in sets {
                    let dark = set.dark.pixels[y][x];
                    let lit = |frame: &Frame| i32::from(frame.pixels[y][x].saturating_sub(dark));
                    from_left = from_left.wrapping_add(lit(&set.left));
                    from_right = from_right.wrapping_add(lit(&set.right));
                }
                // Nothing is twice as white as white. Three bytes, made 256 times as much: no check.
                let one = (from_left.wrapping_mul(256) / left).min(512);
                let other = (from_right.wrapping_mul(256) / right).min(512);
                light.left[row][column] = one as i16;
                light.right[row][column] = other as i16;
                // Dark print has no light to share.
                let (more, all) = (one.wrapping_sub(other), one.wrapping_add(other).max(160));
                light.shares[row][column] = (more.wrapping_mul(256) / all) as i16;
            }
        }
        light
    }

    /// How much the strongest line from top to bottom stands out, summed along it. A card may be
    /// turned by 4 degrees, so a line's lower part may be a pixel aside.
    fn long_edge(&self) -> i32 {
        let (upper, lower) = (self.lines(LOWER.start..LEANS_FROM), self.lines(LEANS_FROM..HEIGHT));
        let last = lower.len() - 1;
        let beside = |at: usize| lower[at - 1].max(lower[at]).max(lower[(at + 1).min(last)]);
        (1..=last).fold(0, |most, at| most.max(upper[at].wrapping_add(beside(at))))
    }

    /// How much each column [beside the index](BESIDE_INDEX), and the one before them, stands
    /// out, summed over `rows`.
    fn lines(&self, rows: Range<usize>) -> Zeroizing<[i32; LINES]> {
        let mut lines = Zeroizing::new([0_i32; LINES]);
        for y in rows {
            let y = y - FIRST_ROW;
            let (left, right, shares) = (&self.left[y], &self.right[y], &self.shares[y]);
            for (x, line) in (BESIDE_INDEX.start - 1 - FIRST_COLUMN..).zip(lines.iter_mut()) {
                let shaded = i32::from(right[x - BESIDE]).wrapping_sub(right[x].into());
                // Where print ends, a card that moved a little from one exposure to the next would
                // look like an edge.
                let print = i32::from(left[x + 1]).wrapping_sub(left[x - 1].into()).abs();
                let stands_out = thin(shares, x).min(shaded).wrapping_sub(print / SHARP);
                *line = line.wrapping_add(stands_out.clamp(-MOST_AT_A_PIXEL, MOST_AT_A_PIXEL));
            }
        }
        lines
    }

    /// How many pixels of the darkest line from side to side are in shadow. One that is turned by
    /// 4 degrees has its ends less than a pixel aside.
    fn short_edge(&self) -> i32 {
        let mut most = 0;
        for y in LOWER.start - FIRST_ROW..HEIGHT - BESIDE - FIRST_ROW {
            let beside = self.right[y - BESIDE].iter().zip(&self.right[y + BESIDE]);
            let mut count = 0_i32;
            for (here, (above, below)) in self.right[y].iter().zip(beside) {
                let beside = i32::from(*above).wrapping_add((*below).into()) / 2;
                let shadow = beside.wrapping_sub((*here).into());
                count = count.wrapping_add(i32::from(shadow >= SHADOW));
            }
            most = most.max(count);
        }
        most
    }
}

/// How far a pixel stands out from both pixels beside it: a spot of gloss has a flank on
/// one side only.
#[inline(always)]
fn thin(row: &[i16; WIDTH - FIRST_COLUMN], x: usize) -> i32 {
    i32::from(row[x]).wrapping_sub(row[x - BESIDE].max(row[x + BESIDE]).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A corner of which the left bank sees `left` at a place, and the right one `right`.
    fn alone_with(left: impl Fn(usize, usize) -> u8, right: impl Fn(usize, usize) -> u8) -> bool {
        let mut capture = Capture::new();
        for set in &mut capture.sets {
            set.left.pixels = core::array::from_fn(|y| core::array::from_fn(|x| left(x, y)));
            set.right.pixels = core::array::from_fn(|y| core::array::from_fn(|x| right(x, y)));
            (set.left.strip.white, set.right.strip.white) = (200, 200);
        }
        alone(&capture)
    }

    /// RD-18: a long edge shades under the right bank alone, straight or leaning either way.
    #[test]
    fn a_long_edge_is_seen_though_it_leans() {
        for lean in [-1, 0, 1] {
            for column in [12, 20, 28] {
                let edge = |y: usize| column + if y >= LEANS_FROM { lean } else { 0 };
                let shaded = |x: usize, y: usize| if x as i32 == edge(y) { 150 } else { 200 };
                assert!(!alone_with(|_, _| 200, shaded), "{column} {lean}");
            }
        }
        assert!(alone_with(|_, _| 200, |_, _| 200));
    }

    /// RD-18: a short edge shades under both banks, from side to side; a printed line ends.
    #[test]
    fn a_short_edge_goes_from_side_to_side() {
        let line =
            |from: usize| move |x: usize, y: usize| if y == 30 && x >= from { 170 } else { 200 };
        assert!(!alone_with(line(0), line(0)));
        assert!(alone_with(line(12), line(12)));
    }

    /// A printed line is as dark under both banks, also if the card moved a little in between.
    #[test]
    fn a_printed_line_is_no_edge() {
        let line = |x: usize, _: usize| if x == 20 { 30 } else { 200 };
        let moved = |x: usize, y: usize| match x {
            20 => 30,
            21 => 190,
            _ => line(x, y),
        };
        assert!(alone_with(line, line));
        assert!(alone_with(line, moved));
        assert!(alone_with(moved, line));
        // The flank of a broad print, a sixteenth of a pixel off.
        let broad = |at: u8| move |x: usize, _: usize| [200, 200, at, 60][x.clamp(18, 21) - 18];
        assert!(alone_with(broad(130), broad(120)));
    }
}
