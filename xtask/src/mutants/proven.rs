//! The test programs as they are: they pass, their tests take so long and come by these slips.
//!
//! A test that never comes by a slip cannot notice it. So each slip is tried on a few tests and not
//! on all, and a slip that no test comes by is known at once.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};

use super::copy::Program;
use super::run::Run;

/// Tests that take longer are asked last.
const SLOW: Duration = Duration::from_millis(300);

/// A test may take this many times what it takes without a slip, and this much more.
const SLOWER: u32 = 20;
const LONGER: Duration = Duration::from_secs(15);

/// A program that passes.
pub(super) struct Proven {
    /// The program.
    pub program: Program,
    /// How long each of its tests takes.
    times: BTreeMap<String, Duration>,
    /// Which of them come by each slip.
    comers: BTreeMap<usize, BTreeSet<String>>,
}

impl Proven {
    /// Runs a program twice as it is: for its times, and for what its tests come by.
    pub(super) fn of(root: &Path, program: Program) -> Result<Self> {
        let mut run = Run::alone(root, &program)?;
        run.must_pass("one by one")?;
        let notes = root.with_file_name(format!("{}.notes", program.name));
        fs::write(&notes, "").with_context(|| format!("cannot write {}", notes.display()))?;
        let mut noting = Run::noting(root, &program, &notes)?;
        noting.must_pass("side by side")?;
        let notes = fs::read_to_string(&notes)?;
        let comers = comers(&notes, &run.times.keys().cloned().collect());
        Ok(Self { program, times: run.times, comers })
    }

    /// How long all its tests take.
    pub(super) fn time(&self) -> Duration {
        self.times.values().sum()
    }

    /// How long this test may take.
    pub(super) fn patience(&self, test: &str) -> Duration {
        self.times.get(test).copied().unwrap_or_default() * SLOWER + LONGER
    }

    /// The tests that come by this slip: quick ones, then slow ones.
    pub(super) fn comers(&self, mutant: usize) -> [Vec<String>; 2] {
        let all = self.comers.get(&mutant).into_iter().flatten();
        let is_slow = |test: &&String| self.times.get(*test).is_some_and(|time| *time > SLOW);
        let (slow, quick) = all.partition::<Vec<_>, _>(is_slow);
        [quick, slow].map(|tests| tests.into_iter().cloned().collect())
    }
}

/// Reads lines of a slip's number and a thread's name. A thread that is no test's may belong to
/// any of them.
fn comers(notes: &str, tests: &BTreeSet<String>) -> BTreeMap<usize, BTreeSet<String>> {
    let mut comers: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
    let lines = notes.lines().filter_map(|line| line.split_once(' '));
    for (number, thread) in lines.filter_map(|(number, name)| Some((number.parse().ok()?, name))) {
        let known = comers.entry(number).or_default();
        match tests.get(thread) {
            Some(test) => _ = known.insert(test.clone()),
            None => known.extend(tests.iter().cloned()),
        }
    }
    comers
}

#[cfg(test)]
impl Proven {
    /// A program of this name whose one test comes by slip 1.
    pub(super) fn named(name: &str) -> Self {
        let test = BTreeSet::from(["a".to_owned()]);
        Self {
            program: Program { name: name.into(), file: name.into() },
            times: BTreeMap::new(),
            comers: BTreeMap::from([(1, test)]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_without_a_test_may_belong_to_any() {
        let tests = BTreeSet::from(["a".to_owned(), "b".to_owned()]);
        let comers = comers("1 a\n2 b\n2 ?\n", &tests);
        assert_eq!(comers[&1], BTreeSet::from(["a".to_owned()]));
        assert_eq!(comers[&2], tests);
        assert!(!comers.contains_key(&3));
    }
}
