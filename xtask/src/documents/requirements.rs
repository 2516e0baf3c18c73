//! Ids of requirements: each that is cited has its line under `docs/requirements`.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;

use super::{Tree, has_ending};

/// Where the ids have their lines.
const HOME: &str = "docs/requirements";
const FAMILIES: [&str; 5] = ["RD", "SH", "PG", "CM", "WG"];

/// Every id without a line, at the first place that cites it, and every id with two.
pub(super) fn faults(tree: &Tree) -> Result<Vec<String>> {
    let mut homes = Vec::new();
    let mut cited = BTreeMap::new();
    let written = ["rs", "md", "dsdl", "toml", "py", "svg"];
    for file in tree.files.iter().filter(|file| has_ending(file, &written)) {
        let text = tree.read(file)?;
        if file.starts_with(HOME) {
            homes.extend(text.lines().filter_map(home));
        }
        cite(file, &text, &mut cited);
    }
    Ok(compare(&homes, &cited))
}

fn compare(homes: &[String], cited: &BTreeMap<String, String>) -> Vec<String> {
    let homeless = cited
        .iter()
        .filter(|(id, _)| !homes.contains(id))
        .map(|(id, place)| format!("{place}: {id} has no line under {HOME}"));
    let twice = |id: &&String| homes.iter().filter(|home| home == id).count() > 1;
    let doubled = homes.iter().filter(twice).map(|id| format!("{HOME}: {id} has two lines"));
    homeless.chain(doubled).collect()
}

/// The id whose line this is: `| RD-01 | ...`.
fn home(line: &str) -> Option<String> {
    let cell = line.strip_prefix("| ")?.split(" |").next()?;
    is_id(cell).then(|| cell.to_owned())
}

/// Notes the first place of each id.
fn cite(file: &Path, text: &str, cited: &mut BTreeMap<String, String>) {
    for (at, line) in text.lines().enumerate() {
        for word in line.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-') {
            if is_id(word) {
                let place = || format!("{}:{}", file.display(), at + 1);
                cited.entry(word.to_owned()).or_insert_with(place);
            }
        }
    }
}

fn is_id(word: &str) -> bool {
    word.split_once('-').is_some_and(|(family, number)| {
        let digits = number.bytes().all(|digit| digit.is_ascii_digit());
        FAMILIES.contains(&family) && number.len() == 2 && digits
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_without_a_line_is_named_with_its_first_place() {
        let unknown = format!("SH-{}", 98);
        let text = format!("\n// See (RD-01, {unknown}); not XRD-01, A-01, RD-1.");
        let mut cited = BTreeMap::new();
        cite(Path::new("src/a.rs"), &text, &mut cited);
        cite(Path::new("src/b.rs"), &unknown, &mut cited);
        let homes = ["| RD-01 | What. |", "| id |"].into_iter().filter_map(home);
        let found = compare(&homes.collect::<Vec<_>>(), &cited);
        assert_eq!(found, [format!("src/a.rs:2: {unknown} has no line under {HOME}")]);
    }

    #[test]
    fn an_id_has_one_line() {
        let homes = ["RD-01".to_owned(), "RD-01".to_owned()];
        assert_eq!(compare(&homes, &BTreeMap::new()).len(), 2);
    }
}
