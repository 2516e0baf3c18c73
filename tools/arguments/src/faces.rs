//! What one may ask of `faces`.

use std::path::PathBuf;

use clap::{Parser, ValueEnum};

use crate::{Arguments, must_exist};

/// Tell whether the reader can be taught a brand of cards, from pictures of its faces
///
/// Each brand is taught to the firmware's own recognition as a supervisor would do it at a
/// table, proven with 52 cards x 2 ends x 3 repeats, then read thousands of times under seeded
/// disturbances: place, turn, focus, light, glare, lint, ash, wear, noise and more. Wrong
/// answers and refused cards are counted apart, with 95 % bounds, beside a plain correlation
/// matcher in the same run; jokers, backs, half-inserted cards and the like must be refused.
///
/// A brand may be approved if nothing was wrong, strangers got no answer, and at most 0.5 % of
/// the cards were refused at the nominal level and 10 % at the harsh one. The exit code is 0
/// only if every brand may be.
#[derive(Debug, Clone, Parser)]
#[command(name = "faces", bin_name = "cargo xtask faces", after_long_help = EXAMPLES)]
pub struct Faces {
    /// Folders with one picture a card, or sheets of 13 columns
    #[arg(value_name = "DIR|SHEET", required_unless_present_any = ["debian", "fonts", "list"])]
    pub brands: Vec<PathBuf>,
    /// The drawn decks with Latin indices of Debian's gnome-cards-data
    #[arg(long)]
    pub debian: bool,
    /// Plain indices in eight fonts: serif, sans, slab, mono, narrow, thin, small, jumbo
    #[arg(long)]
    pub fonts: bool,
    /// Only tell which decks and fonts --debian and --fonts mean, and which are left out
    #[arg(long)]
    pub list: bool,
    /// How often each card is read at each level; at least 58 for a verdict
    #[arg(long, default_value_t = 200, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub reads: u64,
    /// How bad the table is
    #[arg(long, default_value = "both")]
    pub level: Levels,
    /// The number all chance comes from: the same number repeats the run
    #[arg(long, default_value_t = 1, value_name = "S")]
    pub seed: u64,
    /// Where the page and the pictures go
    #[arg(long, default_value = "target/faces/report", value_name = "DIR")]
    pub out: PathBuf,
}

/// How bad the table is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Levels {
    /// A well-kept table
    Nominal,
    /// The whole play of the nest; cards, lamps and window at the end of their lives
    Harsh,
    /// Both, which a verdict needs
    Both,
}

impl Arguments for Faces {
    fn check(&self) -> Result<(), String> {
        self.brands.iter().try_for_each(|brand| must_exist(brand))
    }
}

const EXAMPLES: &str = "Examples:
  cargo xtask faces my-brand/             a folder: AS.png, 10H.svg, king_of_hearts.jpg, ...
  cargo xtask faces sheet.svg             one sheet: ace to king across; clubs, diamonds, hearts, spades down
  cargo xtask faces --debian --fonts      fourteen drawn decks and eight fonts
  cargo xtask faces my-brand/ --reads 2000 --seed 7   a longer run, other chance

Pictures: PNG or JPEG of 130 dpi or more, SVG or SVGZ; upright, cut at the card's edge. Names in any
case: rank A 2-10 T J Q K (or 1, 11-13) or a word, suit C D H S or a word. joker and back are shown as strangers.
docs/reader.md tells what is disturbed, how much, and how to scan a brand.";
