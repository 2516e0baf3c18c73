//! What the cards of one rank have in common, as far as they were shown.
//!
//! Each new card is laid over what is known by its whole corner, brought to the same
//! contrast, because a red 7 is fainter than a black one, and mixed in.

use super::frame::{HEIGHT, WIDTH};
use super::ink::Ink;
use super::lesson::NotLearned;
use super::stencil::{PIXEL, POINTS, Pose, RADIAN, Row, Samples, Stencil, UNIT};
use super::taught::row;

/// More cards of a rank than this teach nothing new.
const MOST_CARDS: u8 = 32;
/// The corner of a card that has print shows this much contrast.
const LEAST_CONTRAST: i32 = 300;
/// Two cards of a rank look at least this much alike, all of the corner taken together.
const LEAST_ALIKE: i32 = UNIT * 45 / 100;

/// Steps from a pose to the best one close by, in 1/256 pixel: cards of a lesson lie about alike.
const NEARBY: [i32; 4] = [128, 64, 32, 16];
/// The same from a coarse grid.
const FROM_GRID: [i32; 5] = [256, 128, 64, 32, 16];
/// Columns and rows of the grid that covers the corner, every second pixel.
const COLUMNS: usize = 14;
const CENTRE: (u8, u8) = (15, 17);

/// The mean card of a rank.
pub(super) struct Common {
    ink: Ink,
    cards: u8,
    /// Sum of the cards' poses, seen from the first one's, until the ranks are laid over each other.
    drift: Pose,
}

impl Common {
    /// No card yet.
    pub(super) const NOTHING: Self = Self { ink: Ink::none(), cards: 0, drift: Pose::HOME };

    /// Forgets them, in its place.
    pub(super) fn forget(&mut self) {
        self.ink.0.iter_mut().for_each(|row| row.fill(0));
        (self.cards, self.drift) = (0, Pose::HOME);
    }

    /// How many cards were shown.
    pub(super) const fn cards(&self) -> u8 {
        self.cards
    }

    /// The mean card, lying as the first one lay.
    pub(super) const fn ink(&self) -> &Ink {
        &self.ink
    }

    /// The mean card's ink at a pixel, were it to lie as all did on average, or [as the ranks do](Self::lie_as).
    #[inline(never)] // asked for in many places, and a lesson is not urgent
    pub(super) fn at(&self, x: i32, y: i32) -> i32 {
        let (across, down) = (x - i32::from(CENTRE.0), y - i32::from(CENTRE.1));
        let (x, y) = self.pose().about(CENTRE).shows(across, down);
        self.ink.at(x, y)
    }

    /// Mixes one more card in, and adds to `apart` how far it is from the others.
    pub(super) fn learn(
        &mut self,
        ink: &Ink,
        apart: &mut [[u16; WIDTH]; HEIGHT],
    ) -> Result<(), NotLearned> {
        let corner = corner();
        let new = View::of(&corner, ink, Pose::HOME);
        if new.contrast < LEAST_CONTRAST {
            return Err(NotLearned::Unclear);
        }
        if self.cards >= MOST_CARDS {
            return Err(NotLearned::Enough);
        }
        if self.cards == 0 {
            self.ink.0 = ink.0;
            self.cards = 1;
            return Ok(());
        }
        let known = View::of(&corner, &self.ink, Pose::HOME);
        let (score, pose) = laid_over(&corner, &known.row(&corner), ink);
        if score < LEAST_ALIKE {
            return Err(NotLearned::Different);
        }
        self.mix(&known, ink, &View::of(&corner, ink, pose), apart);
        self.drift = self.drift.moved(pose, 256);
        self.cards += 1;
        Ok(())
    }

    /// Where it is taken to lie.
    fn pose(&self) -> Pose {
        let Pose { x, y, turn } = self.drift;
        let cards = i32::from(self.cards.max(1));
        Pose { x: x / cards, y: y / cards, turn: turn / cards }
    }

    /// Lies from now on as it fits best over what all ranks share. Only a little is moved: a rank
    /// whose cards show little but the index stays where they lay.
    pub(super) fn lie_as(&mut self, shared: &Shared) {
        let (_, pose) = climbed(&shared.corner, &shared.row, &self.ink, self.pose(), &NEARBY);
        self.drift = Pose::HOME.moved(pose, 256 * i32::from(self.cards));
    }

