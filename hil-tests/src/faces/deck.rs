//! A brand's 52 faces at both ends, from a folder or a sheet.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use croupier::cards::{Rank, Suit};
use rayon::prelude::*;

use super::artwork::{Artwork, Corner, Place, ending};
use super::naming::{Subject, card_name, subject};
use super::problem::{Problem, Result};
use crate::world::optics::Face;
use crate::world::optics::stranger::Cast;

/// Columns of a sheet: ace to king.
const COLUMNS: usize = 13;
/// What a card's width may be, as part of its height: a bridge card has 0.64, a poker card 0.71.
const SHAPES: std::ops::RangeInclusive<f32> = 0.55..=0.8;

/// One card of a brand.
pub struct Face52 {
    /// Its rank.
    pub rank: Rank,
    /// Its suit.
    pub suit: Suit,
    /// Both ends.
    pub ends: [Face; 2],
    /// The corner without an index.
    pub wrong: Face,
}

/// A brand: all that a reader may meet of it.
pub struct Deck {
    /// What it is called in reports.
    pub name: String,
    /// The 52 cards, suit by suit, ace to king.
    pub cards: Vec<Face52>,
    /// Its jokers, if the artwork has any.
    pub jokers: Vec<Face>,
    /// Its backs, if the artwork has any.
    pub backs: Vec<Face>,
    /// What was left aside, for the report.
    pub notes: Vec<String>,
}

/// A card and where it is drawn.
pub(super) type Sitting<'a> = (Rank, Suit, &'a Artwork, Place);

impl Deck {
    /// A folder of single cards, or one sheet.
    pub fn open(path: &Path) -> Result<Self> {
        let found = fs::metadata(path).map_err(|error| Problem::unreadable(path, error))?;
        if found.is_dir() { Self::folder(path) } else { Self::sheet(path) }
    }

    /// A folder with one picture for each card.
    pub fn folder(path: &Path) -> Result<Self> {
        let mut cards: BTreeMap<String, (Rank, Suit, PathBuf)> = BTreeMap::new();
        let (mut jokers, mut backs, mut strangers) = (Vec::new(), Vec::new(), Vec::new());
        let mut pictures = pictures(path)?;
        pictures.sort();
        for file in pictures {
            let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            match subject(&stem) {
                Some(Subject::Card(rank, suit)) => {
                    let card = card_name(rank, suit);
                    let name = file_name(&file);
                    if let Some((.., first)) = cards.insert(card.clone(), (rank, suit, file)) {
                        return Err(Problem::Twice {
                            card,
                            first: file_name(&first),
                            second: name,
                        });
                    }
                }
                Some(Subject::Joker) => jokers.push(file),
                Some(Subject::Back) => backs.push(file),
                None => strangers.push(file_name(&file)),
            }
        }
        let missing: Vec<String> = all_cards()
            .map(|(rank, suit)| card_name(rank, suit))
            .filter(|name| !cards.contains_key(name))
            .collect();
        if !missing.is_empty() {
            return Err(Problem::Incomplete { path: path.into(), missing, strangers });
        }
        let read = |files: Vec<PathBuf>| -> Result<Vec<Artwork>> {
            files.par_iter().map(|file| Artwork::read(file)).collect()
        };
        let (jokers, backs) = (read(jokers)?, read(backs)?);
        let art: Vec<(Rank, Suit, Artwork)> = cards
            .into_values()
            .collect::<Vec<_>>()
            .into_par_iter()
            .map(|(rank, suit, file)| Ok((rank, suit, Artwork::read(&file)?)))
            .collect::<Result<_>>()?;
        let sittings: Vec<Sitting<'_>> =
            art.iter().map(|(rank, suit, art)| (*rank, *suit, art, art.whole())).collect();
        let whole = |art: &[Artwork]| -> Result<Vec<Face>> {
            art.iter().map(|art| face(art, art.whole())).collect()
        };
        let mut deck = Self::seated(file_name(path), &sittings)?;
        deck.jokers = whole(&jokers)?;
        deck.backs = whole(&backs)?;
        deck.notes =
            strangers.into_iter().map(|name| format!("{name}: name not understood")).collect();
        Ok(deck)
    }

