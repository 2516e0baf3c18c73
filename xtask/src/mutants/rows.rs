//! The table: one row for each slip, and where in the source it goes.

use std::collections::BTreeSet;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use serde::Deserialize;

/// Where the rows are kept, from the root.
pub(super) const FOLDER: &str = "tests/mutants";

/// One slip.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Mutant {
    /// What is wrong, in words.
    pub name: String,
    /// The requirement that is broken.
    pub requirement: String,
    /// The file, from the root.
    pub file: PathBuf,
    /// If `from` is in the file more than once: a text before it that is there once.
    pub after: Option<String>,
    /// The text as it is: an expression, or whole statements.
    pub from: String,
    /// The text as it should not be.
    pub to: String,
    /// Why no test can notice.
    pub survives: Option<String>,
    /// Its place in the table, from 1: the switch.
    #[serde(skip)]
    pub number: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Page {
    mutant: Vec<Mutant>,
}

impl Mutant {
    /// Whether its name or file has these words.
    pub(super) fn has(&self, text: &str) -> bool {
        self.name.contains(text) || self.file.to_string_lossy().contains(text)
    }

    /// The bytes of the file that are replaced.
    pub(super) fn place(&self, source: &str) -> Result<Range<usize>> {
        let from = self.from.trim();
        let start = match &self.after {
            Some(after) => self.only_one(source, after.trim(), "after")? + after.trim().len(),
            None => self.only_one(source, from, "from")?,
        };
        let rest = &source[start..];
        let at = rest.find(from).ok_or_else(|| self.fault("`from` is not behind `after`"))?;
        Ok(start + at..start + at + from.len())
    }

    fn only_one(&self, source: &str, text: &str, what: &str) -> Result<usize> {
        let mut found = source.match_indices(text).map(|(at, _)| at);
        match (found.next(), found.count()) {
            (Some(at), 0) => Ok(at),
            (Some(_), more) => Err(self.fault(&format!("`{what}` is there {} times", more + 1))),
            (None, _) => Err(self.fault(&format!("`{what}` is not there"))),
        }
    }

    /// One sentence about what is wrong with this row.
    pub(super) fn fault(&self, why: &str) -> anyhow::Error {
        anyhow!("row '{}': {}: {why}", self.name, self.file.display())
    }
}

/// Every row, in the order of the files.
pub(super) fn read(root: &Path) -> Result<Vec<Mutant>> {
    let folder = root.join(FOLDER);
    let entries =
        fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "toml"));
    files.sort();
    let mut rows = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file)?;
        let page: Page =
            toml::from_str(&text).with_context(|| format!("cannot read {}", file.display()))?;
        rows.extend(page.mutant);
    }
    let mut names = BTreeSet::new();
    for (at, row) in rows.iter_mut().enumerate() {
        row.number = at + 1;
        if !names.insert(row.name.clone()) {
            bail!("two rows are named '{}'", row.name);
        }
    }
    Ok(rows)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A row that turns one text into another.
    pub(crate) fn row(number: usize, from: &str, to: &str) -> Mutant {
        Mutant {
            name: format!("slip {number}"),
            requirement: "CM-01".into(),
            file: "src/a.rs".into(),
            after: None,
            from: from.into(),
            to: to.into(),
            survives: None,
            number,
        }
    }

    /// So that the table keeps up with the source: cheap, and in every run of the tests.
    #[test]
    fn every_row_has_its_place_in_the_source() {
        let root = crate::workspace::root();
        let faults: Vec<String> = read(root)
            .unwrap()
            .iter()
            .filter_map(|row| {
                let source = fs::read_to_string(root.join(&row.file))
                    .map_err(|error| row.fault(&error.to_string()));
                source.and_then(|source| row.place(&source)).err()
            })
            .map(|fault| fault.to_string())
            .collect();
        assert!(faults.is_empty(), "mend {FOLDER}:\n{}", faults.join("\n"));
    }

    #[test]
    fn a_text_that_is_there_twice_needs_another_before_it() {
        let source = "fn a() { x } fn b() { x }";
        let mut row = row(1, "x", "y");
        let why = row.place(source).unwrap_err().to_string();
        assert_eq!(why, "row 'slip 1': src/a.rs: `from` is there 2 times");
        row.after = Some("fn b".into());
        assert_eq!(row.place(source).unwrap(), 22..23);
        row.after = Some("fn c".into());
        assert!(row.place(source).unwrap_err().to_string().ends_with("`after` is not there"));
    }
}
