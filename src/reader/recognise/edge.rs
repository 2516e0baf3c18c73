//! A second card: its edge throws a thin straight shadow, which print does not.
//!
//! Two cards in the nest may show the whole index of the upper one, and that answer would
//! be right for a card nobody asked about (RD-18). Where the lower card ends, its
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
/// A line is this far from the pixels that it is compared with.
const BESIDE: usize = 2;
/// How far lines lean from the middle to an end, in pixels: up to 4 degrees, each way.
const LONG_LEANS: [i32; 3] = [-2, 0, 2];
const SHORT_LEANS: [i32; 3] = [-1, 0, 1];
/// Rows that a long edge goes through wherever the lower card's corner is, and in which a
/// short one leaves enough of an index to be read.
const LOWER: Range<usize> = 20..HEIGHT;
/// More than this at one pixel is gloss or dirt, and counts as this.
const MOST_AT_A_PIXEL: i32 = 24;
/// A line across the shares with this much on average is an edge. In 1/256 of the light.
const LONG_EDGE: i32 = 8;
/// A pixel this much darker than above and below is in shadow. In 1/256 of white.
const SHADOW: i32 = 12;
/// A line down the light in shadow at so many pixels is an edge.
const SHORT_EDGE: i32 = (WIDTH - OWN_EDGE) as i32 - 1;

type Picture = [[i16; WIDTH]; HEIGHT];

/// Whether no second card's edge is in sight.
pub fn alone(capture: &Capture) -> bool {
    let light = Light::of(&capture.sets);
    // Opaque, or the second would be left out when the first has decided.
    let long = black_box(light.long_edge()) < LONG_EDGE * LOWER.len() as i32;
    let short = black_box(light.short_edge()) < SHORT_EDGE;
    long & short
}

/// What the right bank, and the left one against it, show. In 1/256.
struct Light {
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
        let nothing = || Zeroizing::new([[0; WIDTH]; HEIGHT]);
        let mut light = Self { right: nothing(), shares: nothing() };
        for y in 0..HEIGHT {
            for x in 0..WIDTH {
                let (mut from_left, mut from_right) = (0, 0);
                for set in sets {
                    let dark = set.dark.pixels[y][x];
                    from_left += i32::from(set.left.pixels[y][x].saturating_sub(dark));
                    from_right += i32::from(set.right.pixels[y][x].saturating_sub(dark));
                }
                // Nothing is twice as white as white.
                let one = (from_left * 256 / left).min(512);
                let other = (from_right * 256 / right).min(512);
                light.right[y][x] = other as i16;
                // Dark print has no light to share.
                light.shares[y][x] = ((one - other) * 256 / (one + other).max(160)) as i16;
            }
        }
        light
    }

    /// How much the strongest line from top to bottom stands out, summed along it.
    fn long_edge(&self) -> i32 {
        let mut most = 0;
        for column in BESIDE_INDEX {
            for lean in LONG_LEANS {
                let mut sum = 0_i32;
                for y in LOWER {
                    let x = leaning(column, lean, y, HEIGHT).clamp(BESIDE, WIDTH - 1 - BESIDE);
                    let right = &self.right[y];
                    let shaded = i32::from(right[x - BESIDE]) - i32::from(right[x]);
                    let lines = thin(&self.shares[y], x).min(shaded);
                    sum = sum.wrapping_add(lines.clamp(-MOST_AT_A_PIXEL, MOST_AT_A_PIXEL));
                }
                most = most.max(sum);
            }
        }
        most
    }

    /// How many pixels of the darkest line from side to side are in shadow.
    fn short_edge(&self) -> i32 {
        let mut most = 0;
        for row in LOWER.start..HEIGHT - BESIDE {
            for lean in SHORT_LEANS {
                let mut count = 0_i32;
                for x in OWN_EDGE..WIDTH {
                    let y = leaning(row, lean, x, WIDTH).clamp(BESIDE, HEIGHT - 1 - BESIDE);
                    let beside =
                        i32::from(self.right[y - BESIDE][x]) + i32::from(self.right[y + BESIDE][x]);
                    let shadow = beside / 2 - i32::from(self.right[y][x]);
                    count = count.wrapping_add(i32::from(shadow >= SHADOW));
                }
                most = most.max(count);
            }
        }
        most
    }
}

/// How far a pixel stands out from both pixels beside it: a spot of gloss has a flank on
/// one side only.
#[inline(always)]
fn thin(row: &[i16; WIDTH], x: usize) -> i32 {
    i32::from(row[x]) - i32::from(row[x - BESIDE].max(row[x + BESIDE]))
}

/// Where a line through `middle` that leans by `lean` is at `along` of `length`.
#[inline(always)]
fn leaning(middle: usize, lean: i32, along: usize, length: usize) -> usize {
    let half = length as i32 / 2;
    let off = lean.wrapping_mul(along as i32 - half) / half;
    (middle as i32).wrapping_add(off).max(0) as usize
}
