//! What a reader must refuse: everything that is not one card of its brand, lying right.

use std::sync::LazyLock;

use fastrand::Rng;

use super::camera::{Scene, take};
use super::{Disturbance, Face, Level, Point};
use croupier::reader::recognise::Capture;

/// Good stock, and cover cards light, middling and dark.
static UNPRINTED: LazyLock<[Face; 4]> = LazyLock::new(|| [1.0, 0.9, 0.45, 0.1].map(Face::plain));

/// A thing in the nest that gets no answer, whatever is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stranger {
    /// The nest without a card, its hood closed.
    Empty,
    /// A card without print.
    Blank,
    /// A cover card: one colour all over, light, middling or dark.
    Cover,
    /// A card face up: its back is to the window.
    Back,
    /// A joker.
    Joker,
    /// A card turned a quarter: the corner without an index.
    WrongCorner,
    /// Two cards, the one at the window not home.
    TwoCards,
    /// A card not pushed home: 5 mm off or more.
    HalfIn,
    /// A card that is still sliding: half a millimetre or more from set to set.
    Moving,
}

/// The faces strangers are made of.
pub struct Cast<'face> {
    /// Faces of the taught brand.
    pub cards: Vec<&'face Face>,
    /// Corners without an index, turned into place.
    pub wrong_corners: Vec<&'face Face>,
    /// Backs.
    pub backs: Vec<&'face Face>,
    /// Jokers.
    pub jokers: Vec<&'face Face>,
}

impl Stranger {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Empty,
        Self::Blank,
        Self::Cover,
        Self::Back,
        Self::Joker,
        Self::WrongCorner,
        Self::TwoCards,
        Self::HalfIn,
        Self::Moving,
    ];

    /// What it is called in a report.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Empty => "empty nest",
            Self::Blank => "blank card",
            Self::Cover => "cover card",
            Self::Back => "card face up",
            Self::Joker => "joker",
            Self::WrongCorner => "wrong corner",
            Self::TwoCards => "two cards",
            Self::HalfIn => "half inserted",
            Self::Moving => "moving card",
        }
    }

    /// The scan head's view of one, or nothing if the cast has no part for it.
    pub fn capture(self, cast: &Cast<'_>, level: &Level, seed: u64) -> Option<Capture> {
        // Its own stream of chance: the troubles are those any card would have with this seed.
        let mut rng = Rng::with_seed(seed ^ 0x5742_414e_4745_5221);
        let drawn = Disturbance::draw(level, seed);
        let pick = |faces: &[&'_ Face], rng: &mut Rng| -> Option<usize> {
            (!faces.is_empty()).then(|| rng.usize(..faces.len()))
        };
        let whole = |face: &Face, drawn: &Disturbance| take(Scene::card(face), drawn);
        Some(match self {
            Self::Empty => take(Scene::EMPTY, &drawn),
            Self::Blank => whole(&UNPRINTED[0], &drawn),
            Self::Cover => whole(&UNPRINTED[rng.usize(1..4)], &drawn),
            Self::Back => whole(cast.backs[pick(&cast.backs, &mut rng)?], &drawn),
            Self::Joker => whole(cast.jokers[pick(&cast.jokers, &mut rng)?], &drawn),
            Self::WrongCorner => {
                whole(cast.wrong_corners[pick(&cast.wrong_corners, &mut rng)?], &drawn)
            }
            Self::TwoCards => {
                let (lower, upper) = (pick(&cast.cards, &mut rng)?, pick(&cast.cards, &mut rng)?);
                let off = off(&mut rng, 3.0, 10.0);
                let upon = Some((cast.cards[upper], (-off.0, -off.1)));
                take(Scene { card: Some(cast.cards[lower]), upon }, &drawn.moved(off))
            }
            Self::HalfIn => {
                let face = cast.cards[pick(&cast.cards, &mut rng)?];
                whole(face, &drawn.moved(off(&mut rng, 5.0, 25.0)))
            }
            Self::Moving => {
                let face = cast.cards[pick(&cast.cards, &mut rng)?];
                let step = off(&mut rng, 0.5, 3.0);
                let back = if rng.bool() { 1.0 } else { -1.0 };
                whole(face, &drawn.sliding((step.0 * back, step.1 * back)))
            }
        })
    }
}

/// Off by `least` to `most` mm: across, down or both.
fn off(rng: &mut Rng, least: f32, most: f32) -> Point {
    let mut length = || least + rng.f32() * (most - least);
    let (across, down) = (length(), length());
    match rng.u8(..3) {
        0 => (across, 0.0),
        1 => (0.0, down),
        _ => (across, down),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stranger_without_a_face_to_play_it_is_told_not_invented() {
        let cast = Cast { cards: vec![], wrong_corners: vec![], backs: vec![], jokers: vec![] };
        assert!(Stranger::Joker.capture(&cast, &Level::CALM, 1).is_none());
        assert!(Stranger::Blank.capture(&cast, &Level::CALM, 1).is_some());
    }

    #[test]
    fn a_card_half_in_leaves_nest_floor_in_sight() {
        let face = Face::plain(1.0);
        let cast =
            Cast { cards: vec![&face], wrong_corners: vec![], backs: vec![], jokers: vec![] };
        for seed in 0..50 {
            let seen = Stranger::HalfIn.capture(&cast, &Level::CALM, seed).unwrap();
            let dark = seen.sets[0].left.pixels.iter().flatten().filter(|&&level| level < 40);
            assert!(dark.count() > 300);
        }
    }
}
