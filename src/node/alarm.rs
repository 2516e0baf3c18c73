//! How often strangers are reported: so rarely that the reports push no real event out of the ring.

use crate::time::{Instant, Millis};

/// The least time between two reports of one kind.
const APART: Millis = Millis::from_secs(10);
/// Reports in a row.
const MOST: u8 = 8;
/// What brings one more.
const SLOWLY: Millis = Millis::from_secs(600);

/// Reports of one kind, and when the next may come.
#[derive(Debug)]
pub(super) struct Alarm {
    left: u8,
    due: Instant,
    more_at: Instant,
}

impl Alarm {
    pub(super) const fn new() -> Self {
        Self { left: MOST, due: Instant::START, more_at: Instant::START }
    }

    /// Whether a report may come now.
    pub(super) fn is_due(&mut self, now: Instant) -> bool {
        if now >= self.more_at {
            self.left = self.left.saturating_add(1).min(MOST);
            self.more_at = now + SLOWLY;
        }
        self.left > 0 && now >= self.due
    }

    /// Whether so many since the last report are one; if so, it is made.
    pub(super) fn sounds(&mut self, count: u32, now: Instant) -> bool {
        if count > 0 {
            self.left = self.left.saturating_sub(1);
            self.due = now + APART;
        }
        count > 0
    }
}
