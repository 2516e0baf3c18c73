//! All that a device did, step by step, in an order that no host can change.

use crate::log::{Level, Line};
use crate::pins::{Mark, Pins};
use croupier::time::Instant;

/// What was written down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// In order: pins and streams by step, then the display, then the log.
    pub lines: Vec<String>,
    mark: Mark,
}

impl Record {
    /// Nothing yet; pins count from `mark`.
    pub fn new(mark: Mark) -> Self {
        Self { lines: Vec::new(), mark }
    }

    /// What the device did in the step that ended at `now`: edges up to `before`, and bytes.
    pub fn step(&mut self, now: Instant, pins: &Pins, before: Mark, sent: [(&str, Vec<u8>); 3]) {
        // What the world does from here on belongs to the next step, in which the device sees it.
        let count = pins.edges(self.mark).len() - pins.edges(before).len();
        for edge in pins.edges(self.mark).into_iter().take(count) {
            let word = if edge.on { "on" } else { "off" };
            self.lines.push(format!("{} ms: {} {word}", now.as_millis(), edge.pin));
        }
        self.mark = before;
        for (name, bytes) in sent {
            if !bytes.is_empty() {
                let text: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
                self.lines.push(format!("{} ms: {name} {text}", now.as_millis()));
            }
        }
    }

    /// The device's log, and what its display showed. Two threads write them down, so each is in
    /// order and one with the other need not be.
    pub fn end(&mut self, log: &[Line]) {
        let display = |line: &&Line| line.message.starts_with("display: ");
        let device = |line: &&Line| line.level != Level::Bench;
        self.lines.extend(log.iter().filter(display).map(|line| line.message.clone()));
        self.lines.extend(log.iter().filter(device).map(|line| format!("log {line}")));
    }
}

/// Where two records differ first, in words.
pub fn first_difference(one: &Record, other: &Record) -> Option<String> {
    let most = one.lines.len().max(other.lines.len());
    let line = |record: &Record, at: usize| record.lines.get(at).cloned();
    let at = (0..most).find(|at| line(one, *at) != line(other, *at))?;
    let show = |record: &Record| line(record, at).unwrap_or_else(|| "nothing more".into());
    let before = at.checked_sub(1).and_then(|at| line(one, at)).unwrap_or_default();
    Some(format!("line {at}, after `{before}`: `{}`, and then `{}`", show(one), show(other)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_difference_is_told_with_what_came_before_it() {
        let record = |lines: &[&str]| Record {
            lines: lines.iter().map(|line| (*line).to_owned()).collect(),
            mark: Mark::default(),
        };
        let one = record(&["1 ms: ready on", "2 ms: can 54"]);
        assert_eq!(first_difference(&one, &one), None);
        let found = first_difference(&one, &record(&["1 ms: ready on"])).unwrap();
        assert_eq!(
            found,
            "line 1, after `1 ms: ready on`: `2 ms: can 54`, and then `nothing more`"
        );
    }

    #[test]
    fn an_edge_belongs_to_the_step_in_which_the_device_made_it() {
        let pins = Pins::new(["ready", "lid"]);
        let mut record = Record::new(pins.mark());
        pins.report("ready", true, None);
        let before = pins.mark();
        pins.report("lid", true, None);
        record.step(
            Instant::from_millis(1),
            &pins,
            before,
            [("link", vec![0xab]), ("can", vec![]), ("motion", vec![])],
        );
        assert_eq!(record.lines, ["1 ms: ready on", "1 ms: link ab"]);
        record.step(
            Instant::from_millis(2),
            &pins,
            pins.mark(),
            [("link", vec![]), ("can", vec![]), ("motion", vec![])],
        );
        assert_eq!(record.lines.last().map(String::as_str), Some("2 ms: lid on"));
    }
}
