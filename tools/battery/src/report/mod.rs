//! What a run looked like: for the terminal, and as one HTML page that needs nothing else.

mod page;
mod svg;
mod text;

pub use page::page;
pub use text::{calibration_table, outcome_table, uniformity_table};

use crate::outcome::Outcome;
use crate::run::OrderCounts;
use crate::verdict::Verdict;

/// Orders or numbers of one size, tested.
#[derive(Debug)]
pub struct Part {
    /// "52 cards", "numbers 1 to 7".
    pub title: String,
    /// How many.
    pub count: u64,
    /// Whether this is the second, larger look.
    pub second_look: bool,
    /// The tests.
    pub outcomes: Vec<Outcome>,
    /// The counts, for the plots; none for numbers.
    pub counts: Option<OrderCounts>,
    /// How often each number came; empty for orders.
    pub numbers: Vec<u64>,
}

/// A whole run.
#[derive(Debug)]
pub struct Report {
    /// What was tested.
    pub supply: String,
    /// How to repeat it.
    pub replay: String,
    /// Firmware commit.
    pub commit: String,
    /// All parts; a second look stands beside the first.
    pub parts: Vec<Part>,
    /// Tests that share the alarm rate.
    pub tests: usize,
    /// The decision.
    pub verdict: Verdict,
}
