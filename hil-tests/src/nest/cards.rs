//! Cards of a brand of our own: dot-matrix indices, so that no font is needed.

use std::sync::OnceLock;

use crate::world::optics::face::INK;
use crate::world::optics::{Disturbance, Face, Level, Raster, capture};
use croupier::cards::{Rank, Suit};
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

/// The brand's number.
pub const BRAND: u16 = 12;

/// Where the index begins, mm from the corner, and a dot's size.
const CORNER: (f32, f32) = (2.2, 2.6);
const DOT: (f32, f32) = (0.75, 0.95);

/// What a card sends back at a place: its index, and a pip below it whose shape is its suit's.
fn tone(rank: Rank, suit: Suit, (x, y): (f32, f32)) -> f32 {
    let (across, down) = ((x - CORNER.0) / DOT.0, (y - CORNER.1) / DOT.1);
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

fn face(rank: Rank, suit: Suit) -> Face {
    Face::new(&Raster::printed(|place| tone(rank, suit, place)))
}

/// The card as a scan head sees it, lying where it should, well lit; `seed` for the noise.
pub fn card(rank: Rank, suit: Suit, seed: u64) -> Capture {
    capture(&face(rank, suit), &Disturbance::draw(&Level::CALM, seed))
}

/// A card with nothing on it.
pub fn blank() -> Capture {
    capture(&Face::plain(1.0), &Disturbance::draw(&Level::CALM, 3))
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
