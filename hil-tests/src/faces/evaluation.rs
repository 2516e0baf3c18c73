//! The whole evaluation of one brand, level by level.

use indicatif::ProgressBar;

use super::deck::Deck;
use super::trial::{foreign, mix, read, refuse, teach};
use super::verdict::{Finding, Stage};
use crate::world::optics::Level;

/// What is asked for.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Reads of each card at each level.
    pub reads: u64,
    /// The levels.
    pub levels: Vec<Level>,
    /// Where all chance comes from.
    pub seed: u64,
}

impl Plan {
    /// Reads of cards for one brand, all levels.
    pub fn all_reads(&self) -> u64 {
        self.reads * 52 * self.levels.len() as u64
    }

    /// How often each stranger is shown at each level.
    fn shows(&self) -> u64 {
        (self.reads * 2).clamp(60, 2000)
    }

    /// A brand's own seed, the same whichever other brands are evaluated with it.
    fn seed_of(&self, name: &str) -> u64 {
        mix(
            self.seed,
            4,
            name.bytes()
                .fold(5381, |sum: u64, byte| sum.wrapping_mul(33).wrapping_add(u64::from(byte))),
        )
    }
}

/// Teaches, proves and reads one brand; `other` plays the foreign brand.
pub fn evaluate(plan: &Plan, deck: &Deck, other: Option<&Deck>, progress: &ProgressBar) -> Finding {
    let seed = plan.seed_of(&deck.name);
    let taught = teach(deck, seed);
    let mut stages = Vec::new();
    if let Ok(taught) = &taught {
        for level in &plan.levels {
            let outcome = read(deck, taught, level, plan.reads, seed, progress);
            let refused = refuse(deck, &taught.brand, level, plan.shows(), seed);
            let foreign = other.map(|other| {
                let tally = foreign(other, &taught.brand, level, plan.shows(), seed);
                (other.name.clone(), tally)
            });
            stages.push(Stage { level: level.name, outcome, refused, foreign });
        }
    } else {
        progress.inc(plan.all_reads());
    }
    Finding { name: deck.name.clone(), notes: deck.notes.clone(), taught, stages }
}
