//! Finding the card: for each rank, the pose at which it fits best, and how well.
//!
//! First a coarse grid of places in a soft image. The few ranks that fit best there, each
//! by what it can reach at that sight, get their own best pose: three rounds of finer steps along each of the pose's axes, to
//! the top of the parabola through three looks. Then every rank is judged at all of these
//! poses, so that a wrong rank is judged as kindly as the right one. The same looks are
//! taken in the same order, whatever card lies there.

use zeroize::Zeroizing;

use super::ink::Ink;
use super::stencil::{PIXEL, Pose, RADIAN, Samples, UNIT, select};
use super::taught::{Depth, RANKS, Taught};
use super::verdict::Scores;

/// Places of the first look are this many pixels apart, and `SIDE` of them across and down.
const STRIDE: i32 = 2;
const SIDE: usize = 7;

/// Steps of the closer looks. A turn moves the rim of an index as far as a step does.
const COARSE_STEPS: [Pose; 3] = steps(PIXEL);
const FINE_STEPS: [Pose; 3] = steps(PIXEL / 2);

const fn steps(step: i32) -> [Pose; 3] {
    let turn = step * RADIAN / PIXEL / 16;
    [Pose { x: step, ..Pose::HOME }, Pose { y: step, ..Pose::HOME }, Pose { turn, ..Pose::HOME }]
}

/// How a rank lies where it fits best.
#[derive(Clone, Copy)]
pub(super) struct Lie {
    rank: usize,
    pose: Pose,
    score: i32,
}

/// The best pose of each of the `N` ranks that fit best at first sight.
pub(super) fn lies<const N: usize>(taught: &Taught, ink: &Ink) -> [Lie; N] {
    let soft = ink.soft();
    candidates(&taught.first_sight, places(taught, &soft))
        .map(|(rank, place)| settled(taught, &soft, ink, rank, place))
}

/// How well each rank fits `ink` at the best of the poses found.
pub(super) fn scores(taught: &Taught, ink: &Ink, lies: &[Lie]) -> Scores {
    let mut seen = Samples::new();
    let mut scores = Scores { fits: [i32::MIN; RANKS], ..Scores::default() };
    for lie in lies {
        let contrast = look(taught, ink, lie.pose, &mut seen);
        // Print that is not where a card at home has it does not count as print.
        let counted = select(lie.pose.is_home(), contrast, 0);
        for (rank, fit) in fits(taught, &taught.all, &seen, contrast).into_iter().enumerate() {
            let better = fit > scores.fits[rank];
            scores.fits[rank] = select(better, fit, scores.fits[rank]);
            scores.contrasts[rank] = select(better, counted, scores.contrasts[rank]);
        }
    }
    scores
}

/// How well `rank` fits `ink` at the pose that suits it best of those found, less what its ground
/// takes away there.
pub(super) fn whole_fit(taught: &Taught, ink: &Ink, lies: &[Lie], rank: usize) -> i32 {
    let mut seen = Samples::new();
    let (mut most, mut at) = (i32::MIN, Pose::HOME);
    for Lie { pose, .. } in lies {
        let contrast = look(taught, ink, *pose, &mut seen);
        let fit = fit(&taught.all, rank, seen.dot(&taught.rows[rank]), contrast);
        let better = fit > most;
        most = select(better, fit, most);
        at = Pose {
            x: select(better, pose.x, at.x),
            y: select(better, pose.y, at.y),
            turn: select(better, pose.turn, at.turn),
        };
    }
    most - taught.ground.misfit(taught.stencil.centre, ink, at)
}

/// How far from the best of the poses found the card lies in `ink` alone, across and down.
pub(super) fn drift(taught: &Taught, ink: &Ink, lies: &[Lie]) -> (i32, i32) {
    let best = best(lies.iter().map(|lie| lie.score));
    let Lie { rank, pose, .. } = lies[best];
    let mut seen = Samples::new();
    let mut score =
        |step: Pose, parts: i32| bare_score(taught, ink, rank, pose.moved(step, parts), &mut seen);
    let here = score(Pose::HOME, 0);
    let [across, down, _] = COARSE_STEPS;
    let mut along = |step: Pose| top(score(step, -256), here, score(step, 256)).0;
    (along(across), along(down))
}

/// How well `rank` fits `ink` at the first look.
pub(super) fn first_sight(taught: &Taught, ink: &Ink, rank: usize) -> i32 {
    places(taught, &ink.soft())[rank].0
}

/// The first look, straight on: each rank's best place, and its score there, between the
/// places of a coarse grid.
fn places(taught: &Taught, soft: &Ink) -> [(i32, Pose); RANKS] {
    let mut grid = Zeroizing::new([[[0; SIDE]; SIDE]; RANKS]);
    let mut seen = Samples::new();
    for down in 0..SIDE {
        for across in 0..SIDE {
            let place = (pixels(across) as i8, pixels(down) as i8); // a few pixels
            taught.stencil.lay_straight(soft, place, taught.half.count, &mut seen);
            let contrast = levelled(&taught.half, &mut seen);
            for (scores, fit) in grid.iter_mut().zip(fits(taught, &taught.half, &seen, contrast)) {
                scores[down][across] = fit;
            }
        }
    }
    core::array::from_fn(|rank| summit(&grid[rank]))
}

