//! The calibration set: what must be rejected, what must pass, and at what size.
//!
//! The limit rows pass although they are wrong. They are here so that no one claims the
//! battery sees them: a remainder of 32 bits is found by reading the code and by exact
//! enumeration, not by counting shuffles.

use crate::bad::{Bad, BadDraw, Draw, Shuffle};
use crate::ideal::{Ideal, Seed};
use crate::outcome::Outcome;
use crate::run::{FRESH_STREAMS, Size, count_numbers, count_orders};
use crate::supply::Supply;
use crate::verdict::{SECOND_LOOK, Verdict, of_run};
use anyhow::Result;
use indicatif::ProgressBar;
use std::time::{Duration, Instant};

/// What a row must show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expect {
    /// Wrong, and seen.
    Reject,
    /// Right.
    Pass,
    /// Wrong, and known to be out of sight at this size.
    Blind,
}

/// Who deals in a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Dealer {
    /// The reference shuffler.
    Ideal,
    /// The reference drawer.
    IdealDraw,
    /// A calibration shuffler.
    Shuffle(Shuffle),
    /// A calibration drawer.
    Draw(Draw),
}

/// One line of the calibration table.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// Who deals.
    pub dealer: Dealer,
    /// Cards or sides.
    pub cards: usize,
    /// Orders or numbers.
    pub count: u64,
    /// What must come out.
    pub expect: Expect,
}

/// A row with what came out.
#[derive(Debug, Clone)]
pub struct Measured {
    /// The row.
    pub row: Row,
    /// What the decision rule said.
    pub verdict: Verdict,
    /// All outcomes that decided.
    pub outcomes: Vec<Outcome>,
    /// Time taken.
    pub took: Duration,
}

impl Measured {
    /// Whether the row came out as it must.
    pub fn as_expected(&self) -> bool {
        (self.row.expect == Expect::Reject) == (self.verdict == Verdict::Reject)
    }
}

const fn shuffle(shuffle: Shuffle, cards: usize, count: u64, expect: Expect) -> Row {
    Row { dealer: Dealer::Shuffle(shuffle), cards, count, expect }
}

const fn draw(draw: Draw, count: u64, expect: Expect) -> Row {
    Row { dealer: Dealer::Draw(draw), cards: 7, count, expect }
}

/// Orders of 52 in the gate that every commit passes.
pub const GATE_52: u64 = 1_000_000;

/// Orders of 416 in the gate that every commit passes.
pub const GATE_416: u64 = 262_144;

/// Numbers from 1 to 7 in the gate that every commit passes.
pub const GATE_NUMBERS: u64 = 1_000_000;

