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
///
/// With `--soak` people play the game its own way, cycle after cycle: two batches in turn,
/// cover cards, short shoes, new decks, idle tables; the power goes, cards are planted. A judge
/// who knows every card counts. Ends with 0 if nothing was certified or condemned wrongly.
#[derive(Debug, Clone, Parser)]
#[command(name = "shuffle", bin_name = "cargo xtask shuffle", after_long_help = EXAMPLES)]
pub struct Shuffle {
    /// The game, by its chapter; `all` with --soak
    #[arg(long, visible_alias = "profile", value_name = "CHAPTER", default_value = "588",
        ignore_case = true, value_parser = CHAPTERS)]
    pub game: String,
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
    /// Every trouble at its rate in the field, this many times as bad; 1 in a soak unless said
    #[arg(long, value_name = "TIMES", value_parser = times)]
    pub field: Option<f64>,
    /// Not one to watch: a campaign of CYCLES cycles in process, played the game's own way, and
    /// what it came to
    #[arg(long, value_name = "CYCLES", num_args = 0..=1,
        default_missing_value = "1000", value_parser = clap::value_parser!(u64).range(1..),
        conflicts_with_all = ["bench", "cards", "faults"])]
    pub soak: Option<u64>,
    /// Cycles of the soak; cards, where the machine is a continuous one
    #[arg(long, requires = "soak", value_parser = clap::value_parser!(u64).range(1..))]
    pub cycles: Option<u64>,
    /// The machine of the soak; the one the game is played with unless said
    #[arg(long, value_enum, requires = "soak")]
    pub model: Option<Machine>,
    /// In a soak a card is planted before one of STARTS times the power comes on; 0 for never
    #[arg(long, value_name = "STARTS", default_value_t = 100, requires = "soak")]
    pub planted: u32,
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

/// A machine, as people call it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Machine {
    /// One deck a batch
    Single,
    /// Two batches of up to eight decks
    Multi,
    /// One batch that circulates
    Continuous,
}

impl Arguments for Shuffle {
    fn check(&self) -> Result<(), String> {
        if self.all() {
            return if self.soak.is_some() {
                Ok(())
            } else {
                Err("only a --soak is played with all games".into())
            };
        }
        match self.model {
            Some(Machine::Continuous) if self.is_of_rounds() => {
                Err(format!("{} is shuffled after each round: no batch circulates", self.game))
            }
            Some(Machine::Single) if !self.is_of_rounds() && self.decks != Some(1) => {
                Err(format!("{} is played with more cards than this machine takes", self.game))
            }
            _ => Ok(()),
        }
    }
}

impl Shuffle {
    /// Whether every game is meant.
    pub fn all(&self) -> bool {
        self.game.eq_ignore_ascii_case("all")
    }

    /// Whether the game is shuffled after each round, and not after each shoe.
    pub fn is_of_rounds(&self) -> bool {
        ROUNDS.contains(&self.game.as_str())
    }

    /// The cycles of the soak, if it is one.
    pub fn soak_cycles(&self) -> Option<u64> {
        self.soak.map(|cycles| self.cycles.unwrap_or(cycles))
    }
}

/// The games, by chapter; the program knows which is which.
const CHAPTERS: [&str; 12] =
    ["581", "583", "587", "588", "589", "590", "591", "592", "672a", "685a", "sd", "all"];

/// Those that are shuffled after each round.
const ROUNDS: [&str; 5] = ["583", "587", "588", "589", "592"];

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
  cargo xtask shuffle --game 588 --cards 52                     one card is missing
  cargo xtask shuffle --game 583 --fault jam@23                 a card sticks
  cargo xtask shuffle --game 672a --decks 8 --speed 20          eight decks, two passes
  cargo xtask shuffle --game 583 --bench qemu                   the image, at the pace of life
  cargo xtask shuffle --soak 10000 --game 583                   ten thousand, as in the field
  cargo xtask shuffle --soak --game all --cycles 2000           every game, two batches in turn
  cargo xtask shuffle --soak --game 590 --model continuous --cycles 100000
                                                                100,000 cards of one batch that circulates";
