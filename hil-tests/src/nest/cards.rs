//! Cards of brands of our own: dot-matrix indices, so that no font is needed.

use std::sync::OnceLock;

use crate::world::optics::camera::take;
use crate::world::optics::face::INK;
use crate::world::optics::{Disturbance, Face, Level, Raster, Scene, capture};
use croupier::cards::{Rank, Suit};
use croupier::reader::check::TEST_CARDS;
use croupier::reader::recognise::{Brand, Capture, Lesson};

/// Each rank's index, eight by seven dots; a "10" is as wide as it is.
const GLYPHS: [[&str; 7]; 13] = [
    ["..###...", ".#...#..", ".#...#..", ".#####..", ".#...#..", ".#...#..", ".#...#.."],
    [".####...", "#....#..", ".....#..", "...##...", "..#.....", ".#......", "######.."],
    ["#####...", ".....#..", ".....#..", "..###...", ".....#..", ".....#..", "#####..."],
    ["....#...", "...##...", "..#.#...", ".#..#...", "######..", "....#...", "....#..."],
    ["######..", "#.......", "#####...", ".....#..", ".....#..", "#....#..", ".####..."],
    ["..###...", ".#......", "#.......", "#####...", "#....#..", "#....#..", ".####..."],
    ["######..", ".....#..", "....#...", "...#....", "..#.....", "..#.....", "..#....."],
    [".####...", "#....#..", "#....#..", ".####...", "#....#..", "#....#..", ".####..."],
    [".####...", "#....#..", "#....#..", ".#####..", ".....#..", "....#...", ".###...."],
    [".#..###.", "##.#...#", ".#.#...#", ".#.#...#", ".#.#...#", ".#.#...#", "###.###."],
    ["...###..", "....#...", "....#...", "....#...", "....#...", "#...#...", ".###...."],
    [".####...", "#....#..", "#....#..", "#....#..", "#..#.#..", "#...##..", ".######."],
    ["#....#..", "#...#...", "#..#....", "###.....", "#..#....", "#...#...", "#....#.."],
];

/// The number of the brand that a reader of the bench knows.
pub const BRAND: u16 = HOUSE.id;

/// How a brand of ours is printed.
pub struct Print {
    /// Its number.
    pub id: u16,
    /// Where the index begins, mm from the corner, and a dot's size.
    corner: (f32, f32),
    dot: (f32, f32),
    /// How far the index leans to the right on its way up, parts of its height.
    slant: f32,
}

/// What a reader of the bench knows.
pub const HOUSE: Print = Print { id: 12, corner: (2.2, 2.6), dot: (0.75, 0.95), slant: 0.0 };
/// Another one for it to learn: smaller, and leaning.
pub const ITALIC: Print = Print { id: 34, corner: (1.8, 2.4), dot: (0.62, 0.85), slant: 0.18 };

impl Print {
    /// What a card sends back at a place: its index, and a pip below it whose shape is its suit's.
    fn tone(&self, rank: Rank, suit: Suit, (x, y): (f32, f32)) -> f32 {
        let down = (y - self.corner.1) / self.dot.1;
        let leaning = self.slant * (7.0 - down) * self.dot.1;
        let across = (x - leaning - self.corner.0) / self.dot.0;
        let inside = across >= 0.0 && down >= 0.0;
        let dots = GLYPHS[rank as usize].get(down.max(0.0) as usize).map(|row| row.as_bytes());
        let index = inside && dots.and_then(|row| row.get(across as usize)) == Some(&b'#');
        let (px, py) = (x - 5.0, y - 12.5);
        let pip = match suit {
            Suit::Clubs => px * px + py * py < 2.2,
            Suit::Diamonds => px.abs() + py.abs() < 1.7,
            Suit::Hearts => px.abs() < 1.2 && py.abs() < 1.2 - px.abs() * 0.4,
            Suit::Spades => px.abs() < 0.7 + (py + 1.2) * 0.5 && py.abs() < 1.3,
        };
        let red = matches!(suit, Suit::Diamonds | Suit::Hearts);
        match (index || pip, red) {
            (false, _) => 1.0,
            (true, false) => INK,
            (true, true) => 0.33,
        }
    }

