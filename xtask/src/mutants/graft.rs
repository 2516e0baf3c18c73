//! Rows into source: every place becomes a choice between the text that is and the slip.
//!
//! ```text
//! self.certain = false;  ->  if crate::mutants::is_on(7) { } else { self.certain = false; }
//! ```
//!
//! The row's name stands beside its switch, so that a slip that does not build can be found.

use std::ops::Range;

use anyhow::Result;

use super::rows::Mutant;

/// The variable that throws a switch: the number of a row.
pub(super) const VARIABLE: &str = "CROUPIER_MUTANT";

/// The variable that names a file for what the tests come by.
pub(super) const NOTES: &str = "CROUPIER_MUTANT_NOTES";

/// The file that is added to the rules.
pub(super) const SWITCHES: &str = include_str!("switches.rs");

/// The source with all its rows behind switches.
pub(super) fn graft(source: &str, rows: &[&Mutant]) -> Result<String> {
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
    Ok(render(source, 0..source.len(), &places))
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
    fn the_switches_read_the_variables_that_are_set() {
        assert!(SWITCHES.contains(&format!("var(\"{VARIABLE}\")")));
        assert!(SWITCHES.contains(&format!("var_os(\"{NOTES}\")")));
    }
}