    /// Both at the contrast of the stronger one, so that nothing is lost.
    fn mix(&mut self, known: &View, ink: &Ink, new: &View, apart: &mut [[u16; WIDTH]; HEIGHT]) {
        let stronger = if new.contrast > known.contrast { new } else { known };
        let raised =
            |dark: i32, from: &View| (dark - from.mean) * stronger.contrast / from.contrast;
        let cards = i32::from(self.cards);
        for (y, (row, apart)) in self.ink.0.iter_mut().zip(apart).enumerate() {
            for (x, (dark, apart)) in row.iter_mut().zip(apart).enumerate() {
                let across = x as i32 - i32::from(CENTRE.0);
                let down = y as i32 - i32::from(CENTRE.1);
                let (x, y) = new.pose.about(CENTRE).shows(across, down);
                let old = raised(i32::from(*dark), known);
                let now = raised(ink.at(x, y), new);
                let mixed = stronger.mean + (old * cards + now) / (cards + 1);
                *dark = mixed.clamp(0, 255) as u8;
                *apart = apart.saturating_add((old - now).unsigned_abs().min(255) as u16);
            }
        }
    }
}

/// What the ranks of a brand share: frame, suit and the card's edge.
pub(super) struct Shared {
    corner: Stencil,
    row: Row,
}

impl Shared {
    /// The mean of all, but even where they differ most: there is the index, and laid over a mean
    /// index a jack would be pushed aside.
    pub(super) fn of(ranks: &[Common]) -> Self {
        let corner = corner();
        let count = ranks.len().max(1) as i32;
        let at = |rank: &Common, (across, down): (i8, i8)| {
            rank.at(i32::from(CENTRE.0) + i32::from(across), i32::from(CENTRE.1) + i32::from(down))
        };
        let mut means = corner
            .points
            .map(|point| ranks.iter().map(|rank| at(rank, point)).sum::<i32>() / count);
        let apart: [i32; POINTS] = core::array::from_fn(|i| {
            ranks.iter().map(|rank| (at(rank, corner.points[i]) - means[i]).abs()).sum()
        });
        let even = means.iter().sum::<i32>() / POINTS as i32;
        let most = apart.iter().copied().max().unwrap_or(0);
        for (mean, apart) in means.iter_mut().zip(apart) {
            *mean = if apart > most / 2 { even } else { *mean } * 4;
        }
        let row = row(&corner, means);
        Self { corner, row }
    }
}

/// The whole corner, coarsely.
fn corner() -> Stencil {
    let step = |index: usize, size: usize| 2 * index as i8 - (size as i8 - 1);
    let point = |i: usize| (step(i % COLUMNS, COLUMNS), step(i / COLUMNS, POINTS / COLUMNS));
    Stencil { centre: CENTRE, points: core::array::from_fn(point) }
}

/// A corner as it is seen at one pose.
struct View {
    pose: Pose,
    seen: Samples,
    mean: i32,
    contrast: i32,
}

impl View {
    fn of(corner: &Stencil, ink: &Ink, pose: Pose) -> Self {
        let mut seen = Samples::new();
        corner.lay(ink, pose, POINTS, &mut seen);
        let mean = seen.centre(POINTS);
        let contrast = seen.length(POINTS).max(1);
        Self { pose, seen, mean, contrast }
    }

    fn row(&self, corner: &Stencil) -> Row {
        row(corner, self.seen.0.map(|value| i32::from(value) * 4))
    }
}

/// The pose at which `ink` looks most like `row`, and how much.
fn laid_over(corner: &Stencil, row: &Row, ink: &Ink) -> (i32, Pose) {
    let soft = ink.soft();
    let mut best = (i32::MIN, Pose::HOME);
    for turn in -1..=1 {
        for y in -3..=3 {
            for x in -3..=3 {
                let pose = Pose { x: x * PIXEL * 2, y: y * PIXEL * 2, turn: turn * RADIAN / 32 };
                best = best_of(best, score(corner, row, &soft, pose));
            }
        }
    }
    climbed(corner, row, ink, best.1, &FROM_GRID)
}

/// From a pose to one nearby at which `ink` looks more like `row`, by ever smaller steps.
fn climbed(corner: &Stencil, row: &Row, ink: &Ink, from: Pose, steps: &[i32]) -> (i32, Pose) {
    let score = |pose: Pose| score(corner, row, ink, pose);
    let mut best = score(from);
    for &step in steps {
        for axis in [(step, 0, 0), (0, step, 0), (0, 0, step / 8)] {
            let (from, by) = (best.1, Pose { x: axis.0, y: axis.1, turn: axis.2 });
            for pose in [from.moved(by, -256), from.moved(by, 256)] {
                best = best_of(best, score(pose));
            }
        }
    }
    best
}

/// How much `ink` looks like `row` at `pose`.
fn score(corner: &Stencil, row: &Row, ink: &Ink, pose: Pose) -> (i32, Pose) {
    let view = View::of(corner, ink, pose);
    (view.seen.dot(row) / view.contrast, pose)
}

fn best_of(one: (i32, Pose), other: (i32, Pose)) -> (i32, Pose) {
    if other.0 > one.0 { other } else { one }
}
