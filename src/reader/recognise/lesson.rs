//! Teaching a brand: from captures of known cards to thirteen rows of a stencil.
//!
//! What the cards of one rank share is the rank; what differs between them is the suit,
//! the picture, the dirt. So each rank is taken from several suits, and a point is worth
//! looking at if the ranks differ there and the cards of one rank do not. Before that the
//! ranks are laid over each other by what they share.

use zeroize::Zeroize;

use super::answer::Question;
use super::brand::Brand;
use super::common::{Common, Shared};
use super::frame::{Capture, HEIGHT, SETS, WIDTH};
use super::ground::Ground;
use super::ink::Ink;
use super::region::{Region, Worth, choose};
use super::search::{first_sight, lies, scores};
use super::stencil::{Row, Stencil, UNIT};
use super::taught::{RANKS, Taught, row};
use super::verdict::class;
use crate::cards::Rank;

/// Captures that each rank needs: one of every suit is right.
pub const LESSONS_PER_RANK: u8 = 4;
/// Ranks before the jack: a court card's picture would look as if it told the rank.
const SPOT_CARDS: usize = 10;
/// Two ranks of different classes may be as much alike as this, of [`UNIT`].
const MOST_ALIKE: i32 = UNIT * 92 / 100;

/// Where a taught card is laid to see which other ranks it might pass for, in pixels: odd
/// steps, so that the search begins from all sides, and as far as a card may lie.
const LAYS: [(i32, i32); 5] = [(0, 0), (3, 3), (-3, 3), (3, -3), (-3, -3)];

/// Steps from a draft to a brand. Each is about as long as a read.
pub const STEPS: usize = 2 * RANKS * LAYS.len();

/// Why a capture was not learned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum NotLearned {
    /// Hardly anything is printed there; take the card again.
    Unclear,
    /// It does not look like the other cards of its rank; take the right card.
    Different,
    /// The rank has been shown often enough.
    Enough,
}

/// Why the lesson makes no brand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum NotTaught {
    /// A rank has fewer than [`LESSONS_PER_RANK`] captures.
    Incomplete,
    /// Two ranks of different classes look too much alike for this reader.
    Ambiguous,
}

/// A brand being taught.
pub struct Lesson {
    ranks: [Common; RANKS],
    /// How far cards of one rank are apart, at each pixel, summed over all cards.
    apart: [[u16; WIDTH]; HEIGHT],
}

impl Lesson {
    /// A lesson that has seen nothing.
    pub const fn new() -> Self {
        Self { ranks: [const { Common::NOTHING }; RANKS], apart: [[0; WIDTH]; HEIGHT] }
    }

    /// Forgets what it has seen, in its place: 44 KiB are more than a stack has.
    #[inline(never)]
    pub fn forget(&mut self) {
        self.ranks.iter_mut().for_each(Common::forget);
        self.apart.iter_mut().for_each(|row| row.fill(0));
    }

    /// Learns what a card of `rank` looks like.
    #[inline(never)] // each caller would have its frames on the stack besides its own
    pub fn learn(&mut self, rank: Rank, capture: &Capture) -> Result<(), NotLearned> {
        let mut inks = [const { Ink::none() }; SETS];
        inks.iter_mut().zip(&capture.sets).for_each(|(ink, set)| ink.see(set));
        let ink = Ink::mean(&inks);
        self.ranks[rank as usize].learn(&ink, &mut self.apart)
    }

    /// The brand, under the number its supervisor gives it, in one go: a device that must attend
    /// to other things meanwhile goes step by step.
    pub fn finish(&mut self, id: u16) -> Result<Brand, NotTaught> {
        let mut draft = Brand::BLANK;
        self.draft(id, &mut draft)?;
        (0..STEPS).for_each(|step| self.work_out(&mut draft, step));
        judged(&draft).map(|()| draft)
    }

    /// Makes `draft` the brand's draft: where to look, and what each rank looks like there.
    #[inline(never)]
    pub fn draft(&mut self, id: u16, draft: &mut Brand) -> Result<(), NotTaught> {
        if self.ranks.iter().any(|common| common.cards() < LESSONS_PER_RANK) {
            return Err(NotTaught::Incomplete);
        }
        self.align();
        (draft.id, draft.alike) = (id, [[0; RANKS]; RANKS]);
        let Taught { stencil, ground, rows, first_sight, .. } = &mut draft.taught;
        let index = self.choose(stencil);
        for (rank, row) in rows.iter_mut().enumerate() {
            *row = self.row(rank, stencil);
        }
        *ground = self.ground(stencil.centre, index);
        *first_sight = [u8::MAX; RANKS];
        draft.taught.prepare();
        Ok(())
    }

