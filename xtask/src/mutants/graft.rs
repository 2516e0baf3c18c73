//! Rows into source: every place becomes a choice between the text that is and the slip.
//!
//! ```text
//! self.certain = false;  ->  if crate::mutants::is_on(7) { } else { self.certain = false; }
//! ```
//!
//! A constant function cannot read a switch, so one with a slip in it loses its `const`. If it is
//! needed in a constant, the build says so and shows the row's name.

use std::ops::Range;

use anyhow::Result;

use super::rows::Mutant;

/// The variable that throws a switch: the number of a row.
pub const VARIABLE: &str = "CROUPIER_MUTANT";

/// The file that is added to the rules.
pub const SWITCHES: &str = r#"//! Which slip is on.
extern crate std;

/// Whether the row with this number is the one that is tried.
pub(crate) fn is_on(number: usize) -> bool {
    static ON: std::sync::OnceLock<usize> = std::sync::OnceLock::new();
    let read = || std::env::var("CROUPIER_MUTANT").ok()?.parse().ok();
    *ON.get_or_init(|| read().unwrap_or(0)) == number
}
"#;

/// The source with all its rows behind switches.
pub fn graft(source: &str, rows: &[&Mutant]) -> Result<String> {
    let mut places = Vec::new();
    for row in rows {
        places.push((row.place(source)?, *row));
    }
    // The outer of two comes first, and of two in one place the earlier row.
    places.sort_by_key(|(place, row)| (place.start, usize::MAX - place.end, row.number));
    for pair in places.windows(2) {
        let [(outer, _), (inner, row)] = pair else { continue };
        if inner.start < outer.end && inner.end > outer.end {
            return Err(row.fault("its text and that of another row overlap"));
        }
    }
    let mut text = render(source, 0..source.len(), &places);
    for line in places.iter().filter_map(|(place, _)| constant(source, place.start)) {
        text = text.replacen(line, &line.replacen("const fn", "fn", 1), 1);
    }
    Ok(text)
}

/// A stretch of the source with the places inside it grafted.
fn render(source: &str, stretch: Range<usize>, places: &[(Range<usize>, &Mutant)]) -> String {
    let mut text = String::new();
    let mut at = stretch.start;
    let mut rest = places;
    while let Some(((place, row), behind)) = rest.split_first() {
        let inside = behind.iter().take_while(|(next, _)| next.start < place.end).count();
        let (inside, after) = behind.split_at(inside);
        text += &source[at..place.start];
        text += &choice(row, &render(source, place.clone(), inside));
        at = place.end;
        rest = after;
    }
    text + &source[at..stretch.end]
}

fn choice(row: &Mutant, from: &str) -> String {
    let Mutant { number, name, to, .. } = row;
    let name = name.replace("*/", "* /");
    let choice =
        format!("if crate::mutants::is_on({number} /* {name} */) {{ {to} }} else {{ {from} }}");
    // Statements stand as they are; an expression may be part of a larger one.
    if from.ends_with(';') || from.ends_with('}') { choice } else { format!("({choice})") }
}

/// The line that opens the function around a place, if the function is constant.
fn constant(source: &str, at: usize) -> Option<&str> {
    let opens = |line: &&str| {
        let words = line.trim_start();
        let words = words
            .split_once(") ")
            .filter(|_| words.starts_with("pub("))
            .map_or(words, |(_, rest)| rest);
        let words = words.strip_prefix("pub ").unwrap_or(words);
        words.starts_with("fn ") || words.starts_with("const fn ")
    };
    source[..at].lines().rev().find(opens).filter(|line| line.contains("const fn "))
}

#[cfg(test)]
mod tests {
    use super::super::rows::tests::row;
    use super::*;

    fn of(source: &str, rows: &[Mutant]) -> String {
        graft(source, &rows.iter().collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn an_expression_and_a_statement_become_choices() {
        assert_eq!(
            of("if a && b { c(); }", &[row(7, "b", "true"), row(8, "c();", "")]),
            "if a && (if crate::mutants::is_on(7 /* slip 7 */) { true } else { b }) \
             { if crate::mutants::is_on(8 /* slip 8 */) {  } else { c(); } }"
        );
    }

    #[test]
    fn one_slip_may_lie_in_another_or_on_it() {
        let text = of("a + b", &[row(1, "b", "c"), row(2, "a + b", "0"), row(3, "b", "d")]);
        let [one, two, three] =
            [1, 2, 3].map(|n| format!("crate::mutants::is_on({n} /* slip {n} */)"));
        assert_eq!(
            text,
            format!(
                "(if {two} {{ 0 }} else {{ a + (if {one} {{ c }} else {{ (if {three} {{ d }} else {{ b }}) }}) }})"
            )
        );
    }

    #[test]
    fn texts_that_overlap_are_refused() {
        let rows = [row(1, "a + b", "0"), row(2, "b + c", "0")];
        let error = graft("a + b + c", &rows.iter().collect::<Vec<_>>()).unwrap_err().to_string();
        assert_eq!(error, "row 'slip 2': src/a.rs: its text and that of another row overlap");
    }

    #[test]
    fn a_constant_function_with_a_slip_is_constant_no_more() {
        let source = "    pub const fn one() {\n        1\n    }\n    pub(super) const fn two() {\n        2\n    }\n";
        let text = of(source, &[row(1, "2", "3")]);
        assert!(text.contains("pub const fn one"), "{text}");
        assert!(text.contains("pub(super) fn two"), "{text}");
        let text = of(source, &[row(1, "1", "3")]);
        assert!(text.contains("pub fn one") && text.contains("const fn two"), "{text}");
    }

    #[test]
    fn the_switches_read_the_variable_that_is_set() {
        assert!(SWITCHES.contains(&format!("var(\"{VARIABLE}\")")));
    }
}
