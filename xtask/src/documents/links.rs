//! Links within the tree: the file is there, and so is the heading.

use std::path::Path;

use super::markdown::{Page, Piece};
use super::{Tree, plain};

/// Every link that leads nowhere.
pub(super) fn faults(tree: &Tree, pages: &[Page]) -> Vec<String> {
    let of = |page: &Page| -> Vec<String> {
        let links = page.links();
        let broken = links.iter().filter(|link| !leads_somewhere(tree, pages, page, link.text));
        broken.map(|Piece { line, text }| format!("{}: no '{text}'", page.place(*line))).collect()
    };
    pages.iter().flat_map(of).collect()
}

fn leads_somewhere(tree: &Tree, pages: &[Page], page: &Page, target: &str) -> bool {
    if target.contains("://") || target.starts_with("mailto:") {
        return true;
    }
    let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
    let folder = page.file.parent().unwrap_or(Path::new(""));
    let file = if file.is_empty() { page.file.clone() } else { plain(&folder.join(file)) };
    let has_anchor = || {
        let aim = pages.iter().find(|page| page.file == file);
        aim.is_some_and(|page| page.anchors().iter().any(|found| found == anchor))
    };
    tree.has(&file) && (anchor.is_empty() || has_anchor())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let tree = Tree::of(&["docs/a.md", "docs/b.md", "src/lib.rs"]);
        let a = Page::new(Path::new("docs/a.md"), text);
        faults(&tree, &[a, Page::new(Path::new("docs/b.md"), "# The wire")])
    }

    #[test]
    fn links_to_files_folders_and_headings_are_true() {
        let text = "# Here\n[1](b.md) [2](b.md#the-wire) [3](../src) [4](#here) [5](https://x.y)";
        assert!(found(text).is_empty());
    }

    #[test]
    fn a_missing_file_and_a_missing_heading_are_faults() {
        assert_eq!(found("[1](c.md)"), ["docs/a.md:1: no 'c.md'"]);
        assert_eq!(found("\n[2](b.md#the-bus)"), ["docs/a.md:2: no 'b.md#the-bus'"]);
        assert_eq!(found("[3](../lib.rs)").len(), 1);
    }
}
