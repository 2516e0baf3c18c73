//! Paths between backticks: a name that looks like a file of the tree is one.
//!
//! In documents and in comments of the source, because both send a reader there.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::Result;

use super::markdown::{Page, Piece, spans};
use super::{Tree, has_ending, is_history, plain};

/// Endings of files that are kept in the tree and not made by a run.
const ENDINGS: [&str; 8] = ["rs", "md", "toml", "py", "dsdl", "svg", "sh", "x"];

/// Every path that is not there.
pub(super) fn faults(tree: &Tree, pages: &[Page]) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for page in pages.iter().filter(|page| !is_history(page)) {
        for Piece { line, text } in page.code_spans() {
            if missing(tree, &page.file, text) {
                faults.push(format!("{}: no file '{text}'", page.place(line)));
            }
        }
    }
    for file in tree.files.iter().filter(|file| has_ending(file, &["rs", "dsdl", "toml"])) {
        let text = tree.read(file)?;
        faults.extend(in_comments(tree, file, &text));
    }
    Ok(faults)
}

fn in_comments(tree: &Tree, file: &Path, text: &str) -> Vec<String> {
    let comment = |line: &&str| line.trim_start().starts_with("//") || line.starts_with('#');
    let lines = text.lines().enumerate().filter(|(_, line)| comment(line));
    lines
        .flat_map(|(at, line)| spans(at + 1, line))
        // Sources of other crates are cited too: only what begins at our root is ours.
        .filter(|span| tree.has(Path::new(span.text.split_once('/').map_or("-", |at| at.0))))
        .filter(|span| missing(tree, file, span.text))
        .map(|Piece { line, text }| format!("{}:{line}: no file '{text}'", file.display()))
        .collect()
}

/// Whether `span`, found in `page`, looks like a path of the tree and is none.
fn missing(tree: &Tree, page: &Path, span: &str) -> bool {
    looks_like_a_path(tree, span) && !alternatives(span).iter().all(|path| there(tree, page, path))
}

fn looks_like_a_path(tree: &Tree, span: &str) -> bool {
    let letters = |letter: char| letter.is_ascii_alphanumeric() || "_-./{},*".contains(letter);
    if !span.chars().all(letters)
        || span.contains("..")
        || span.starts_with(['/', '-', '.', '*', '#'])
    {
        return false;
    }
    let first = span.split('/').next().unwrap_or_default();
    let in_tree = span.contains('/') && tree.has(Path::new(first));
    let named = span.split('/').next_back().is_some_and(|name| {
        name.len() > 3 && !name.starts_with('.') && has_ending(Path::new(name), &ENDINGS)
    });
    first != "target" && (in_tree || named)
}

/// `a/{b,c}` is `a/b` and `a/c`.
fn alternatives(span: &str) -> Vec<String> {
    let Some((head, rest)) = span.split_once('{') else { return vec![span.into()] };
    let Some((inner, tail)) = rest.split_once('}') else { return vec![span.into()] };
    inner.split(',').flat_map(|word| alternatives(&format!("{head}{word}{tail}"))).collect()
}

/// A name alone may be anywhere: `size.rs` says enough. A path with folders is whole: from the
/// root, or from a folder that the page is in.
fn there(tree: &Tree, page: &Path, path: &str) -> bool {
    let path = path.trim_end_matches('/');
    if !path.contains('/') {
        let below = |file: &PathBuf| file.iter().any(|part| is_like(&part.to_string_lossy(), path));
        return tree.files.iter().any(below);
    }
    page.ancestors().skip(1).map(|folder| plain(&folder.join(path))).any(|place| {
        tree.files.iter().any(|file| {
            let mut found = file.iter().map(|part| part.to_string_lossy());
            let like = |part: &OsStr| found.next().is_some_and(|found| like_part(&found, part));
            place.iter().all(like)
        })
    })
}

fn like_part(found: &str, pattern: &OsStr) -> bool {
    is_like(found, &pattern.to_string_lossy())
}

/// Whether `found` is `pattern`, where one `*` is any letters.
fn is_like(found: &str, pattern: &str) -> bool {
    match pattern.split_once('*') {
        Some((head, tail)) => {
            found.len() >= head.len() + tail.len()
                && found.starts_with(head)
                && found.ends_with(tail)
        }
        None => found == pattern,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> bool {
        let files = ["src/reader/run.rs", "tests/random_starts.rs", "hil-tests/rigs/qemu.toml"];
        missing(&Tree::of(&files), Path::new("hil-tests/README.md"), text)
    }

    #[test]
    fn a_path_of_the_tree_is_there() {
        for path in ["src/reader", "src/reader/run.rs", "run.rs", "rigs/qemu.toml"] {
            assert!(!found(path), "{path}");
        }
        assert!(!found("tests/random_*.rs") && !found("src/{reader}"));
    }

    #[test]
    fn a_path_that_is_not_there_is_a_fault() {
        for path in ["src/reader/ran.rs", "ran.rs", "src/shuffler", "tests/wire_*.rs"] {
            assert!(found(path), "{path}");
        }
        // The end of a path is not the path.
        for path in ["reader/run.rs", "reader/r*.rs", "hil-tests/README.md/src"] {
            assert!(found(path), "{path}");
        }
        assert!(found("src/{reader,shuffler}"));
    }

    #[test]
    fn what_is_no_path_is_left_alone() {
        for word in ["cargo xtask test", "target/x.rs", "boards/<name>", "A/B", "log.txt", "x.y"] {
            assert!(!found(word), "{word}");
        }
    }

    #[test]
    fn comments_of_the_source_are_read_too() {
        let tree = Tree::of(&["docs/a.md"]);
        let text = "//! See `docs/a.md`.\n/// And `docs/b.md`.\nlet c = \"`docs/c.md`\";";
        let faults = in_comments(&tree, Path::new("src/lib.rs"), text);
        assert_eq!(faults, ["src/lib.rs:2: no file 'docs/b.md'"]);
    }
}
