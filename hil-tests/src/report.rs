//! The report of the image `measure`: one measured row per line, as the image wrote it.

use serde::{Deserialize, Serialize};

/// A row may be worse by this part of what it was: the compiler moves a few instructions.
const TOLERANCE: f64 = 0.02;

/// One measured thing, and a peer measured in the same run when there is one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// What was measured.
    pub name: String,
    /// How much.
    pub value: f64,
    /// Of what.
    pub unit: String,
    /// What it is compared with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peer: Option<Peer>,
}

/// What a row is compared with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Peer {
    /// Its name.
    pub name: String,
    /// How much it took, in the row's unit.
    pub value: f64,
    /// The row's value over the peer's.
    pub ratio: f64,
}

/// Reads a report: name, value, unit, peer's name, peer's value, with tabs between.
pub fn read(report: &str) -> Result<Vec<Row>, String> {
    let rows: Vec<Row> =
        report.lines().filter(|l| !l.trim().is_empty()).map(row).collect::<Result<_, _>>()?;
    if rows.is_empty() { Err("the report has no rows".into()) } else { Ok(rows) }
}

fn row(line: &str) -> Result<Row, String> {
    let wrong =
        || format!("the report's line `{line}` is not name, value, unit, peer, peer's value");
    let fields: Vec<&str> = line.split('\t').map(str::trim).collect();
    let [name, value, unit, rest @ ..] = &fields[..] else { return Err(wrong()) };
    let number = |text: &str| text.parse::<f64>().map_err(|_| wrong());
    let value = number(value)?;
    let peer = match rest {
        [] | [""] | ["", ""] => None,
        [peer, count] => {
            let count = number(count)?;
            Some(Peer { name: (*peer).into(), value: count, ratio: value / count })
        }
        _ => return Err(wrong()),
    };
    Ok(Row { name: (*name).into(), value, unit: (*unit).into(), peer })
}

/// Rows of `now` that are worse than the same rows of `before`, and rows of `before` that are
/// gone, in words. In every row less is better.
pub fn worse(before: &[Row], now: &[Row]) -> Vec<String> {
    let fault = |before: &Row| {
        let Some(now) = now.iter().find(|now| now.name == before.name) else {
            return Some(format!("'{}' is not measured any more", before.name));
        };
        if now.unit != before.unit {
            return Some(format!("'{}': {} before, {} now", now.name, before.unit, now.unit));
        }
        let is_worse = now.value > before.value * (1.0 + TOLERANCE);
        is_worse
            .then(|| format!("'{}': {} {}, was {}", now.name, now.value, now.unit, before.value))
    };
    before.iter().filter_map(fault).collect()
}

/// The report as a table for people.
pub fn table(rows: &[Row]) -> String {
    let head = ["name", "value", "unit", "peer", "ratio"].map(str::to_owned);
    let mut lines = vec![head];
    for row in rows {
        let (peer, ratio) = match &row.peer {
            Some(peer) => {
                (format!("{} ({})", peer.name, grouped(peer.value)), format!("{:.3}", peer.ratio))
            }
            None => ("-".into(), "-".into()),
        };
        lines.push([row.name.clone(), grouped(row.value), row.unit.clone(), peer, ratio]);
    }
    let width = |column: usize| lines.iter().map(|l| l[column].chars().count()).max().unwrap_or(0);
    let [a, b, c, d, e] = [width(0), width(1), width(2), width(3), width(4)];
    let text = lines.iter().map(|[name, value, unit, peer, ratio]| {
        format!("{name:<a$}  {value:>b$}  {unit:<c$}  {peer:<d$}  {ratio:>e$}\n")
    });
    text.collect()
}

/// Thousands set apart, so that a million is seen at a glance.
fn grouped(value: f64) -> String {
    let text = if value.fract() == 0.0 { format!("{value:.0}") } else { format!("{value:.2}") };
    let (whole, fraction) =
        text.split_once('.').map_or((text.as_str(), None), |(w, f)| (w, Some(f)));
    let digits: Vec<char> = whole.chars().collect();
    let mut grouped = String::new();
    for (index, digit) in digits.iter().enumerate() {
        if index > 0
            && (digits.len() - index).is_multiple_of(3)
            && digits[index - 1].is_ascii_digit()
        {
            grouped.push(' ');
        }
        grouped.push(*digit);
    }
    fraction.map_or_else(|| grouped.clone(), |fraction| format!("{grouped}.{fraction}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_with_and_without_a_peer() {
        let rows = read(
            "boot\t1200\tinstructions\t\t\nwake-up\t300\tinstructions\tbare\t150\nidle\t98.5\tpercent\n",
        );
        let rows = rows.unwrap();
        assert_eq!(rows[0].peer, None);
        assert_eq!(rows[1].peer, Some(Peer { name: "bare".into(), value: 150.0, ratio: 2.0 }));
        assert_eq!(rows[2].value, 98.5);
    }

    // Issue 12, "must show": figures no worse than 2 %.
    #[test]
    fn a_figure_more_than_two_percent_worse_is_a_fault() {
        let row =
            |name: &str, value| Row { name: name.into(), value, unit: "us".into(), peer: None };
        let before = [row("a", 1000.0), row("b", 0.0)];
        assert!(worse(&before, &[row("a", 1020.0), row("b", 0.0), row("new", 5.0)]).is_empty());
        assert!(worse(&before, &[row("b", 0.0), row("a", 1.0)]).is_empty());
        assert_eq!(worse(&before, &[row("a", 1021.0), row("b", 1.0)]).len(), 2);
        assert_eq!(worse(&before, &[row("b", 0.0)]), ["'a' is not measured any more"]);
        let seconds = Row { unit: "s".into(), ..row("a", 1.0) };
        assert_eq!(worse(&before[..1], &[seconds]), ["'a': us before, s now"]);
    }

    #[test]
    fn rows_come_back_from_their_file() {
        let rows = read("boot\t1200\tus\nwake-up\t300\tus\tbare\t150\n").unwrap();
        let text = serde_json::to_string(&rows).unwrap();
        assert_eq!(serde_json::from_str::<Vec<Row>>(&text).unwrap(), rows);
    }

    #[test]
    fn a_bent_report_is_a_sentence() {
        assert!(read("").unwrap_err().contains("no rows"));
        assert!(read("boot\tmany\tinstructions\n").unwrap_err().contains("boot\tmany"));
    }

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!(grouped(1_234_567.0), "1 234 567");
        assert_eq!(grouped(98.5), "98.50");
        assert_eq!(grouped(-1000.0), "-1 000");
    }
}