/// The highest point of a rank's scores, between the places of the grid.
fn summit(scores: &[[i32; SIDE]; SIDE]) -> (i32, Pose) {
    let highest = best(scores.iter().flatten().copied());
    let (across, down) = (highest % SIDE, highest / SIDE);
    let here = scores[down][across];
    let (left, right) = (across.saturating_sub(1), (across + 1).min(SIDE - 1));
    let (above, below) = (down.saturating_sub(1), (down + 1).min(SIDE - 1));
    let (x, wide) = top(scores[down][left], here, scores[down][right]);
    let (y, high) = top(scores[above][across], here, scores[below][across]);
    let (x, y) = (x * STRIDE * PIXEL / 256, y * STRIDE * PIXEL / 256);
    let pose = Pose { x: pixels(across) * PIXEL + x, y: pixels(down) * PIXEL + y, turn: 0 };
    (here + wide + high, pose)
}

/// How far from home a place of the grid is, in pixels.
const fn pixels(index: usize) -> i32 {
    (index as i32 - SIDE as i32 / 2) * STRIDE
}

/// Where the parabola through three scores has its top, in 256 parts of a step from the
/// middle one, and how much higher it is there. Never further than a step.
fn top(back: i32, here: i32, fore: i32) -> (i32, i32) {
    let bend = (2 * here - back - fore).max(1);
    let at = ((fore - back) * 128 / bend).clamp(-256, 256);
    (at, ((fore - back) * at - bend * at * at / 256) / 512)
}

/// The ranks with the best scores, and their places. Fine strokes are lost out of focus, and
/// a narrow ten would be behind ranks that merely stay what they are: so a score counts as
/// part of what a card of the rank itself has there.
fn candidates<const N: usize>(
    first_sight: &[u8; RANKS],
    mut places: [(i32, Pose); RANKS],
) -> [(usize, Pose); N] {
    for (place, own) in places.iter_mut().zip(first_sight) {
        place.0 = place.0 * UNIT / (2 * i32::from(*own)).max(1);
    }
    core::array::from_fn(|_| {
        let best = best(places.iter().map(|place| place.0));
        places[best].0 = i32::MIN;
        (best, places[best].1)
    })
}

/// The closer looks: from a place to the best pose nearby, for one rank.
fn settled(taught: &Taught, soft: &Ink, ink: &Ink, rank: usize, place: Pose) -> Lie {
    let mut seen = Samples::new();
    let mut score = |ink: &Ink, pose: Pose| bare_score(taught, ink, rank, pose, &mut seen);
    let (mut pose, mut here) = (place, 0);
    for (ink, steps) in [(soft, COARSE_STEPS), (ink, FINE_STEPS)] {
        here = score(ink, pose);
        for step in steps {
            let back = score(ink, pose.moved(step, -256));
            let fore = score(ink, pose.moved(step, 256));
            let (at, higher) = top(back, here, fore);
            pose = pose.moved(step, at).at_home();
            here += higher;
        }
    }
    Lie { rank, pose, score: here }
}

/// How well half of the points fit, slope and all: enough to climb by.
fn bare_score(taught: &Taught, ink: &Ink, rank: usize, pose: Pose, seen: &mut Samples) -> i32 {
    let half = &taught.half;
    taught.stencil.lay(ink, pose, half.count, seen);
    let likeness = seen.likeness(&taught.rows[rank][..half.count]);
    let (product, contrast) = likeness.centred(half.count, half.sums[rank].into());
    fit(half, rank, product, contrast.max(1))
}

/// Which score is the best.
pub(super) fn best(scores: impl Iterator<Item = i32>) -> usize {
    let (mut best, mut most) = (0, i32::MIN);
    for (index, score) in (0..).zip(scores) {
        let better = score > most;
        best = select(better, index, best);
        most = select(better, score, most);
    }
    best as usize
}

/// Lays the whole stencil and says how much contrast is seen, without a slope of light.
#[inline(never)] // two callers; inlined it costs flash and saves nothing
fn look(taught: &Taught, ink: &Ink, pose: Pose, seen: &mut Samples) -> i32 {
    taught.stencil.lay(ink, pose, taught.all.count, seen);
    levelled(&taught.all, seen)
}

/// Takes mean and slope of light out, and says how much contrast is left.
fn levelled(depth: &Depth, seen: &mut Samples) -> i32 {
    seen.level(&depth.slopes, depth.parts, depth.count).max(1)
}

/// How well what is seen fits each rank.
#[inline(never)] // two callers
fn fits(taught: &Taught, depth: &Depth, seen: &Samples, contrast: i32) -> [i32; RANKS] {
    let mut products = [0; RANKS];
    let (fours, rest) = taught.rows.as_chunks::<4>();
    let (of_fours, of_rest) = products.as_chunks_mut::<4>();
    for (products, rows) in of_fours.iter_mut().zip(fours) {
        *products = seen.dots(rows, depth.count);
    }
    for (product, row) in of_rest.iter_mut().zip(rest) {
        *product = seen.dot(&row[..depth.count]);
    }
    core::array::from_fn(|rank| fit(depth, rank, products[rank], contrast))
}

/// How well what is seen fits a rank, by their product: normalised correlation, in parts of [`UNIT`].
fn fit(depth: &Depth, rank: usize, product: i32, contrast: i32) -> i32 {
    // No product is longer than its factors: at most 512 * 3817, so twice UNIT would fit too.
    product * UNIT / (i32::from(depth.lengths[rank]) * contrast)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RD-19: a rank of fine strokes is looked for though a bold one has more of a score.
    #[test]
    fn a_score_counts_by_what_the_rank_itself_can_reach() {
        let mut places = [(100, Pose::HOME); RANKS];
        (places[3].0, places[9].0) = (370, 330);
        let first = |first_sight: &[u8; RANKS]| candidates::<1>(first_sight, places)[0].0;
        let mut first_sight = [230; RANKS];
        assert_eq!(first(&first_sight), 3);
        first_sight[9] = 170;
        assert_eq!(first(&first_sight), 9);
    }
}
