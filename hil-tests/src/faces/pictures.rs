//! What the reader sees, as pictures: of every rank, and when it went badly.

use std::path::Path;

use croupier::cards::{Rank, Suit};
use croupier::reader::recognise::frame::{Frame, HEIGHT, WIDTH};
use image::{GrayImage, Luma, imageops};

use super::deck::Deck;
use super::problem::{Problem, Result};
use super::trial::{Case, mix};
use crate::world::optics::{Disturbance, Level, capture};

/// Tiles in a row of the worst cases.
pub const ACROSS: usize = 8;
/// Screen pixels for each sensor pixel.
const ZOOM: usize = 3;
/// White between and around the frames.
const GAP: usize = 4;
/// A tile: two frames side by side.
pub const TILE: (u32, u32) =
    ((2 * WIDTH * ZOOM + 3 * GAP) as u32, (HEIGHT * ZOOM + 2 * GAP) as u32);
/// What [`seen`] shows, row by row.
const ROWS: [(Level, Suit); 4] = [
    (Level::CALM, Suit::Spades),
    (Level::NOMINAL, Suit::Clubs),
    (Level::NOMINAL, Suit::Hearts),
    (Level::HARSH, Suit::Diamonds),
];

/// One tile: the left and right bank's frames of the first set, rendered again from the seed.
pub fn tile(deck: &Deck, case: &Case) -> Option<GrayImage> {
    let card = deck.card(case.rank, case.suit)?;
    let level = Level::named(case.level)?;
    let seen = capture(&card.ends[case.end], &Disturbance::draw(&level, case.seed));
    Some(beside(&[&seen.sets[0].left, &seen.sets[0].right]))
}

/// Every rank as the left bank shows it: undisturbed, at a well-kept table twice, at a harsh one.
pub fn seen(deck: &Deck, seed: u64) -> GrayImage {
    let rows = ROWS.map(|(level, suit)| {
        let captures: Vec<_> = Rank::ALL
            .iter()
            .filter_map(|rank| {
                let drawn = Disturbance::draw(&level, mix(seed, suit as u64, *rank as u64));
                Some(capture(&deck.card(*rank, suit)?.ends[0], &drawn))
            })
            .collect();
        beside(&captures.iter().map(|seen| &seen.sets[0].left).collect::<Vec<_>>())
    });
    let (width, height) = rows[0].dimensions();
    let mut sheet = GrayImage::new(width, height * rows.len() as u32);
    for (number, row) in rows.iter().enumerate() {
        imageops::replace(&mut sheet, row, 0, number as i64 * i64::from(height));
    }
    sheet
}

/// Frames in a row, white around each.
fn beside(frames: &[&Frame]) -> GrayImage {
    let (wide, high) = (WIDTH * ZOOM, HEIGHT * ZOOM);
    let width = (frames.len() * (wide + GAP) + GAP) as u32;
    let mut row = GrayImage::from_pixel(width, (high + 2 * GAP) as u32, Luma([255]));
    for (number, frame) in frames.iter().enumerate() {
        let shown = GrayImage::from_fn(wide as u32, high as u32, |x, y| {
            Luma([frame.pixels[y as usize / ZOOM][x as usize / ZOOM]])
        });
        imageops::replace(&mut row, &shown, (GAP + number * (wide + GAP)) as i64, GAP as i64);
    }
    row
}

/// Writes the tiles as one sheet.
pub fn sheet(tiles: &[GrayImage], path: &Path) -> Result<()> {
    let rows = tiles.len().div_ceil(ACROSS).max(1) as u32;
    let mut sheet = GrayImage::from_pixel(ACROSS as u32 * TILE.0, rows * TILE.1, Luma([255]));
    for (place, tile) in tiles.iter().enumerate() {
        let (column, row) = ((place % ACROSS) as i64, (place / ACROSS) as i64);
        imageops::replace(&mut sheet, tile, column * i64::from(TILE.0), row * i64::from(TILE.1));
    }
    save(&sheet, path)
}

/// Writes a picture.
pub fn save(picture: &GrayImage, path: &Path) -> Result<()> {
    picture.save(path).map_err(|error| Problem::Unwritable {
        path: path.into(),
        source: std::io::Error::other(error),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_frames_make_a_tile() {
        let (dark, mut light) = (Frame::new(), Frame::new());
        light.pixels = [[200; WIDTH]; HEIGHT];
        let tile = beside(&[&dark, &light]);
        assert_eq!(tile.dimensions(), TILE);
        let at = |x, y| tile.get_pixel(x, y).0[0];
        assert_eq!((at(0, 0), at(10, 10), at(TILE.0 - 10, 10)), (255, 0, 200));
    }
}
