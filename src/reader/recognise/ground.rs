//! The ground: where all cards of a brand show the same, whatever their rank and suit.
//!
//! A big 9 of another brand, moved a little, lays its ring where this brand's queen has
//! hers, and its tail where suits are, which no question looks at. But then it has print on what
//! should be bare paper, or the nest's floor does not show where this brand, lying so, would
//! end. Both take away from how well any rank fits there.

use super::frame::{HEIGHT, WIDTH};
use super::ink::Ink;
use super::region::{Region, places};
use super::stencil::{PIXEL, Pose, Samples, UNIT, select};

/// Spots of the ground that are looked at.
pub(super) const SPOTS: usize = 192;
/// As many of them are floor, if the brand lets it be seen at all.
const FLOORS: usize = SPOTS / 3;

/// Ink of all ranks is at most this much above the whitest paper, in grey levels: bare.
const BARE: i32 = 30;
/// It is at least this much above: beyond the card's edge, or in a broad frame.
const DARK: i32 = 100;
/// Every second spot of paper is within this number of pixels of the index: there a bigger one
/// would be.
const NEAR: usize = 6;
/// Cards of a rank are not further apart than this on the ground.
const STEADY: i32 = 16;

/// A spot of paper that is this much darker than the others has print on it.
const PRINTED: i32 = 60;
/// A spot of floor that is less dark than this against paper shows a card.
const COVERED: i32 = 30;
/// What it takes away from a fit if all paper has print on it: one spot in fourteen is enough.
const ALL_PRINTED: i32 = 2 * UNIT;
/// What it takes away if all floor shows a card: half of it is enough.
const ALL_COVERED: i32 = UNIT / 4;

/// What is seen of a spot that is outside the frame.
const NOTHING: i16 = -1;

/// Where a brand's cards are bare paper, and where they end.
pub(super) struct Ground {
    /// Each spot from the stencil's centre, in pixels: floor first.
    pub spots: [(i8, i8); SPOTS],
    /// How many are floor.
    pub floors: usize,
}

impl Ground {
    /// Chooses spots by the least and the most `ink` that ranks have at each pixel, and by how far
    /// cards of a rank are `apart` there, in grey levels.
    pub(super) fn choose(
        centre: (u8, u8),
        index: Region,
        ink: impl Fn(usize, usize) -> (i32, i32),
        apart: impl Fn(usize, usize) -> i32,
    ) -> Self {
        let near = (0..NEAR).fold(index, |region, _| region.grown());
        // A fifth of all pixels, in every column.
        let white = places().step_by(5).map(|(x, y)| ink(x, y).1).min().unwrap_or(0);
        let (mut paper, mut floor) = (Region::NONE, Region::NONE);
        for (x, y) in places().filter(|&(x, y)| apart(x, y) < STEADY) {
            let (least, most) = ink(x, y);
            // The card's edge may be anywhere beyond the frame's.
            let inner = x > 0 && y > 0;
            paper.0[y] |= u32::from(inner && most < white + BARE) << x;
            floor.0[y] |= u32::from(least > white + DARK) << x;
        }
        // Not at their edges: cards are not cut alike.
        let (paper, floor) = (paper.shrunk(), floor.shrunk());
        // Without paper nothing can be said, and all spots stay in one place: they agree.
        let either = paper.count().min(floor.count());
        let floors = if either == 0 { 0 } else { FLOORS };
        let mut spots = [(0, 0); SPOTS];
        let (beyond, bare) = spots.split_at_mut(floors);
        spread(beyond, &floor, centre);
        let (close, far) = bare.split_at_mut(bare.len() / 2);
        spread(close, &paper.and(&near), centre);
        spread(far, &paper, centre);
        Self { spots, floors }
    }

    /// How much of a fit is taken away from a card that lies at `pose`, by what its ground shows.
    pub(super) fn misfit(&self, centre: (u8, u8), ink: &Ink, pose: Pose) -> i32 {
        let (mut seen, around) = (Samples::new(), pose.about(centre));
        for (value, &(across, down)) in seen.0.iter_mut().zip(&self.spots) {
            let (x, y) = around.shows(across.into(), down.into());
            *value = select(is_seen(x, y), ink.at(x, y), NOTHING.into()) as i16; // a byte or that
        }
        let (floor, paper) = seen.0[..SPOTS].split_at(self.floors);
        let level = mean(paper);
        let printed = share(paper, level.wrapping_add(PRINTED), 256, ALL_PRINTED);
        let covered = share(floor, 0, level.wrapping_add(COVERED), ALL_COVERED);
        printed.wrapping_add(covered)
    }
}

