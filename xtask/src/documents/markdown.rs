//! As much of Markdown as the checks need: headings, links, code spans and fenced blocks.
//!
//! By hand, because line numbers are wanted and a parser of all of Markdown is not.

use std::path::{Path, PathBuf};

/// One document.
pub(super) struct Page {
    /// Its path from the root.
    pub file: PathBuf,
    lines: Vec<Line>,
}

struct Line {
    text: String,
    fenced: bool,
}

/// A piece of a page and the line it is in, from 1.
pub(super) struct Piece<'a> {
    pub line: usize,
    pub text: &'a str,
}

impl Page {
    pub(super) fn new(file: &Path, text: &str) -> Self {
        let mut fenced = false;
        let mut lines = Vec::new();
        for text in text.lines() {
            let fence = text.trim_start().starts_with("```");
            lines.push(Line { text: text.into(), fenced: fenced || fence });
            fenced ^= fence;
        }
        Self { file: file.into(), lines }
    }

    /// Where a piece is, to be read before what is wrong with it.
    pub(super) fn place(&self, line: usize) -> String {
        format!("{}:{line}", self.file.display())
    }

    fn pieces(&self, fenced: bool) -> impl Iterator<Item = Piece<'_>> {
        let numbered = self.lines.iter().enumerate();
        numbered
            .filter(move |(_, line)| line.fenced == fenced)
            .map(|(at, line)| Piece { line: at + 1, text: &line.text })
    }

    /// Lines of prose and tables.
    pub(super) fn prose(&self) -> impl Iterator<Item = Piece<'_>> {
        self.pieces(false)
    }

    /// Lines inside fenced blocks, the fences among them.
    pub(super) fn fenced(&self) -> impl Iterator<Item = Piece<'_>> {
        self.pieces(true)
    }

    /// What stands between single backticks.
    pub(super) fn code_spans(&self) -> Vec<Piece<'_>> {
        self.prose().flat_map(|Piece { line, text }| spans(line, text)).collect()
    }

    /// The targets of links and pictures.
    pub(super) fn links(&self) -> Vec<Piece<'_>> {
        let targets = |Piece { line, text }| {
            let after = text.split("](").skip(1);
            after.filter_map(move |rest: &str| Some(Piece { line, text: rest.split_once(')')?.0 }))
        };
        self.prose().flat_map(targets).collect()
    }

    /// The anchors that headings make, as GitHub writes them.
    pub(super) fn anchors(&self) -> Vec<String> {
        let mut anchors: Vec<String> = Vec::new();
        for piece in self.prose() {
            let Some(heading) = piece.text.strip_prefix('#') else { continue };
            let anchor = anchor(heading.trim_start_matches('#').trim());
            let twins = anchors.iter().filter(|other| **other == anchor).count();
            anchors.push(if twins == 0 { anchor } else { format!("{anchor}-{twins}") });
        }
        anchors
    }

    /// The cells of each row of a table, marks of emphasis and code left out.
    pub(super) fn rows(&self) -> Vec<(usize, Vec<String>)> {
        let cells = |text: &str| {
            let row = text.trim().strip_prefix('|')?.strip_suffix('|')?;
            let cell = |cell: &str| cell.replace(['`', '*'], "").trim().to_owned();
            Some(row.split('|').map(cell).collect())
        };
        self.prose().filter_map(|piece| Some((piece.line, cells(piece.text)?))).collect()
    }
}

/// The code spans of one line.
pub(super) fn spans(line: usize, text: &str) -> impl Iterator<Item = Piece<'_>> {
    let parts: Vec<&str> = text.split('`').collect();
    let closed = parts.len() - 1;
    parts
        .into_iter()
        .enumerate()
        .filter(move |(at, _)| at % 2 == 1 && *at < closed)
        .map(move |(_, text)| Piece { line, text })
}

fn anchor(heading: &str) -> String {
    // Of a link in a heading only the words count.
    let words = heading.replace("](", "\u{0}").split('\u{0}').fold(String::new(), |text, part| {
        let part = if text.is_empty() { part } else { part.split_once(')').map_or("", |p| p.1) };
        text + part
    });
    let kept = |letter: &char| letter.is_alphanumeric() || " -_".contains(*letter);
    words.to_lowercase().chars().filter(kept).collect::<String>().replace(' ', "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(text: &str) -> Page {
        Page::new(Path::new("docs/page.md"), text)
    }

    #[test]
    fn fences_part_code_from_prose() {
        let page = page("say `a b`\n```sh\nrun [x](y)\n```\nsee [c](d.md#e) and ![f](g.svg)");
        let texts = |pieces: Vec<Piece<'_>>| -> Vec<(usize, String)> {
            pieces.into_iter().map(|piece| (piece.line, piece.text.to_owned())).collect()
        };
        assert_eq!(texts(page.code_spans()), [(1, "a b".into())]);
        assert_eq!(texts(page.links()), [(5, "d.md#e".into()), (5, "g.svg".into())]);
        assert_eq!(page.fenced().count(), 3);
    }

    #[test]
    fn anchors_are_as_github_writes_them() {
        let page = page("# A peek, a `draw`\n## Giving a device its keys\n## A peek, a draw");
        let wanted = ["a-peek-a-draw", "giving-a-device-its-keys", "a-peek-a-draw-1"];
        assert_eq!(page.anchors(), wanted);
        assert_eq!(anchor("Will it? `cargo xtask faces`"), "will-it-cargo-xtask-faces");
        assert_eq!(anchor("See [the wire](protocol.md) now"), "see-the-wire-now");
    }

    #[test]
    fn rows_are_cells() {
        assert_eq!(page("| **a** | `b` |").rows(), [(1, vec!["a".to_owned(), "b".to_owned()])]);
    }
}
