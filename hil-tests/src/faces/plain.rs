//! Brands of our own: plain indices in a font, as ordinary casino cards have them.
//!
//! Each card is written as a small drawing, so that fonts and decks go the same way through
//! [`super::artwork`]. The styles span what is sold: serif, sans, slab, mono and narrow; thick
//! and thin; small, standard and jumbo; two colours and four; with and without a frame.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use croupier::cards::{Rank, Suit};
use rayon::prelude::*;
use resvg::usvg::fontdb;

use super::artwork::Artwork;
use super::deck::{Deck, Sitting, all_cards};
use super::naming::rank_name;
use super::problem::{Problem, Result};

/// A card's width, mm.
const WIDTH: f32 = 63.5;
/// A card's height, mm.
const HEIGHT: f32 = super::artwork::CARD_HEIGHT;
/// A capital's height, as part of the font's size: nearly so in all fonts used here.
const CAPITAL: f32 = 0.71;

/// How a plain brand looks.
#[derive(Debug, Clone, Copy)]
pub struct Style {
    /// The brand's name in reports.
    pub name: &'static str,
    /// The Debian package that has the font.
    pub package: &'static str,
    /// The font's file, below the package's root.
    pub font: &'static str,
    /// Height of a capital, mm: 4 to 5 is small, 6 standard, 10 jumbo.
    pub height: f32,
    /// Width of the glyphs, as part of the font's own.
    pub narrow: f32,
    /// Space above the index, mm.
    pub top: f32,
    /// Each suit has its own colour.
    pub four_colours: bool,
    /// A line around the picture, this far from the edge, mm; 0 is none.
    pub frame: f32,
}

/// The plain brands. Eight, so that six remain if a font is not to be had.
pub const STYLES: [Style; 8] = [
    style("sans", "fonts-dejavu-core", "truetype/dejavu/DejaVuSans-Bold.ttf", 6.0, 0.85),
    style("serif", "fonts-liberation", "truetype/liberation/LiberationSerif-Bold.ttf", 6.5, 1.0),
    Style {
        four_colours: true,
        ..style(
            "jumbo",
            "fonts-liberation",
            "truetype/liberation/LiberationSansNarrow-Bold.ttf",
            10.0,
            1.0,
        )
    },
    Style {
        frame: 9.5,
        ..style("slab", "fonts-roboto-slab", "opentype/roboto/slab/RobotoSlab-Bold.otf", 6.0, 0.9)
    },
    Style {
        four_colours: true,
        ..style("mono", "fonts-dejavu-core", "truetype/dejavu/DejaVuSansMono-Bold.ttf", 5.5, 0.9)
    },
    Style { top: 3.2, ..style("small", "fonts-lato", "truetype/lato/Lato-Heavy.ttf", 4.8, 0.9) },
    style("thin", "fonts-lato", "truetype/lato/Lato-Regular.ttf", 7.5, 0.9),
    Style {
        frame: 2.2,
        ..style(
            "bookish",
            "fonts-linuxlibertine",
            "opentype/linux-libertine/LinLibertine_RB.otf",
            6.0,
            1.0,
        )
    },
];

const fn style(
    name: &'static str,
    package: &'static str,
    font: &'static str,
    height: f32,
    narrow: f32,
) -> Style {
    Style { name, package, font, height, narrow, top: 4.0, four_colours: false, frame: 0.0 }
}

impl Style {
    /// The brand, its font read from the file at `font`.
    pub fn deck(&self, font: &Path) -> Result<Deck> {
        let bytes = fs::read(font).map_err(|error| Problem::unreadable(font, error))?;
        let mut fonts = fontdb::Database::new();
        fonts.load_font_data(bytes);
        let family = fonts.faces().next().and_then(|face| Some(face.families.first()?.0.clone()));
        let family = family.ok_or_else(|| Problem::unreadable(font, "it is no font"))?;
        let fonts = Arc::new(fonts);
        let cards: Vec<(Rank, Suit)> = all_cards().collect();
        let art: Vec<Artwork> = cards
            .par_iter()
            .map(|&(rank, suit)| {
                let svg = self.card(&family, rank, suit);
                Artwork::drawing(font, svg.as_bytes(), fonts.clone())
            })
            .collect::<Result<_>>()?;
        let sittings: Vec<Sitting<'_>> = cards
            .iter()
            .zip(&art)
            .map(|(&(rank, suit), art)| (rank, suit, art, art.whole()))
            .collect();
        let mut deck = Deck::seated(self.name.into(), &sittings)?;
        deck.jokers = vec![self.extra(font, &family, &fonts, Extra::Joker)?];
        deck.backs = vec![self.extra(font, &family, &fonts, Extra::Back)?];
        Ok(deck)
    }

    fn extra(
        &self,
        font: &Path,
        family: &str,
        fonts: &Arc<fontdb::Database>,
        extra: Extra,
    ) -> Result<crate::world::optics::Face> {
        let svg = match extra {
            Extra::Joker => self.joker(family),
            Extra::Back => back(),
        };
        let art = Artwork::drawing(font, svg.as_bytes(), fonts.clone())?;
        super::deck::face(&art, art.whole())
    }

