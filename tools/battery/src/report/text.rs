//! Tables for the terminal.

use super::Report;
use crate::calibrate::{Expect, Measured};
use crate::outcome::print_p;
use crate::uniform::{LIMIT, Spread};
use crate::verdict::{Limits, Verdict, worst};
use comfy_table::{CellAlignment, Table, presets::UTF8_FULL_CONDENSED};

fn table(header: &[&str], right: &[usize]) -> Table {
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED).set_header(header);
    for &column in right {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

/// A figure with as many digits as it deserves.
pub(super) fn figure(value: f64) -> String {
    match value.abs() {
        size if size >= 1000.0 => format!("{value:.0}"),
        0.0 => "0".into(),
        size if size < 1e-3 => format!("{value:.1e}"),
        _ => format!("{value:.4}"),
    }
}

/// Every test of a run.
pub fn outcome_table(report: &Report) -> String {
    let limits = Limits::for_tests(report.tests);
    let mut text = String::new();
    for part in &report.parts {
        let look = if part.second_look { ", second look" } else { "" };
        text += &format!("\n{} x {}{look}\n", part.count, part.title);
        let mut table = table(&["#", "test", "family", "seen", "expected", "p", ""], &[0, 3, 4, 5]);
        for outcome in &part.outcomes {
            let verdict = limits.of(outcome.ln_p());
            table.add_row([
                outcome.number.to_string(),
                outcome.name.into(),
                outcome.family.word().into(),
                figure(outcome.seen),
                figure(outcome.expected),
                print_p(outcome.ln_p()),
                if verdict == Verdict::Pass { String::new() } else { verdict.word().into() },
            ]);
        }
        text += &format!("{table}\n");
    }
    text
}

/// The calibration set with what came out.
pub fn calibration_table(rows: &[Measured]) -> String {
    let mut table = table(
        &["dealer", "cards", "count", "must", "verdict", "worst test", "p", "seconds", ""],
        &[1, 2, 6, 7],
    );
    for measured in rows {
        let worst = worst(&measured.outcomes);
        let must = match measured.row.expect {
            Expect::Reject => "reject",
            Expect::Pass => "pass",
            Expect::Blind => "pass (limit)",
        };
        table.add_row([
            measured.row.dealer.name(),
            measured.row.cards.to_string(),
            measured.row.count.to_string(),
            must.into(),
            measured.verdict.word().into(),
            worst.map_or(String::new(), |worst| format!("{}, {}", worst.name, worst.family.word())),
            worst.map_or(String::new(), |worst| print_p(worst.ln_p())),
            format!("{:.1}", measured.took.as_secs_f64()),
            if measured.as_expected() { String::new() } else { "NOT AS EXPECTED".into() },
        ]);
    }
    table.to_string()
}

/// Kolmogorov-Smirnov and Fisher of every test over many ideal runs.
pub fn uniformity_table(spreads: &[Spread]) -> String {
    let mut table = table(
        &["test", "family", "smallest p", "distance", "p of distance", "p of Fisher sum", ""],
        &[2, 3, 4, 5],
    );
    for spread in spreads {
        let smallest = spread.p_values.first().map_or(String::new(), |p| format!("{p:.2e}"));
        if !spread.smooth {
            table.add_row([
                spread.name,
                spread.family.word(),
                &smallest,
                "-",
                "-",
                "-",
                "counts: not uniform by nature",
            ]);
            continue;
        }
        let (distance, p) = spread.distance();
        let note = if p < LIMIT { "NOT UNIFORM" } else { "" };
        table.add_row([
            spread.name,
            spread.family.word(),
            &smallest,
            &format!("{distance:.4}"),
            &format!("{p:.4}"),
            &format!("{:.4}", spread.fisher()),
            note,
        ]);
    }
    table.to_string()
}
