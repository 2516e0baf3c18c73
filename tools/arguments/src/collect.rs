//! What one may ask of `collect`.

use std::path::PathBuf;

use clap::{Parser, ValueEnum};

use crate::{Arguments, must_exist, must_have_folder};

/// The most cards in an order.
pub const MOST_CARDS: u16 = 1024;
/// The batches of the simulated shuffler: a game lets one of them play alone.
pub const WHEEL_CARDS: [u16; 4] = [52, 53, 312, 416];

/// Collect orders, numbers or raw output into an evidence file
///
/// The production code makes every record; on this computer only the noise differs. With
/// `--from qemu` it runs in the simulated chip, in an image built first. The same command
/// line continues an interrupted collection. The file's format, and what a file is
/// evidence for, is described in docs/randomness.md.
#[derive(Debug, Clone, Parser)]
#[command(name = "collect", bin_name = "cargo xtask collect", after_long_help = EXAMPLES)]
pub struct Collect {
    /// What to collect
    pub what: What,
    /// Cards in an order, or the highest number [default: 52 for orders, 7 for numbers]
    #[arg(long)]
    pub cards: Option<u16>,
    /// Orders, numbers or bytes to collect
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    pub count: u64,
    /// Where the production code runs
    #[arg(long, value_enum, default_value = "host")]
    pub from: From,
    /// Seed the noise, so that the same file can be made again; without, the random device
    #[arg(long, required_if_eq("from", "wheel"))]
    pub seed: Option<u64>,
    /// Raw words that a board gave, as `cargo xtask silicon-check noise` writes them; with --from qemu
    #[arg(long, value_name = "FILE", conflicts_with = "seed")]
    pub noise: Option<PathBuf>,
    /// The evidence file
    #[arg(long)]
    pub out: PathBuf,
}

/// What to collect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum What {
    /// Shuffled orders: final outcomes
    Orders,
    /// Numbers from 1 to --cards: final outcomes
    Numbers,
    /// Generator output before scaling and shuffling
    Raw,
}

/// Where the production code runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum From {
    /// On this computer, over its random device
    Host,
    /// In the simulated chip
    Qemu,
    /// On this computer: orders as they come out of the simulated shuffler
    Wheel,
}

impl Collect {
    /// Cards in an order, the highest number, or the values of a byte.
    pub fn cards(&self) -> u16 {
        let usual = match self.what {
            What::Orders => 52,
            What::Numbers => 7,
            What::Raw => 256,
        };
        self.cards.unwrap_or(usual)
    }
}

impl Arguments for Collect {
    fn check(&self) -> Result<(), String> {
        let cards = self.cards();
        match self.what {
            What::Orders if !(4..=MOST_CARDS).contains(&cards) => {
                return Err(format!("an order has 4 to {MOST_CARDS} cards, not {cards}"));
            }
            What::Numbers if cards == 0 => return Err("numbers begin at 1, not at 0".into()),
            What::Raw if cards != 256 => {
                return Err("raw output is bytes: leave out --cards".into());
            }
            _ => {}
        }
        if self.from == From::Wheel {
            if self.what != What::Orders {
                return Err("the simulated shuffler makes orders only".into());
            }
            if !WHEEL_CARDS.contains(&cards) {
                let known = "52, 53, 312 or 416 do";
                return Err(format!("no game lets one batch of {cards} cards play alone: {known}"));
            }
        }
        if self.noise.is_some() && self.from != From::Qemu {
            return Err("--noise feeds the core in QEMU: give --from qemu too".into());
        }
        self.noise.as_deref().map_or(Ok(()), must_exist)?;
        must_have_folder(&self.out)
    }
}

const EXAMPLES: &str = "Examples:
  cargo xtask collect orders --cards 52 --count 1000000 --out deck.ev
  cargo xtask collect numbers --cards 7 --count 1000000 --out seats.ev
  cargo xtask collect raw --count 100000000 --out raw.ev    before scaling and shuffling
  cargo xtask collect orders --cards 416 --count 262144 --from qemu --out shoe.ev
  cargo xtask collect numbers --count 500 --from qemu --noise noise.bin --out board.ev   a real board's noise
  cargo xtask battery deck.ev                               then test it";