    /// One picture of 13 columns, ace to king, and rows of clubs, diamonds, hearts and spades; a
    /// fifth row may hold two jokers and a back.
    pub fn sheet(path: &Path) -> Result<Self> {
        let art = Artwork::read(path)?;
        let (width, height) = art.size();
        let wide = width / COLUMNS as f32;
        let fits = |rows: &usize| SHAPES.contains(&(wide / (height / *rows as f32)));
        let Some(rows) = [5, 4].into_iter().find(fits) else {
            let cell = format!("{wide:.0} by {:.0} or {:.0}", height / 5.0, height / 4.0);
            return Err(Problem::NoSheet { path: path.into(), cell });
        };
        let high = height / rows as f32;
        let place = |column: usize, row: usize| Place {
            left: column as f32 * wide,
            top: row as f32 * high,
            width: wide,
            height: high,
        };
        let sittings: Vec<Sitting<'_>> = all_cards()
            .map(|(rank, suit)| (rank, suit, &art, place(rank as usize, suit as usize)))
            .collect();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let mut deck = Self::seated(stem, &sittings)?;
        let extra = |columns: std::ops::Range<usize>| {
            let places = columns.filter(|_| rows == 5).map(|column| place(column, 4));
            places
                .filter(|place| art.shows(*place))
                .map(|place| face(&art, place))
                .collect::<Result<_>>()
        };
        deck.jokers = extra(0..2)?;
        deck.backs = extra(2..3)?;
        Ok(deck)
    }

    /// Renders all corners of the 52 cards.
    pub(super) fn seated(name: String, sittings: &[Sitting<'_>]) -> Result<Self> {
        let cards = sittings
            .par_iter()
            .map(|&(rank, suit, art, place)| {
                let face = |corner| Ok(Face::new(&art.corner(place, corner)?));
                let ends = [face(Corner::First)?, face(Corner::Second)?];
                Ok(Face52 { rank, suit, ends, wrong: face(Corner::Wrong)? })
            })
            .collect::<Result<Vec<_>>>()?;
        Ok(Self { name, cards, jokers: Vec::new(), backs: Vec::new(), notes: Vec::new() })
    }

    /// The card of that rank and suit.
    pub fn card(&self, rank: Rank, suit: Suit) -> Option<&Face52> {
        self.cards.iter().find(|card| card.rank == rank && card.suit == suit)
    }

    /// The faces that strangers are made of.
    pub fn cast(&self) -> Cast<'_> {
        Cast {
            cards: self.cards.iter().flat_map(|card| &card.ends).collect(),
            wrong_corners: self.cards.iter().map(|card| &card.wrong).collect(),
            backs: self.backs.iter().collect(),
            jokers: self.jokers.iter().collect(),
        }
    }
}

pub(super) fn face(art: &Artwork, place: Place) -> Result<Face> {
    Ok(Face::new(&art.corner(place, Corner::First)?))
}

/// Every card, suit by suit as on a sheet.
pub fn all_cards() -> impl Iterator<Item = (Rank, Suit)> {
    Suit::ALL.into_iter().flat_map(|suit| Rank::ALL.into_iter().map(move |rank| (rank, suit)))
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// The picture files in a folder.
fn pictures(path: &Path) -> Result<Vec<PathBuf>> {
    let folder = fs::read_dir(path).map_err(|error| Problem::unreadable(path, error))?;
    let files: Vec<PathBuf> = folder
        .flatten()
        .map(|entry| entry.path())
        .filter(|file| matches!(ending(file).as_str(), "png" | "jpg" | "jpeg" | "svg" | "svgz"))
        .collect();
    if files.is_empty() { Err(Problem::NoPictures(path.into())) } else { Ok(files) }
}
