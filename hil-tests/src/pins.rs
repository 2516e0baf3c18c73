//! The pins of one device: what is on now, and every change since power-on.
//!
//! "On" means pressed, lit or raised, whichever voltage that is on the board. One
//! thread reports changes in the order they happened; tests wait for them.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::error::{BenchError, Result};
use crate::wait::{Waited, Watched};

/// One change of one pin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge {
    /// The pin's name.
    pub pin: String,
    /// Whether it came on or went off.
    pub on: bool,
    /// When the bench saw it, since the bench was opened.
    pub at: Duration,
}

/// A moment in the record of edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Mark(usize);

#[derive(Default)]
struct State {
    pins: Vec<(String, bool)>,
    edges: Vec<Edge>,
    trace: Option<File>,
}

/// Every pin of a device.
pub struct Pins {
    state: Watched<State>,
    opened: Instant,
}

impl Mark {
    /// The moment `count` edges later.
    pub fn after(self, count: usize) -> Self {
        Self(self.0 + count)
    }
}

impl Pins {
    /// Pins that are all off.
    pub fn new<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        let pins = names.into_iter().map(|name| (name.to_owned(), false)).collect();
        let state = State { pins, ..State::default() };
        Self { state: Watched::new(state), opened: Instant::now() }
    }

    /// Also writes every edge to `file`, one line each: microseconds, pin, on or off.
    pub fn traced_in(self, file: &Path) -> Result<Self> {
        let doing = format!("making {}", file.display());
        let trace = File::create(file).map_err(BenchError::io(doing))?;
        self.state.change(|state| state.trace = Some(trace));
        Ok(self)
    }

    /// Records that `pin` now is `on`; no change, no edge. `at` when the caller knows better.
    pub fn report(&self, pin: &str, on: bool, at: Option<Duration>) {
        let at = at.unwrap_or_else(|| self.opened.elapsed());
        self.state.change(|state| {
            let Some(known) = state.pins.iter_mut().find(|(name, _)| name == pin) else { return };
            if known.1 == on {
                return;
            }
            known.1 = on;
            if let Some(file) = &mut state.trace {
                // As with the log: a full disk must not stop a test.
                let word = if on { "on" } else { "off" };
                let _ = writeln!(file, "{:>12} {pin} {word}", at.as_micros());
            }
            state.edges.push(Edge { pin: pin.to_owned(), on, at });
        });
    }

    /// No pin will change any more, or they may again.
    pub fn give_up(&self, vain: bool) {
        self.state.give_up(vain);
    }

    /// Whether `pin` is on now; a pin that is not wired is off.
    pub fn is_on(&self, pin: &str) -> bool {
        self.state.look(|state| on(state, pin))
    }

    /// This moment, to ask later what changed since.
    pub fn mark(&self) -> Mark {
        self.state.look(|state| Mark(state.edges.len()))
    }

    /// Every edge since `mark`, oldest first.
    pub fn edges(&self, mark: Mark) -> Vec<Edge> {
        self.state.look(|state| state.edges[mark.0..].to_vec())
    }

    /// The pins that were on at `mark`.
    pub fn on_at(&self, mark: Mark) -> BTreeSet<String> {
        let mut lit = BTreeSet::new();
        self.state.look(|state| {
            for edge in &state.edges[..mark.0] {
                if edge.on {
                    lit.insert(edge.pin.clone())
                } else {
                    lit.remove(&edge.pin)
                };
            }
        });
        lit
    }

    /// Waits until `pin` is `on`, at once if it already is.
    pub fn wait_level(&self, pin: &str, level: bool, within: Duration) -> Waited<()> {
        self.state.wait(within, |state| (on(state, pin) == level).then_some(()))
    }

    /// Waits until every pin of `pins` is `on` at the same moment.
    pub fn wait_all(&self, pins: &[&str], level: bool, within: Duration) -> Waited<()> {
        self.state
            .wait(within, |state| pins.iter().all(|pin| on(state, pin) == level).then_some(()))
    }

    /// Waits for the first edge of `pin` to `on` after `mark`, and the moment after it.
    pub fn wait_edge(
        &self,
        pin: &str,
        to: bool,
        mark: Mark,
        within: Duration,
    ) -> Waited<(Edge, Mark)> {
        self.state.wait(within, |state| {
            let later = state.edges.iter().enumerate().skip(mark.0);
            let found = later.into_iter().find(|(_, edge)| edge.pin == pin && edge.on == to);
            found.map(|(index, edge)| (edge.clone(), Mark(index + 1)))
        })
    }
}

fn on(state: &State, pin: &str) -> bool {
    state.pins.iter().any(|(name, on)| name == pin && *on)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOON: Duration = Duration::from_millis(1);

    #[test]
    fn only_changes_are_edges_and_they_keep_their_order() {
        let pins = Pins::new(["ready", "fault"]);
        for (pin, on) in [("ready", true), ("ready", true), ("fault", true), ("ready", false)] {
            pins.report(pin, on, None);
        }
        pins.report("nobody wired this", true, None);
        let seen: Vec<_> = pins.edges(Mark(0)).into_iter().map(|e| (e.pin, e.on)).collect();
        let ready = || "ready".to_owned();
        assert_eq!(seen, [(ready(), true), ("fault".to_owned(), true), (ready(), false)]);
        assert!(pins.is_on("fault") && !pins.is_on("ready"));
    }

    #[test]
    fn an_edge_before_the_mark_does_not_count() {
        let pins = Pins::new(["ready"]);
        pins.report("ready", true, None);
        let mark = pins.mark();
        assert_eq!(pins.wait_edge("ready", true, mark, SOON), Waited::RanOut);
        pins.report("ready", false, None);
        pins.report("ready", true, Some(Duration::from_secs(3)));
        let Waited::Came((edge, after)) = pins.wait_edge("ready", true, mark, SOON) else {
            panic!("the edge is there");
        };
        assert_eq!(edge.at, Duration::from_secs(3));
        assert_eq!(after, pins.mark());
        assert!(pins.on_at(mark).contains("ready") && !pins.on_at(Mark(2)).contains("ready"));
    }
}
