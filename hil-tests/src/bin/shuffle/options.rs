//! What one may ask of `shuffle`, and what it comes to.

use clap::{Parser, ValueEnum};
use croupier::profile::Game;
use croupier::protocol::generated::croupier::common::{Dealing, Role};
use croupier::services::Chosen;
use croupier::shuffler::Model;
use hil_tests::world::shuffler::Planned;

/// Runs one shuffle and shows the wheel, the counts, what is said, and the time it takes
/// against what no mechanism of this kind could beat.
///
/// Ends with 0 if the stack was certified, with 2 if not, and says why.
#[derive(Parser)]
#[command(name = "shuffle")]
pub struct Options {
    /// The game, by its chapter: 581, 583, 587 to 592, 672a, 685a, or sd
    #[arg(long, default_value = "588")]
    pub profile: String,
    /// Decks in the batch; the smallest the game allows unless said
    #[arg(long)]
    pub decks: Option<u8>,
    /// Cards put into the feed tray; a whole batch unless said
    #[arg(long)]
    pub cards: Option<usize>,
    /// Where it runs: the rules in process, or the image in QEMU
    #[arg(long, value_enum, default_value_t = Bench::Sim)]
    pub bench: Bench,
    /// A trouble at a chosen card, such as jam@23; may be given again
    #[arg(long = "fault", value_name = "TROUBLE@CARD")]
    pub faults: Vec<Planned>,
    /// Every trouble at its rate in the field, this many times as bad
    #[arg(long, value_name = "TIMES")]
    pub field: Option<f64>,
    /// Not one to watch: so many shuffles in process, and what they came to
    #[arg(long, value_name = "SHUFFLES")]
    pub soak: Option<u64>,
    /// The seed of the troubles and of the noise; random noise unless said
    #[arg(long)]
    pub seed: Option<u64>,
    /// How much faster than life it is shown
    #[arg(long, default_value_t = 1.0)]
    pub speed: f64,
    /// Lines of text also on a terminal
    #[arg(long)]
    pub plain: bool,
}

/// Where it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Bench {
    /// The rules and the mechanism in this process, in virtual time.
    Sim,
    /// The image in QEMU, the mechanism at its pins, in step with it.
    Qemu,
}

/// The chapters, as people name the games.
const CHAPTERS: [(&str, Game); 11] = [
    ("581", Game::DoubleAttackBlackjack),
    ("583", Game::FlopPoker),
    ("587", Game::RaiseItUpStud),
    ("588", Game::SixCardFortunePaiGow),
    ("589", Game::LunarPoker),
    ("590", Game::FreeBetTemporary),
    ("591", Game::DoubleBackJack),
    ("592", Game::CrissCrossPoker),
    ("672a", Game::FreeBet),
    ("685a", Game::DownUnderBlackjack),
    ("sd", Game::FreeBetSouthDakota),
];

impl Options {
    /// The game as a floorperson would set it, its batch total, and the machine for it.
    pub fn game(&self) -> Result<(Chosen, usize, Model), String> {
        let named = CHAPTERS.iter().find(|(name, _)| name.eq_ignore_ascii_case(&self.profile));
        let (_, game) = named.ok_or_else(|| {
            let known = CHAPTERS.map(|(name, _)| name).join(", ");
            format!("no game has the chapter `{}`; known: {known}", self.profile)
        })?;
        let profile = game.profile();
        let decks = match self.decks {
            Some(decks) => decks,
            None => (1..=8).find(|decks| profile.batch_total(*decks).is_some()).unwrap_or(1),
        };
        let total = profile
            .batch_total(decks)
            .ok_or_else(|| format!("{} is not played with {decks} decks a batch", self.profile))?;
        let seats = profile.seats.map_or(6, |most| most.rule);
        let (dealing, by) = (Dealing::default(), Role::Floorperson);
        let chosen = Chosen { game: *game, decks, dealing, seats, by, at_ms: 0 };
        let single = u16::from(Model::SingleDeck.wheel().slots) >= total;
        let model = if single { Model::SingleDeck } else { Model::MultiDeck };
        Ok((chosen, total.into(), model))
    }

    /// Cards to load.
    pub fn loaded(&self, total: usize) -> Result<usize, String> {
        let cards = self.cards.unwrap_or(total);
        match cards {
            1..=600 => Ok(cards),
            _ => Err(format!("{cards} cards do not go into the feed tray: 1 to 600")),
        }
    }
}
