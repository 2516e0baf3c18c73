//! The decision rule: one false alarm in a million runs, by construction.
//!
//! With K tests in a run, a p-value below 1e-6/K rejects. Between that and 1e-3/K lies
//! a grey zone: the run is repeated once with four times as much fresh data, and only
//! the repetition decides. So an honest device is not failed for one unlucky hour, and
//! a test may not be repeated until it passes.

use crate::outcome::Outcome;

/// False alarms per run.
pub const ALARM: f64 = 1e-6;

/// Below this, per run, the data deserve a second look.
pub const GREY: f64 = 1e-3;

/// How much larger the second look is.
pub const SECOND_LOOK: u64 = 4;

/// What a run says about its supply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing against it.
    Pass,
    /// Suspicious: look again with fresh data.
    Grey,
    /// Not random.
    Reject,
}

impl Verdict {
    /// The word a report prints.
    pub fn word(self) -> &'static str {
        match self {
            Self::Pass => "PASS",
            Self::Grey => "GREY",
            Self::Reject => "REJECT",
        }
    }
}

/// The two limits for one run, as ln p.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Below this: reject.
    pub reject: f64,
    /// Below this: grey.
    pub grey: f64,
}

impl Limits {
    /// The limits when `tests` tests are made in one run.
    pub fn for_tests(tests: usize) -> Self {
        let k = (tests.max(1) as f64).ln();
        Self { reject: ALARM.ln() - k, grey: GREY.ln() - k }
    }

    /// What one p-value says.
    pub fn of(self, ln_p: f64) -> Verdict {
        // A p-value that is no number proves a broken test, never a good supply.
        if ln_p.is_nan() || ln_p < self.reject {
            Verdict::Reject
        } else if ln_p < self.grey {
            Verdict::Grey
        } else {
            Verdict::Pass
        }
    }
}

/// The least likely outcome of a run.
pub fn worst(outcomes: &[Outcome]) -> Option<&Outcome> {
    outcomes.iter().min_by(|a, b| a.ln_p().total_cmp(&b.ln_p()))
}

/// What all outcomes of one run say together.
pub fn of_run(outcomes: &[Outcome]) -> Verdict {
    let limits = Limits::for_tests(outcomes.len());
    if outcomes.iter().any(|outcome| limits.of(outcome.ln_p()) == Verdict::Reject) {
        return Verdict::Reject;
    }
    worst(outcomes).map_or(Verdict::Reject, |outcome| limits.of(outcome.ln_p()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nineteen_tests_reject_below_five_in_a_hundred_million() {
        let limits = Limits::for_tests(19);
        assert_eq!(limits.of(5.2e-8f64.ln()), Verdict::Reject);
        assert_eq!(limits.of(5.3e-8f64.ln()), Verdict::Grey);
        assert_eq!(limits.of(5.2e-5f64.ln()), Verdict::Grey);
        assert_eq!(limits.of(5.3e-5f64.ln()), Verdict::Pass);
    }

    #[test]
    fn broken_or_missing_results_never_pass() {
        assert_eq!(Limits::for_tests(1).of(f64::NAN), Verdict::Reject);
        assert_eq!(of_run(&[]), Verdict::Reject);
    }
}