    /// One card as a drawing in mm.
    fn card(&self, family: &str, rank: Rank, suit: Suit) -> String {
        let colour = self.colour(suit);
        // A ten is set narrow, as printers do, to be no wider than a queen by much.
        let squeeze = if rank == Rank::Ten { 0.72 } else { 1.0 };
        let mut index = self.letters(family, rank_name(rank), colour, 0.0, squeeze);
        let (size, middle) = (self.height * 0.8, self.middle());
        let under = self.top + self.height + 1.2;
        let _ = write!(
            index,
            r#"<path transform="translate({} {under}) scale({})" fill="{colour}" d="{}"/>"#,
            middle - size / 2.0,
            size / 10.0,
            outline(suit)
        );
        both_ends(&index, &self.framed(rank))
    }

    /// JOKER, letter under letter, of the height that printers give it: a little over half an index's.
    fn joker(&self, family: &str) -> String {
        let small = Self { height: self.height * 0.55, ..*self };
        let step = small.height * 1.25;
        let letters = "JOKER".chars().enumerate().map(|(number, letter)| {
            small.letters(family, &letter.to_string(), "black", number as f32 * step, 1.0)
        });
        both_ends(&letters.collect::<String>(), "")
    }

    fn letters(&self, family: &str, text: &str, colour: &str, down: f32, squeeze: f32) -> String {
        format!(
            r#"<text transform="translate({} {}) scale({} 1)" text-anchor="middle" font-family="{family}" font-size="{}" fill="{colour}">{text}</text>"#,
            self.middle(),
            self.top + self.height + down,
            self.narrow * squeeze,
            self.height / CAPITAL,
        )
    }

    /// The line that indices stand on either side of, mm from the edge.
    fn middle(&self) -> f32 {
        2.3 + 0.42 * self.height * self.narrow.max(0.9)
    }

    /// A line around the picture; close to the edge it is around every card.
    fn framed(&self, rank: Rank) -> String {
        let court = matches!(rank, Rank::Jack | Rank::Queen | Rank::King);
        if self.frame == 0.0 || (self.frame > 4.0 && !court) {
            return String::new();
        }
        let (x, y) = (self.frame, self.frame.min(5.0));
        format!(
            r#"<rect x="{x}" y="{y}" width="{}" height="{}" fill="none" stroke="navy" stroke-width="0.3"/>"#,
            WIDTH - 2.0 * x,
            HEIGHT - 2.0 * y
        )
    }

    fn colour(&self, suit: Suit) -> &'static str {
        match (suit, self.four_colours) {
            (Suit::Spades, _) | (Suit::Clubs, false) => "black",
            (Suit::Hearts, _) | (Suit::Diamonds, false) => "#d40000",
            (Suit::Clubs, true) => "#007a1f",
            (Suit::Diamonds, true) => "#1030c0",
        }
    }
}

enum Extra {
    Joker,
    Back,
}

fn back() -> String {
    let rows = (0..40).map(|row| {
        format!(
            r#"<path d="M3 {} L60 {}" stroke="white" stroke-width="0.5"/>"#,
            3 + row * 2,
            43 - row
        )
    });
    let lines: String = rows.collect();
    both_ends(
        "",
        &format!(r##"<rect x="3" y="3" width="57.5" height="82.9" fill="#202080"/>{lines}"##),
    )
}

/// A card with the same index at both ends, and what is drawn once.
fn both_ends(index: &str, once: &str) -> String {
    format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}"><rect width="100%" height="100%" fill="white"/>{once}<g>{index}</g><g transform="rotate(180 {} {})">{index}</g></svg>"#,
        WIDTH / 2.0,
        HEIGHT / 2.0
    )
}

/// A suit's outline in a box of 10 by 10.
const fn outline(suit: Suit) -> &'static str {
    match suit {
        Suit::Clubs => {
            "M5 0A2.3 2.3 0 0 1 7 3.6A2.4 2.4 0 1 1 5.5 7L6.5 10H3.5L4.5 7A2.4 2.4 0 1 1 3 3.6A2.3 2.3 0 0 1 5 0Z"
        }
        Suit::Diamonds => "M5 0L9 5L5 10L1 5Z",
        Suit::Hearts => "M5 10C3 7 0 5 0 2.6C0 0 4 -0.6 5 2.2C6 -0.6 10 0 10 2.6C10 5 7 7 5 10Z",
        Suit::Spades => {
            "M5 0C7 3 10 4.4 10 6.6C10 9 7 9.2 5.5 7.4L6.5 10H3.5L4.5 7.4C3 9.2 0 9 0 6.6C0 4.4 3 3 5 0Z"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_colours_are_four_and_two_are_two() {
        let colours = |four_colours| {
            let style = Style { four_colours, ..STYLES[0] };
            let mut seen: Vec<_> = Suit::ALL.into_iter().map(|suit| style.colour(suit)).collect();
            seen.sort_unstable();
            seen.dedup();
            seen.len()
        };
        assert_eq!((colours(true), colours(false)), (4, 2));
    }

    #[test]
    fn a_file_that_is_no_font_is_told_by_name() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let problem = STYLES[0].deck(file.path()).err().unwrap().to_string();
        assert!(problem.ends_with("it is no font"), "{problem}");
    }
}