/// Every row, smallest first within its kind.
pub fn rows() -> Vec<Row> {
    use Expect::{Blind, Pass, Reject};
    use Shuffle::*;
    let ten = |passes| Shelves { shelves: 10, passes };
    let mut rows = vec![
        shuffle(NaiveSwap, 52, 1_000, Reject),
        shuffle(NaiveSwap, 416, 1_024, Reject),
        shuffle(Sattolo, 52, 1_000, Reject),
        shuffle(OffByOne, 52, 1_000, Reject),
        shuffle(ten(1), 52, 1_000, Reject),
        shuffle(ten(1), 416, 1_024, Reject),
        shuffle(ten(2), 416, 1_024, Reject),
        shuffle(Riffles(7), 52, 1_000, Reject),
        shuffle(Riffles(7), 416, 1_024, Reject),
        shuffle(RifflesFedBack(7), 52, 1_000, Reject),
        shuffle(Riffles(8), 52, 1_000, Reject),
        shuffle(Riffles(10), 52, 10_000, Reject),
        shuffle(Riffles(10), 416, 1_024, Reject),
        shuffle(Riffles(12), 52, 100_000, Reject),
        shuffle(Riffles(14), 416, 8_192, Reject),
        shuffle(Transpositions(200), 52, 100_000, Reject),
        shuffle(Modulo(8), 52, 10_000, Reject),
        shuffle(BiasedBits(0.51), 52, 10_000, Reject),
        shuffle(BiasedBits(0.505), 52, 100_000, Reject),
        shuffle(ShortSeed(16), 52, 1_000, Reject),
        shuffle(RepeatedOnce(10_000), 52, 100_000, Reject),
        shuffle(Lattice, 52, 10_000, Reject),
        shuffle(SortByKey(16), 416, 65_536, Reject),
        draw(Draw::Modulo(8), GATE_NUMBERS, Reject),
        draw(Draw::ThreeDice, GATE_NUMBERS, Reject),
        draw(Draw::Sticky(100), GATE_NUMBERS, Reject),
        draw(Draw::ShyOfRepeats(20), GATE_NUMBERS, Reject),
        draw(Draw::StaleBlock(1_000), GATE_NUMBERS, Reject),
        draw(Draw::Modulo(32), GATE_NUMBERS, Blind),
        Row { dealer: Dealer::IdealDraw, cards: 7, count: GATE_NUMBERS, expect: Pass },
        Row { dealer: Dealer::Ideal, cards: 52, count: 100_000, expect: Pass },
        Row { dealer: Dealer::Ideal, cards: 416, count: 16_384, expect: Pass },
        shuffle(Modulo(12), 52, GATE_52, Reject),
        shuffle(BiasedBits(0.501), 52, GATE_52, Reject),
        shuffle(ShortSeed(32), 52, GATE_52, Reject),
        shuffle(Modulo(16), 416, GATE_416, Reject),
        shuffle(BiasedBits(0.501), 416, GATE_416, Reject),
        shuffle(ShortSeed(32), 416, GATE_416, Reject),
        shuffle(ten(2), 52, 4_194_304, Reject),
        Row { dealer: Dealer::Ideal, cards: 52, count: GATE_52, expect: Pass },
        Row { dealer: Dealer::Ideal, cards: 52, count: 4_194_304, expect: Pass },
        Row { dealer: Dealer::Ideal, cards: 416, count: GATE_416, expect: Pass },
    ];
    let limits = [
        Modulo(20),
        Modulo(24),
        Modulo(32),
        SortByKey(20),
        SortByKey(24),
        Scale(15),
        ShortSeed(40),
    ];
    for limit in limits.into_iter().chain([Shelves { shelves: 38, passes: 2 }]) {
        rows.push(shuffle(limit, 52, GATE_52, Blind));
        rows.push(shuffle(limit, 416, GATE_416, Blind));
    }
    rows.push(shuffle(SortByKey(16), 52, 16_777_216, Reject));
    rows
}

/// The rows small enough for every `cargo test`: the first ones, up to a hundred thousand orders.
pub fn quick_rows() -> Vec<Row> {
    rows()
        .into_iter()
        .filter(|row| row.cards == 7 || row.cards as u64 * row.count <= 65_536 * 416)
        .collect()
}

/// Deals and judges one row, with the second look the decision rule asks for.
pub fn measure(row: Row, seed: Seed) -> Result<Measured> {
    let start = Instant::now();
    let mut outcomes = look(row, seed, row.count, 0)?;
    let mut verdict = of_run(&outcomes);
    if verdict == Verdict::Grey {
        outcomes = look(row, seed, row.count * SECOND_LOOK, FRESH_STREAMS)?;
        verdict = of_run(&outcomes);
    }
    Ok(Measured { row, verdict, outcomes, took: start.elapsed() })
}

fn look(row: Row, seed: Seed, count: u64, first_stream: u64) -> Result<Vec<Outcome>> {
    let size = Size { cards: row.cards, count, first_stream };
    let silent = ProgressBar::hidden();
    let supply: Box<dyn Supply> = match row.dealer {
        Dealer::Ideal | Dealer::IdealDraw => Box::new(Ideal(seed)),
        Dealer::Shuffle(shuffle) => Box::new(Bad { shuffle, seed }),
        Dealer::Draw(draw) => Box::new(BadDraw { draw, seed }),
    };
    match row.dealer {
        Dealer::Ideal | Dealer::Shuffle(_) => {
            Ok(count_orders(supply.as_ref(), size, &silent)?.judge())
        }
        Dealer::IdealDraw | Dealer::Draw(_) => {
            Ok(count_numbers(supply.as_ref(), size, &silent)?.judge())
        }
    }
}

impl Dealer {
    /// What a report calls this dealer.
    pub fn name(self) -> String {
        match self {
            Self::Ideal => "ideal shuffler".into(),
            Self::IdealDraw => "ideal draw".into(),
            Self::Shuffle(shuffle) => shuffle.name(),
            Self::Draw(draw) => draw.name(),
        }
    }
}