    /// Does one of [`STEPS`], which come in their order: each rank is laid where it may lie, once
    /// to see how well it fits at the first look, and once to see what it might pass for.
    #[inline(never)]
    pub fn work_out(&self, draft: &mut Brand, step: usize) {
        let (rank, (across, down)) = (step / LAYS.len() % RANKS, LAYS[step % LAYS.len()]);
        let ink = self.ranks[rank].ink().moved(across, down);
        if step < STEPS / 2 {
            // Where it lies least well for that.
            let sight = half_parts(first_sight(&draft.taught, &ink, rank));
            let least = &mut draft.taught.first_sight[rank];
            *least = sight.min(*least);
        } else {
            let fits = fits(&draft.taught, &ink);
            let alike = &mut draft.alike[rank];
            *alike = core::array::from_fn(|rank| alike[rank].max(fits[rank]));
        }
    }

    /// Lays every rank over what all share, or a frame that none lays quite where the others
    /// do would seem to tell the ranks apart. Court cards are laid so too, but say nothing of it.
    #[inline(never)]
    fn align(&mut self) {
        let shared = Shared::of(&self.ranks[..SPOT_CARDS]);
        self.ranks.iter_mut().for_each(|rank| rank.lie_as(&shared));
    }

    /// Where to look; apart, so that what each pixel tells is gone from the stack after it.
    #[inline(never)]
    fn choose(&self, stencil: &mut Stencil) -> Region {
        let (chosen, index) = choose(&self.worth());
        *stencil = chosen;
        index
    }

    /// How much each pixel tells of the rank.
    fn worth(&self) -> Worth {
        let cards: i32 = self.ranks.iter().map(|common| i32::from(common.cards())).sum();
        let spots = SPOT_CARDS as i32;
        core::array::from_fn(|y| {
            core::array::from_fn(|x| {
                let ranks: [i32; SPOT_CARDS] =
                    core::array::from_fn(|rank| self.ranks[rank].at(x as i32, y as i32));
                let mean = ranks.iter().sum::<i32>() / spots;
                let between = ranks.iter().map(|ink| (ink - mean).abs()).sum::<i32>() * 16 / spots;
                let within = i32::from(self.apart[y][x]) * 16 / cards;
                // Eight grey levels are in doubt everywhere. At most 128 * 16 * 64 / 128.
                (between * 64 / (within + 8 * 16)) as u16
            })
        })
    }

    /// Where all cards of the brand show the same.
    #[inline(never)]
    fn ground(&self, centre: (u8, u8), index: Region) -> Ground {
        let cards: i32 = self.ranks.iter().map(|common| i32::from(common.cards())).sum();
        let ink = |x: usize, y: usize| {
            let all = self.ranks.iter().map(|common| common.at(x as i32, y as i32));
            all.fold((i32::MAX, i32::MIN), |(least, most), ink| (least.min(ink), most.max(ink)))
        };
        Ground::choose(centre, index, ink, |x, y| i32::from(self.apart[y][x]) / cards)
    }

    #[inline(never)]
    fn row(&self, rank: usize, stencil: &Stencil) -> Row {
        let (x, y) = stencil.centre;
        row(
            stencil,
            stencil.points.map(|(across, down)| {
                let (x, y) = (i32::from(x) + i32::from(across), i32::from(y) + i32::from(down));
                self.ranks[rank].at(x, y) * 4
            }),
        )
    }
}

/// How well each rank fits `ink`, in half parts of [`UNIT`].
fn fits(taught: &Taught, ink: &Ink) -> [u8; RANKS] {
    let scores = scores(taught, ink, &lies::<RANKS>(taught, ink));
    scores.fits.map(half_parts)
}

/// A score as it is kept: in half parts of [`UNIT`], which go into a byte.
fn half_parts(fit: i32) -> u8 {
    (fit / 2).clamp(0, i32::from(u8::MAX)) as u8
}

impl Default for Lesson {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Lesson {
    fn drop(&mut self) {
        self.apart.zeroize();
    }
}

/// Whether a draft that was worked out whole makes a brand.
pub fn judged(draft: &Brand) -> Result<(), NotTaught> {
    let clear = |best: usize, rank: usize| {
        2 * i32::from(draft.alike[best][rank]) <= MOST_ALIKE || !apart(best, rank)
    };
    let all = (0..RANKS * RANKS).all(|pair| clear(pair / RANKS, pair % RANKS));
    if all { Ok(()) } else { Err(NotTaught::Ambiguous) }
}

/// Whether any question tells the two ranks apart.
fn apart(one: usize, other: usize) -> bool {
    [Question::Ace, Question::TenValue, Question::Range]
        .into_iter()
        .any(|question| class(question, one) != class(question, other))
}
