//! One test's answer: what was seen, what was expected, and how surprising that is.

use crate::tail::Tail;

/// Which orders a test looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// Orders as dealt, read against factory order.
    Dealt,
    /// Each order read against the one before it: what the shuffle did to its input.
    Relative,
    /// Numbers drawn from 1 to n.
    Numbers,
}

impl Family {
    /// The word a report prints.
    pub fn word(self) -> &'static str {
        match self {
            Self::Dealt => "dealt",
            Self::Relative => "relative",
            Self::Numbers => "numbers",
        }
    }
}

/// The result of one test of one family.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// Number of the test in `docs/randomness.md`.
    pub number: u8,
    /// Name of the test.
    pub name: &'static str,
    /// Orders or numbers looked at.
    pub family: Family,
    /// Cards in an order, or sides of a draw.
    pub size: usize,
    /// The statistic.
    pub seen: f64,
    /// Its mean under perfect randomness.
    pub expected: f64,
    /// How surprising it is.
    pub tail: Tail,
    /// Whether the statistic is smooth enough for its p-values to be uniform.
    pub smooth: bool,
}

impl Outcome {
    /// ln of the p-value the decision rule uses.
    pub fn ln_p(&self) -> f64 {
        self.tail.two_sided()
    }
}

/// A p-value given as its logarithm, in print: ordinary while it is, `1e-1234` beyond.
pub fn print_p(ln_p: f64) -> String {
    if ln_p > -7.0 {
        return format!("{:.4}", ln_p.exp());
    }
    if ln_p == f64::NEG_INFINITY {
        return "0".into();
    }
    let log10 = ln_p / std::f64::consts::LN_10;
    let exponent = log10.floor();
    format!("{:.1}e{exponent:.0}", 10f64.powf(log10 - exponent))
}
