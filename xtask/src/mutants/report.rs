//! What is said at the end: every slip with the test that noticed it, and the verdict.

use std::path::Path;

use anyhow::{Result, bail};

use super::rows::Mutant;
use super::run::Verdict;
use super::trial::Trial;

/// Of a hundred slips of the whole table so many must be noticed, with or without a reason.
const ENOUGH: usize = 95;

/// The outcome of all trials.
pub(super) struct Report<'a> {
    trials: Vec<Trial<'a>>,
    /// Whether every row was tried.
    whole: bool,
}

impl<'a> Report<'a> {
    /// Of these trials, of every row or of some.
    pub(super) fn of(trials: Vec<Trial<'a>>, whole: bool) -> Self {
        Self { trials, whole }
    }

    /// The trials.
    pub(super) fn trials(&self) -> &[Trial<'a>] {
        &self.trials
    }

    /// The table, by file, what was not noticed with its reason, and the rate.
    pub(super) fn print(&self) {
        let mut file = Path::new("");
        for Trial { mutant, verdict } in &self.trials {
            if mutant.file != file {
                file = &mutant.file;
                println!("\n{}", file.display());
            }
            println!(
                "  {:<6} {}\n         {}",
                mutant.requirement,
                mutant.name,
                outcome(mutant, verdict)
            );
        }
        println!();
        for Trial { mutant, .. } in self.unnoticed() {
            let why = mutant.survives.as_deref().unwrap_or("NO REASON");
            println!("not noticed: {}: {why}", mutant.name);
        }
        let noticed = self.noticed().count();
        let share = 100.0 * noticed as f64 / self.trials.len() as f64;
        println!("{noticed} of {} noticed, {share:.1} %", self.trials.len());
    }

    /// Fails if a row's outcome is not the one the row expects.
    pub(super) fn judge(&self) -> Result<()> {
        let unnoticed = self.unnoticed().filter(|trial| trial.mutant.survives.is_none());
        let unreached = self.trials.iter().filter(|trial| trial.verdict == Verdict::Unreached);
        let unreached = names(unreached.filter(|trial| trial.mutant.survives.is_some()));
        let excused = self.noticed().filter(|trial| trial.mutant.survives.is_some());
        let unnoticed = names(unnoticed);
        let excused = names(excused);
        if !unnoticed.is_empty() {
            bail!(
                "not noticed: {}; write a test for each, or say in its row why none can be",
                unnoticed
            );
        }
        if !unreached.is_empty() {
            bail!(
                "no test comes by: {unreached}; a row may only say why a test that comes by cannot notice"
            );
        }
        if !excused.is_empty() {
            bail!(
                "noticed, although the row says why it cannot be: {excused}; take `survives` out"
            );
        }
        let (noticed, all) = (self.noticed().count(), self.trials.len());
        if self.whole && noticed * 100 < all * ENOUGH {
            bail!("{noticed} of {all} were noticed, fewer than {ENOUGH} %, whatever the reasons");
        }
        Ok(())
    }

    fn unnoticed(&self) -> impl Iterator<Item = &Trial<'a>> {
        self.trials.iter().filter(|trial| !trial.verdict.is_noticed())
    }

    fn noticed(&self) -> impl Iterator<Item = &Trial<'a>> {
        self.trials.iter().filter(|trial| trial.verdict.is_noticed())
    }
}

fn names<'a>(trials: impl Iterator<Item = &'a Trial<'a>>) -> String {
    let names: Vec<String> = trials.map(|trial| format!("'{}'", trial.mutant.name)).collect();
    names.join(", ")
}

fn outcome(mutant: &Mutant, verdict: &Verdict) -> String {
    match (verdict, &mutant.survives) {
        (Verdict::Failed(test), _) => test.to_string(),
        (Verdict::Endless(test), _) => format!("{test} did not end"),
        (Verdict::Died(test), _) => format!("{test} killed its program"),
        (Verdict::Survived | Verdict::Unreached, Some(why)) => format!("not noticed: {why}"),
        (Verdict::Survived, None) => "NOT NOTICED".into(),
        (Verdict::Unreached, None) => "NOT NOTICED: no test comes by".into(),
    }
}

/// Shows rows without trying them.
pub(super) fn list(rows: &[&Mutant]) {
    let mut file = Path::new("");
    for row in rows {
        if row.file != file {
            file = &row.file;
            println!("\n{}", file.display());
        }
        let mark = if row.survives.is_some() { " (cannot be noticed)" } else { "" };
        println!("  {:<6} {}{mark}", row.requirement, row.name);
    }
    println!("\n{} rows", rows.len());
}

#[cfg(test)]
mod tests {
    use super::super::hints::Test;
    use super::super::rows::tests::row;
    use super::*;

    fn judged(survives: Option<&str>, verdict: Verdict) -> Option<String> {
        let mut mutant = row(1, "a", "b");
        mutant.survives = survives.map(String::from);
        let report = Report::of(vec![Trial { mutant: &mutant, verdict }], false);
        report.judge().err().map(|error| error.to_string())
    }

    #[test]
    fn a_row_must_end_as_it_says() {
        let failed = Verdict::Failed(Test::new("reader", "a"));
        assert_eq!(judged(None, failed.clone()), None);
        assert_eq!(judged(Some("it changes nothing"), Verdict::Survived), None);
        assert!(judged(None, Verdict::Survived).is_some_and(|why| why.contains("'slip 1'")));
        assert!(judged(None, Verdict::Unreached).is_some_and(|why| why.contains("'slip 1'")));
        let unreached = judged(Some("it changes nothing"), Verdict::Unreached);
        assert!(unreached.is_some_and(|why| why.starts_with("no test comes by: 'slip 1'")));
        assert!(judged(Some("it changes nothing"), failed).is_some_and(|why| why.contains("take")));
    }

    #[test]
    fn of_the_whole_table_95_of_100_must_be_noticed_whatever_the_reasons() {
        let mut excused = row(1, "a", "b");
        excused.survives = Some("it changes nothing".into());
        let good = row(2, "a", "b");
        let judged = |survivors: usize, whole| {
            let failed = || Verdict::Failed(Test::new("reader", "a"));
            let trial = |at| match at {
                at if at < survivors => Trial { mutant: &excused, verdict: Verdict::Survived },
                _ => Trial { mutant: &good, verdict: failed() },
            };
            Report::of((0..100).map(trial).collect(), whole).judge().map_err(|why| why.to_string())
        };
        assert_eq!(judged(5, true), Ok(()));
        assert!(judged(6, true).is_err_and(|why| why.contains("94 of 100")));
        assert_eq!(judged(6, false), Ok(()), "of some rows only");
    }
}
