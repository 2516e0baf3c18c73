//! What documents say, held against the tree.
//!
//! A sentence can only be read; a link, a path, a command, an id and a table of devices can be
//! checked. So they are, in every Markdown file, at every run of the house rules.

mod commands;
mod devices;
mod figures;
mod links;
mod markdown;
mod paths;
mod programs;
mod requirements;
mod variables;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::budget::Budget;
use crate::workspace::Workspace;
use markdown::Page;

/// Folders that hold no source.
const LEFT_OUT: [&str; 3] = ["target", "corpus", "node_modules"];

/// All files of the tree, as paths from its root.
struct Tree {
    root: PathBuf,
    files: Vec<PathBuf>,
}

impl Tree {
    fn open(root: &Path) -> Result<Self> {
        let mut files = Vec::new();
        walk(root, root, &mut files)?;
        files.sort();
        Ok(Self { root: root.into(), files })
    }

    /// The text of a file, by its path from the root.
    fn read(&self, file: &Path) -> Result<String> {
        fs::read_to_string(self.root.join(file))
            .with_context(|| format!("cannot read {}", file.display()))
    }

    /// Every Markdown file.
    fn pages(&self) -> Result<Vec<Page>> {
        let pages = self.files.iter().filter(|file| has_ending(file, &["md"]));
        pages.map(|file| Ok(Page::new(file, &self.read(file)?))).collect()
    }

    /// Whether a file or folder is there. Nothing outside the tree is.
    fn has(&self, path: &Path) -> bool {
        path.as_os_str().is_empty() || self.files.iter().any(|file| file.starts_with(path))
    }
}

/// Whether a file's name has one of these endings.
fn has_ending(file: &Path, endings: &[&str]) -> bool {
    file.extension().is_some_and(|found| endings.iter().any(|ending| found == *ending))
}

/// Whether a page tells what was, and so may name what is gone.
fn is_history(page: &Page) -> bool {
    page.file.ends_with("CHANGELOG.md") || page.file.starts_with("docs/changes")
}

/// A path without `.` and `..`, as text alone: `docs/../src` is `src`.
fn plain(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut plain, part| {
        match part.as_os_str().to_str() {
            Some("..") => _ = plain.pop(),
            Some(".") => {}
            _ => plain.push(part),
        }
        plain
    })
}

fn walk(root: &Path, folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let entries =
        fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    for path in entries.flatten().map(|entry| entry.path()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let hidden = name.starts_with('.') && ![".ci", ".cargo", ".github"].contains(&&*name);
        if path.is_dir() && !hidden && !LEFT_OUT.contains(&&*name) {
            walk(root, &path, files)?;
        } else if path.is_file() {
            files.push(path.strip_prefix(root)?.into());
        }
    }
    Ok(())
}

/// Checks every document; fails with all faults at once.
pub(crate) fn check(workspace: &Workspace) -> Result<()> {
    let tree = Tree::open(&workspace.root)?;
    let pages = tree.pages()?;
    let mut faults = links::faults(&tree, &pages);
    faults.extend(paths::faults(&tree, &pages)?);
    faults.extend(commands::faults(&tree, &pages)?);
    faults.extend(programs::faults(&tree, &pages));
    faults.extend(requirements::faults(&tree)?);
    faults.extend(figures::faults(&tree, &pages)?);
    faults.extend(variables::faults(&tree, &pages)?);
    let budget = Budget::read(&workspace.root)?;
    faults.extend(devices::faults(&pages, &workspace.boards, &budget));
    if faults.is_empty() {
        return Ok(());
    }
    faults.iter().for_each(|fault| eprintln!("{fault}"));
    let lines = if faults.len() == 1 { "line is" } else { "lines are" };
    bail!("{} {lines} not true", faults.len())
}

#[cfg(test)]
impl Tree {
    /// A tree of empty files that is on no disk.
    fn of(files: &[&str]) -> Self {
        Self { root: PathBuf::new(), files: files.iter().map(PathBuf::from).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_has_its_files_and_their_folders_and_nothing_else() {
        let tree = Tree::of(&["src/reader/mod.rs"]);
        let has = |path: &str| tree.has(Path::new(path));
        assert!(has("src/reader/mod.rs") && has("src/reader") && has("src"));
        assert!(!has("src/read") && !has("src/shuffler"));
    }

    #[test]
    fn dots_go_out_of_a_path() {
        assert_eq!(plain(Path::new("docs/../src/./lib.rs")), Path::new("src/lib.rs"));
    }
}