/// Whether a place, in 1/256 pixel, is in the frame.
fn is_seen(x: i32, y: i32) -> bool {
    let right = ((WIDTH as i32 - 1) * PIXEL).wrapping_sub(x);
    let below = ((HEIGHT as i32 - 1) * PIXEL).wrapping_sub(y);
    (x | y | right | below) >= 0 // one below zero makes them all: no branch
}

/// The mean of what is seen.
fn mean(spots: &[i16]) -> i32 {
    let (mut sum, mut count) = (0_i32, 0_i32);
    for spot in spots {
        sum = sum.wrapping_add(i32::from(*spot).max(0));
        count = count.wrapping_add(i32::from(*spot >= 0));
    }
    sum / count.max(1)
}

/// The part of `all` that belongs to the share of spots between the two.
fn share(spots: &[i16], least: i32, below: i32, all: i32) -> i32 {
    let mut odd = 0_i32;
    for spot in spots {
        let spot = i32::from(*spot);
        odd = odd.wrapping_add(i32::from((spot >= least) & (spot < below)));
    }
    odd.wrapping_mul(all) / (spots.len() as i32).max(1)
}

/// Spreads `spots` evenly over a region; where it has few pixels, several lie on one.
fn spread(spots: &mut [(i8, i8)], over: &Region, centre: (u8, u8)) {
    let (pixels, count) = (over.count(), spots.len());
    let mut set = 0;
    for (index, (x, y)) in over.pixels().enumerate() {
        while set < count && set * pixels / count == index {
            spots[set] = (x as i8 - centre.0 as i8, y as i8 - centre.1 as i8); // both below 48
            set += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CENTRE: (u8, u8) = (12, 16);

    /// A card that begins at column 5, and has print in the middle of it.
    fn card() -> Ink {
        let mut ink = Ink([[40; WIDTH]; HEIGHT]);
        for row in &mut ink.0 {
            row[..5].fill(240);
        }
        for row in &mut ink.0[10..20] {
            row[8..16].fill(200);
        }
        ink
    }

    fn index() -> Region {
        let mut index = Region::NONE;
        index.0[10..20].fill(0xFF00);
        index
    }

    fn ground(ink: &Ink) -> Ground {
        let at = |x: usize, y: usize| (i32::from(ink.0[y][x]), i32::from(ink.0[y][x]));
        // Where there is print, cards differ.
        let apart = |x: usize, y: usize| if ink.0[y][x] == 200 { 90 } else { 2 };
        Ground::choose(CENTRE, index(), at, apart)
    }

    fn misfit(seen: &Ink, pose: Pose) -> i32 {
        ground(&card()).misfit(CENTRE, seen, pose)
    }

    #[test]
    fn a_card_of_the_brand_loses_nothing_wherever_it_lies() {
        for (x, y) in [(0, 0), (4, 4), (-4, 3), (3, -4), (-6, -6)] {
            let pose = Pose { x: x * PIXEL, y: y * PIXEL, turn: 0 };
            assert_eq!(misfit(&card().moved(x, y), pose), 0, "{x} {y}");
        }
    }

    /// RD-11: the index of another brand is elsewhere on the card, so the card ends elsewhere.
    #[test]
    fn a_card_that_ends_elsewhere_loses_much() {
        for off in [-3, 3] {
            let pose = Pose { x: off * PIXEL, y: 0, turn: 0 };
            assert!(misfit(&card(), pose) >= UNIT / 16, "{off}");
        }
    }

    /// RD-11: a bigger index, or a frame, is where this brand has paper.
    #[test]
    fn print_on_bare_paper_costs_by_how_much_of_it_there_is() {
        let printed = |rows: core::ops::Range<usize>| {
            let mut other = card();
            other.0[rows].iter_mut().for_each(|row| row[18..22].fill(200));
            misfit(&other, Pose::HOME)
        };
        assert_eq!(printed(0..0), 0);
        assert!(printed(4..12) > 0);
        assert!(printed(4..36) > 2 * printed(4..12));
    }

    /// A brand whose cards have neither paper nor an end in sight is read as if there were no ground.
    #[test]
    fn without_paper_nothing_is_said() {
        let nothing = Ground::choose(CENTRE, index(), |_, _| (120, 120), |_, _| 90);
        assert_eq!(nothing.floors, 0);
        assert_eq!(nothing.misfit(CENTRE, &card(), Pose::HOME), 0);
    }
}