    fn face(&self, rank: Rank, suit: Suit) -> Face {
        Face::new(&Raster::printed(|place| self.tone(rank, suit, place)))
    }

    /// The card as a scan head sees it, lying where it should, well lit; `seed` for the noise.
    pub fn card(&self, rank: Rank, suit: Suit, seed: u64) -> Capture {
        seen(&self.face(rank, suit), seed)
    }

    /// A test card of the gaming-day check, by its number there.
    pub fn test_card(&self, item: u8) -> Capture {
        let rank = TEST_CARDS.get(usize::from(item)).copied().flatten();
        match (rank, item) {
            (Some(rank), _) => self.card(rank, Suit::Spades, 30 + u64::from(item)),
            (None, 6) => blank(),
            (None, 7) => back(),
            (None, _) => cover(),
        }
    }
}

/// As a scan head sees it, lying where it should, well lit.
fn seen(face: &Face, seed: u64) -> Capture {
    capture(face, &Disturbance::draw(&Level::CALM, seed))
}

/// A card of the house's brand.
pub fn card(rank: Rank, suit: Suit, seed: u64) -> Capture {
    HOUSE.card(rank, suit, seed)
}

/// The nest without a card.
pub fn nothing() -> Capture {
    take(Scene::EMPTY, &Disturbance::draw(&Level::CALM, 2))
}

/// A card with nothing on it.
pub fn blank() -> Capture {
    seen(&Face::plain(1.0), 3)
}

/// A card face up: its back, a lattice, is to the window.
pub fn back() -> Capture {
    let lattice = |(x, y): (f32, f32)| {
        let (rising, falling) = ((x + y).rem_euclid(1.6), (x - y).rem_euclid(1.6));
        if x < 3.0 || y < 3.0 || rising > 0.7 && falling > 0.7 { 1.0 } else { 0.25 }
    };
    seen(&Face::new(&Raster::printed(lattice)), 4)
}

/// A cover card: one colour all over.
pub fn cover() -> Capture {
    seen(&Face::plain(0.45), 5)
}

/// A card seen through a window that lets half of the light pass.
pub fn behind_dirt(rank: Rank, suit: Suit) -> Capture {
    let mut dirty = Disturbance::draw(&Level::CALM, 6);
    dirty.sensor.window = 0.5;
    capture(&HOUSE.face(rank, suit), &dirty)
}

/// The brand, taught with its 52 cards.
pub fn brand() -> &'static Brand {
    static TAUGHT: OnceLock<Brand> = OnceLock::new();
    TAUGHT.get_or_init(|| {
        let mut lesson = Box::new(Lesson::new());
        for (seed, suit) in Suit::ALL.into_iter().enumerate() {
            for rank in Rank::ALL {
                let shown = card(rank, suit, 100 + seed as u64);
                lesson.learn(rank, &shown).expect("a clear index");
            }
        }
        lesson.finish(BRAND).expect("thirteen different indices")
    })
}

/// A deck in its order, ace to king, suit after suit: for a lesson, in which each card is
/// seen seven times.
pub struct Deck(Vec<Face>);

impl Deck {
    /// A new deck.
    pub fn new(print: &Print) -> Self {
        let cards = Suit::ALL.into_iter().flat_map(|suit| Rank::ALL.map(|rank| (rank, suit)));
        Self(cards.map(|(rank, suit)| print.face(rank, suit)).collect())
    }

    /// The card that lies at `place`, counted on through deck after deck.
    pub fn card(&self, place: usize) -> Capture {
        seen(&self.0[place % self.0.len()], 1_000 + place as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use croupier::reader::recognise::{Answer, Question};

    /// RD-09: the test cards are what they are called, to the brand that is taught.
    #[test]
    fn the_last_three_test_cards_read_as_nothing_and_the_first_as_themselves() {
        for (item, rank) in (0..).zip(TEST_CARDS) {
            let shown = HOUSE.test_card(item);
            match rank {
                Some(rank) => assert!(brand().proves(rank, &shown), "{rank:?}"),
                None => {
                    for question in [Question::Ace, Question::TenValue, Question::Range] {
                        let answer = brand().read(&shown, question, true).answer;
                        assert_eq!(answer, Answer::CannotRead, "test card {item}");
                    }
                }
            }
        }
    }
}
