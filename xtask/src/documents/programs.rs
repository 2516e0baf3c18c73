//! Test programs: the page that says where a test goes has a row for each, and for no other.
//!
//! A table of programs has `program in <folders>` as the title of its second column.

use std::path::{Path, PathBuf};

use super::Tree;
use super::markdown::Page;

const PAGE: &str = "docs/contributing.md";
const TITLE: &str = "program in ";
/// A row of tests that are no program of their own.
const BESIDE: &str = "beside the code";

/// A row: its line, the folders of its table, and the programs that it names.
struct Row {
    line: usize,
    folders: Vec<PathBuf>,
    names: Vec<String>,
}

/// Every program without a row, and every row without its program.
pub(super) fn faults(tree: &Tree, pages: &[Page]) -> Vec<String> {
    let Some(page) = pages.iter().find(|page| page.file == Path::new(PAGE)) else {
        return vec![format!("{PAGE}: there is none")];
    };
    let (programs, rows) = (programs(tree), rows(page));
    let lacking = programs.iter().filter(|(place, name)| {
        !rows.iter().any(|row| row.is_for(place) && row.names.iter().any(|known| known == name))
    });
    let mut faults: Vec<String> = lacking
        .map(|(place, name)| format!("{PAGE}: no row for the test program '{name}' of {place:?}"))
        .collect();
    for row in &rows {
        let is_there =
            |name: &str| programs.iter().any(|(place, known)| known == name && row.is_for(place));
        let strays = row.names.iter().filter(|name| !is_there(name));
        faults.extend(
            strays.map(|name| format!("{}: no test program '{name}'", page.place(row.line))),
        );
    }
    faults
}

impl Row {
    fn is_for(&self, place: &Path) -> bool {
        self.folders.iter().any(|folder| place.starts_with(folder))
    }
}

/// Programs of tests as cargo finds them, with the folder that they are in.
fn programs(tree: &Tree) -> Vec<(PathBuf, String)> {
    let program = |file: &PathBuf| {
        let parts: Vec<&str> = file.iter().filter_map(|part| part.to_str()).collect();
        let (folders, name) = match parts.as_slice() {
            [folders @ .., "tests", name, "main.rs"] => (folders, *name),
            [folders @ .., "tests", name] => (folders, name.strip_suffix(".rs")?),
            _ => return None,
        };
        let place: PathBuf = folders.iter().chain(&["tests"]).collect();
        (!folders.contains(&"src")).then(|| (place, name.to_owned()))
    };
    tree.files.iter().filter_map(program).collect()
}

fn rows(page: &Page) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut folders: Option<Vec<PathBuf>> = None;
    let mut last = 0;
    for (line, cells) in page.rows() {
        if line != last + 1 {
            folders = None;
        }
        last = line;
        let cell = cells.get(1).map_or("", String::as_str);
        if let Some(places) = cell.strip_prefix(TITLE) {
            folders = Some(places.split(", ").map(PathBuf::from).collect());
        } else if let Some(folders) = &folders
            && !cell.starts_with("---")
            && !cell.starts_with(BESIDE)
        {
            let names = cell.split(", ").map(str::to_owned).collect();
            rows.push(Row { line, folders: folders.clone(), names });
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLES: &str = "| subject | program in `tests` | with |\n|---|---|---|\n\
        | a | `a`, `b` | x |\n| c | beside the code | y |\n\nText.\n\n| other | d |\n|---|---|\n\
        | any | `z` |\n\n| tools | program in `tools`, `xtask` |\n|---|---|\n| t | `t` |\n";

    fn found(files: &[&str]) -> Vec<String> {
        faults(&Tree::of(files), &[Page::new(Path::new(PAGE), TABLES)])
    }

    #[test]
    fn each_program_has_its_row_in_the_table_of_its_folder() {
        let files = ["tests/a/main.rs", "tests/a/more.rs", "tests/b.rs", "tools/x/tests/t.rs"];
        assert!(found(&files).is_empty());
        assert!(
            found(&[&files[..], &["src/profile/tests/c.rs", "tests/c/d.rs"]].concat()).is_empty()
        );
        assert_eq!(found(&[&files[..], &["tests/t.rs"]].concat()).len(), 1, "another table's");
        assert_eq!(found(&[&files[..], &["tests/c/main.rs"]].concat()).len(), 1);
    }

    #[test]
    fn a_row_without_its_program_is_a_fault() {
        let faults = found(&["tests/a/main.rs", "xtask/tests/t.rs"]);
        assert_eq!(faults, ["docs/contributing.md:3: no test program 'b'"]);
    }
}
