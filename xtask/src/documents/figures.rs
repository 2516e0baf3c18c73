//! Figures that were measured: a line that quotes one carries the name of its row.
//!
//! `cargo xtask measure --json docs/figures.json` writes the rows. A mark such as
//! `<!-- measured: a row's name -->` is not seen on the page; the line must then hold that row's
//! value, rounded as the text rounds it. `measured peer:` is what the row is compared with, and
//! `measured ratio:` the value over the peer's.

use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;

use super::Tree;
use super::markdown::{Page, Piece};

const FILE: &str = "docs/figures.json";
/// A mark's beginning, and which figure of the row it means.
const MARKS: [(&str, Figure); 3] = [
    ("<!-- measured: ", |row| Some(row.value)),
    ("<!-- measured peer: ", |row| Some(row.peer.as_ref()?.value)),
    ("<!-- measured ratio: ", |row| Some(row.peer.as_ref()?.ratio)),
];

type Figure = fn(&Row) -> Option<f64>;

#[derive(Deserialize)]
struct Row {
    name: String,
    value: f64,
    peer: Option<Peer>,
}

#[derive(Deserialize)]
struct Peer {
    value: f64,
    ratio: f64,
}

/// Every marked line that does not quote its figure.
pub(super) fn faults(tree: &Tree, pages: &[Page]) -> Result<Vec<String>> {
    let text = tree.read(Path::new(FILE))?;
    let rows: Vec<Row> =
        serde_json::from_str(&text).with_context(|| format!("{FILE} is not as expected"))?;
    Ok(compare(&rows, pages))
}

fn compare(rows: &[Row], pages: &[Page]) -> Vec<String> {
    let of = |page: &Page| -> Vec<String> {
        let faults = page.prose().flat_map(|Piece { line, text }| {
            let faults = marks(text).filter_map(|(name, figure)| fault(rows, name, figure, text));
            faults.map(move |why| (line, why)).collect::<Vec<_>>()
        });
        faults.map(|(line, why)| format!("{}: {why}", page.place(line))).collect()
    };
    pages.iter().flat_map(of).collect()
}

fn fault(rows: &[Row], name: &str, figure: Figure, text: &str) -> Option<String> {
    let Some(value) = rows.iter().find(|row| row.name == name).and_then(figure) else {
        return Some(format!("nothing measures '{name}'"));
    };
    let quoted = quoted(text).iter().any(|(figure, scale)| {
        let decimals = figure.split_once('.').map_or(0, |(_, digits)| digits.len());
        format!("{:.decimals$}", value / scale) == *figure
    });
    (!quoted).then(|| format!("'{name}' was measured as {value}"))
}

/// The names that a line's marks have, and which figure each means.
fn marks(text: &str) -> impl Iterator<Item = (&str, Figure)> {
    MARKS.into_iter().flat_map(move |(mark, figure)| {
        let names = text.split(mark).skip(1).filter_map(|rest| Some(rest.split_once(" -->")?.0));
        names.map(move |name| (name, figure))
    })
}

/// The numbers of a line without their commas, each with what it is counted in.
fn quoted(text: &str) -> Vec<(String, f64)> {
    let seen: String =
        text.split("<!--").map(|part| part.rsplit("-->").next().unwrap_or("")).collect();
    let words = seen.split([' ', '(', ')', '|', '*']);
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let number = |(at, word): (usize, &&str)| {
        let digits = word.trim_end_matches([',', '.', ':', ';']).replace(',', "");
        let scale = if words.get(at + 1).is_some_and(|next| next.starts_with("million")) {
            1e6
        } else {
            1.0
        };
        digits.parse::<f64>().is_ok().then_some((digits, scale))
    };
    words.iter().enumerate().filter_map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let peer = Some(Peer { value: 14.72, ratio: 1.357 });
        let row = |name: &str, value| Row { name: name.into(), value, peer: None };
        let rows = [row("a read", 1_643_931.0), Row { peer, ..row("a shuffle", 19.97) }];
        compare(&rows, &[Page::new(Path::new("a.md"), text)])
    }

    #[test]
    fn a_figure_is_rounded_as_the_text_rounds_it() {
        for text in [
            "1,643,931 instructions. <!-- measured: a read -->",
            "takes 1.64 million instructions, <!-- measured: a read --> always",
            "| 52 | **20.0** (1.34) | <!-- measured: a shuffle -->",
            "| 14.7 | 1.36 | <!-- measured peer: a shuffle --> <!-- measured ratio: a shuffle -->",
            "no mark, any number: 7",
        ] {
            assert!(found(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn another_figure_and_an_unknown_row_are_faults() {
        let old = found("takes 1.65 million <!-- measured: a read -->");
        assert_eq!(old, ["a.md:1: 'a read' was measured as 1643931"]);
        assert_eq!(found("5 <!-- measured: a card -->"), ["a.md:1: nothing measures 'a card'"]);
        let old = found("1.34 <!-- measured ratio: a shuffle -->");
        assert_eq!(old, ["a.md:1: 'a shuffle' was measured as 1.357"]);
        assert_eq!(found("5 <!-- measured peer: a read -->").len(), 1, "it has no peer");
    }
}
