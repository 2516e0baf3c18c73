//! Which test noticed a slip the last time: asked first, it saves minutes.
//!
//! A hint is no verdict. The test is run again, and if it passes now, so are all others.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::rows::Mutant;
use super::run::Verdict;
use super::trial::Trial;
use crate::workspace::Workspace;

/// Where they are kept, from the root.
const FILE: &str = "target/mutants/noticed.json";

/// A test of a program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Test {
    /// The program.
    pub program: String,
    /// The test's path in it.
    pub test: String,
}

impl Test {
    /// This test of this program.
    pub(super) fn new(program: &str, test: &str) -> Self {
        Self { program: program.into(), test: test.into() }
    }
}

impl fmt::Display for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.program, self.test)
    }
}

/// A test for each slip, by the slip's name.
#[derive(Debug, Default)]
pub(super) struct Hints(BTreeMap<String, Test>);

impl Hints {
    /// Those of earlier runs, if there were any.
    pub(super) fn read(workspace: &Workspace) -> Self {
        let text = fs::read_to_string(workspace.root.join(FILE)).unwrap_or_default();
        Self(serde_json::from_str(&text).unwrap_or_default())
    }

    /// The test to ask first.
    pub(super) fn of(&self, mutant: &Mutant) -> Option<&Test> {
        self.0.get(&mutant.name)
    }

    /// Takes up what these trials have shown.
    pub(super) fn learn(&mut self, trials: &[Trial<'_>]) {
        for Trial { mutant, verdict } in trials {
            match verdict {
                Verdict::Failed(test) => self.0.insert(mutant.name.clone(), test.clone()),
                _ => self.0.remove(&mutant.name),
            };
        }
    }

    /// Keeps them for the next run.
    pub(super) fn keep(&self, workspace: &Workspace) -> Result<()> {
        let text = serde_json::to_string_pretty(&self.0)?;
        fs::write(workspace.root.join(FILE), text).with_context(|| format!("cannot write {FILE}"))
    }
}

#[cfg(test)]
mod tests {
    use super::super::rows::tests::row;
    use super::*;

    #[test]
    fn a_slip_that_is_noticed_no_more_has_no_hint() {
        let (mutant, test) = (row(1, "a", "b"), Test::new("reader", "storm::x"));
        let mut hints = Hints::default();
        hints.learn(&[Trial { mutant: &mutant, verdict: Verdict::Failed(test.clone()) }]);
        assert_eq!(hints.of(&mutant), Some(&test));
        hints.learn(&[Trial { mutant: &mutant, verdict: Verdict::Survived }]);
        assert_eq!(hints.of(&mutant), None);
    }
}
