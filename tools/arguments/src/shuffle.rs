//! What one may ask of `shuffle`.

use std::str::FromStr;

use clap::{Parser, ValueEnum};

use crate::Arguments;

/// Run one shuffle and watch the wheel, the counts and the time
///
/// In process and in virtual time unless `--bench qemu` asks for the image. Shows what is
/// said, and the time it takes against what no mechanism of this kind could beat. On a
/// terminal it is a film, otherwise lines of text.
///
/// Ends with 0 if the stack was certified, with 2 if not, and says why.
#[derive(Debug, Clone, Parser)]
#[command(name = "shuffle", bin_name = "cargo xtask shuffle", after_long_help = EXAMPLES)]
pub struct Shuffle {
    /// The game, by its chapter
    #[arg(long, default_value = "588", ignore_case = true, value_parser = CHAPTERS)]
    pub profile: String,
    /// Decks in the batch; the smallest the game allows unless said
    #[arg(long, value_parser = clap::value_parser!(u8).range(1..=8))]
    pub decks: Option<u8>,
    /// Cards put into the feed tray; a whole batch unless said
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=600))]
    pub cards: Option<u16>,
    /// Where it runs: the rules in process, or the image in QEMU
    #[arg(long, value_enum, default_value_t = Bench::Sim)]
    pub bench: Bench,
    /// A trouble at a chosen card, such as jam@23; may be given again
    #[arg(long = "fault", value_name = "TROUBLE@CARD")]
    pub faults: Vec<Fault>,
    /// Every trouble at its rate in the field, this many times as bad
    #[arg(long, value_name = "TIMES", value_parser = times)]
    pub field: Option<f64>,
    /// Not one to watch: this many shuffles in process, and what they came to
    #[arg(long, alias = "evening", value_name = "SHUFFLES",
        value_parser = clap::value_parser!(u64).range(1..),
        conflicts_with_all = ["bench", "cards", "faults"])]
    pub soak: Option<u64>,
    /// The seed of the troubles and of the noise; random noise unless said
    #[arg(long)]
    pub seed: Option<u64>,
    /// How much faster than life it is shown
    #[arg(long, default_value_t = 1.0, value_parser = speed)]
    pub speed: f64,
    /// Lines of text also on a terminal
    #[arg(long)]
    pub plain: bool,
}

/// Where it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Bench {
    /// The rules and the mechanism in this process, in virtual time
    Sim,
    /// The image in QEMU, the mechanism at its pins, in step with it
    Qemu,
}

impl Arguments for Shuffle {}

/// The games, by chapter; the program knows which is which.
const CHAPTERS: [&str; 11] =
    ["581", "583", "587", "588", "589", "590", "591", "592", "672a", "685a", "sd"];

/// What can go wrong in the simulated mechanism, by name.
pub const TROUBLES: [&str; 24] = [
    "no-pick",
    "double",
    "skew",
    "jam",
    "entry-jam",
    "rail",
    "cling",
    "exit-jam",
    "double-eject",
    "stall",
    "slip",
    "roller-stall",
    "blind-mouth",
    "dead-throat",
    "blind-exit",
    "dark-slot",
    "blind-slot",
    "no-vane",
    "dust",
    "silence",
    "lid",
    "door",
    "hand",
    "power",
];

/// A trouble at a chosen movement, counted from 1: `jam@23`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Which of [`TROUBLES`].
    pub trouble: &'static str,
    /// At which movement of its kind.
    pub at: u32,
}

impl FromStr for Fault {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, at) = text
            .split_once('@')
            .ok_or_else(|| format!("`{text}` is not like jam@23: a trouble, @ and a card"))?;
        let known = || TROUBLES.join(", ");
        let found = TROUBLES.into_iter().find(|known| *known == name);
        let trouble =
            found.ok_or_else(|| format!("no trouble is called `{name}`; known: {}", known()))?;
        let at = at.parse().ok().filter(|at| *at > 0);
        let at = at.ok_or_else(|| format!("`{text}` needs a card's number from 1 after the @"))?;
        Ok(Self { trouble, at })
    }
}

/// Slower would never end, faster is not to be seen.
fn speed(text: &str) -> Result<f64, String> {
    number(text, 0.01, 10_000.0)
}

/// Above this every movement has a trouble.
fn times(text: &str) -> Result<f64, String> {
    number(text, 0.0, 1000.0)
}

/// A number within bounds; not-a-number is in none.
fn number(text: &str, least: f64, most: f64) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| format!("it is a number from {least} to {most}"))
}

const EXAMPLES: &str = "Examples:
  cargo xtask shuffle                                           53 cards, chapter 588
  cargo xtask shuffle --profile 588 --cards 52                  one card is missing
  cargo xtask shuffle --profile 583 --fault jam@23              a card sticks
  cargo xtask shuffle --profile 672a --decks 8 --speed 20       eight decks, two passes
  cargo xtask shuffle --profile 583 --bench qemu                the image, at the pace of life
  cargo xtask shuffle --profile 583 --soak 10000 --field 1      ten thousand, as in the field";
