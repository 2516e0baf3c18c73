//! Variables of the environment: each that a document names is read somewhere.

use std::collections::BTreeSet;

use anyhow::Result;

use super::markdown::{Page, Piece};
use super::{Tree, has_ending};

const OURS: &str = "CROUPIER_";

/// Every variable that no program reads.
pub(super) fn faults(tree: &Tree, pages: &[Page]) -> Result<Vec<String>> {
    let mut read = BTreeSet::new();
    for file in tree.files.iter().filter(|file| has_ending(file, &["rs", "py", "sh"])) {
        // What is checked here is no proof of itself.
        if !file.starts_with("xtask/src/documents") {
            read.extend(names(&tree.read(file)?).map(str::to_owned));
        }
    }
    Ok(compare(&read, pages))
}

fn compare(read: &BTreeSet<String>, pages: &[Page]) -> Vec<String> {
    let of = |page: &Page| -> Vec<String> {
        let pieces = page.prose().chain(page.fenced());
        let named =
            pieces.flat_map(|Piece { line, text }| names(text).map(move |name| (line, name)));
        let unread = named.filter(|(_, name)| !read.contains(*name));
        unread.map(|(line, name)| format!("{}: nothing reads {name}", page.place(line))).collect()
    };
    pages.iter().flat_map(of).collect()
}

/// The names of our variables in a text.
fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
        .filter(|word| word.len() > OURS.len() && word.starts_with(OURS))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn a_variable_that_nothing_reads_is_a_fault() {
        let read = names("var(\"CROUPIER_KEEP\")").map(str::to_owned).collect();
        let page = Page::new(Path::new("a.md"), "`CROUPIER_KEEP`\n```sh\nCROUPIER_KEPT=1 x\n```");
        assert_eq!(compare(&read, &[page]), ["a.md:3: nothing reads CROUPIER_KEPT"]);
    }
}
