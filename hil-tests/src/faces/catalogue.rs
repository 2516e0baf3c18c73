//! Brands to evaluate: other people's, Debian's drawn decks, plain ones in fonts.

use std::path::PathBuf;

use super::debian::{Debian, LATIN};
use super::deck::Deck;
use super::plain::{STYLES, Style};
use super::problem::Result;

/// A brand that is to be had; its faces are rendered when it is opened.
#[derive(Debug, Clone)]
pub enum Entry {
    /// A folder or a sheet that the user names.
    Given(PathBuf),
    /// A drawn deck of Debian's.
    Drawn(&'static str),
    /// Plain indices in a font.
    Plain(Style),
}

impl Entry {
    /// What it is called.
    pub fn name(&self) -> String {
        match self {
            Self::Given(path) => path.display().to_string(),
            Self::Drawn(name) => (*name).into(),
            Self::Plain(style) => style.name.into(),
        }
    }

    /// Renders its faces.
    pub fn open(&self) -> Result<Deck> {
        match self {
            Self::Given(path) => Deck::open(path),
            Self::Drawn(name) => Debian::new().deck(name),
            Self::Plain(style) => Debian::new().plain(style),
        }
    }
}

/// Every drawn deck with Latin indices.
pub fn drawn() -> impl Iterator<Item = Entry> {
    LATIN.into_iter().map(Entry::Drawn)
}

/// Every plain brand.
pub fn plain() -> impl Iterator<Item = Entry> {
    STYLES.into_iter().map(Entry::Plain)
}

/// Six drawn decks and six fonts, as unlike each other as there are: what every test run reads.
pub fn sample() -> Vec<Entry> {
    let decks = ["anglo_poker", "bellot", "neoclassical_4_color", "orell", "paris", "plastic"];
    let fonts = ["serif", "jumbo", "slab", "mono", "small", "thin"];
    let chosen = |entry: &Entry| decks.contains(&&*entry.name()) || fonts.contains(&&*entry.name());
    drawn().chain(plain()).filter(chosen).collect()
}

/// All of them: what a release is shown with.
pub fn all() -> Vec<Entry> {
    drawn().chain(plain()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Issue 5: at least six real artworks and at least six fonts.
    #[test]
    fn the_sample_has_six_of_each_and_the_release_more() {
        let decks = |entries: &[Entry]| {
            entries.iter().filter(|entry| matches!(entry, Entry::Drawn(_))).count()
        };
        assert_eq!((decks(&sample()), sample().len()), (6, 12));
        assert_eq!((decks(&all()), all().len()), (14, 22));
    }
}
