//! The task watchdog: fed only when every task has checked in.
//!
//! A watchdog fed by a timer proves that the timer lives. This one proves that each
//! task of the device went round its own loop within the window. A task that did not
//! is named, so that the report after the reset says who was missing.

use crate::time::{Instant, Millis};

/// A task of a device. The number is its bit in the crash record: append only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum TaskId {
    /// The device's game: its keys, lamps, mechanism and rules.
    Game = 0,
    /// The table link on UART.
    Link = 1,
    /// The table bus on CAN.
    Bus = 2,
    /// Work between games: image measurement, entropy cycling.
    Background = 3,
    /// A motor and the line to its controller.
    Motion = 4,
    /// The start itself, until every task has registered.
    Boot = 5,
}

/// Every task, in bit order.
const ALL: [(TaskId, &str); 6] = [
    (TaskId::Game, "game"),
    (TaskId::Link, "link"),
    (TaskId::Bus, "bus"),
    (TaskId::Background, "background"),
    (TaskId::Motion, "motion"),
    (TaskId::Boot, "boot"),
];

/// A set of tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TaskSet(u32);

impl TaskSet {
    /// No task at all.
    pub const NONE: Self = Self(0);

    /// This set and `task`.
    pub const fn with(self, task: TaskId) -> Self {
        Self(self.0 | 1 << task as u8)
    }

    /// The tasks of this set that are not in `other`.
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether no task is in the set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The set as bits, for the memory that outlives a reset.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The set with these bits; bits that name no task are dropped.
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits & ((1 << ALL.len()) - 1))
    }

    /// The names of the tasks in the set, in bit order.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        ALL.into_iter()
            .filter(move |(task, _)| self.0 & 1 << *task as u8 != 0)
            .map(|(_, name)| name)
    }
}

#[cfg(feature = "defmt")]
impl defmt::Format for TaskSet {
    fn format(&self, f: defmt::Formatter<'_>) {
        for (place, name) in self.names().enumerate() {
            defmt::write!(f, "{=str}{=str}", if place == 0 { "" } else { ", " }, name);
        }
    }
}

/// What the task watchdog asks of the watchdog.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Some tasks are still expected, and there is time.
    Wait,
    /// All have answered: feed the watchdog; a new window has begun.
    Feed,
    /// The window closed without these tasks: stop safely and reset.
    Missing(TaskSet),
}

/// The task watchdog of one device.
#[derive(Debug, Clone, Copy)]
pub struct TaskWatchdog {
    expected: TaskSet,
    present: TaskSet,
    closes_at: Instant,
}

impl TaskWatchdog {
    /// How long a task may take to answer. A task that hangs right after it checked in is present
    /// in this window and missing in the next: a lamp may be wrong for two windows and the time
    /// between two evaluations at worst.
    pub const WINDOW: Millis = Millis::new(500);

    /// How long a start may take: opening a store that a power cut tore erases sixteen pages
    /// and copies a bank, which takes 0.5 s. Shorter than the watchdog's two seconds, so that
    /// a start that hangs is named.
    pub const BOOT: Millis = Millis::new(1_500);

    /// A task watchdog that expects no task yet.
    pub const fn new() -> Self {
        Self { expected: TaskSet::NONE, present: TaskSet::NONE, closes_at: Instant::MAX }
    }

    /// From now on `task` must answer, first within one window from `now`.
    ///
    /// [`TaskId::Boot`] cannot answer, it can only be [released](Self::release).
    pub fn expect(&mut self, task: TaskId, now: Instant) {
        let window = if task == TaskId::Boot { Self::BOOT } else { Self::WINDOW };
        let closes_at = now + window;
        let first = self.expected.is_empty();
        self.closes_at = if first { closes_at } else { self.closes_at.max(closes_at) };
        self.expected = self.expected.with(task);
    }

    /// `task` is done and need not answer any more; the others have a new window.
    pub fn release(&mut self, task: TaskId, now: Instant) {
        self.expected = self.expected.without(TaskSet::NONE.with(task));
        self.closes_at = now + Self::WINDOW;
    }

    /// `task` is alive.
    pub fn check_in(&mut self, task: TaskId) {
        self.present = self.present.with(task);
    }

    /// Judges the window at `now`. Call it several times per window.
    ///
    /// A watchdog without a name on it proves nothing, so it never feeds: if the start hangs
    /// before the first task, the watchdog must run out.
    pub fn evaluate(&mut self, now: Instant) -> Verdict {
        if self.expected.is_empty() {
            return Verdict::Wait;
        }
        let answered = self.present.without(TaskSet::NONE.with(TaskId::Boot));
        let missing = self.expected.without(answered);
        if missing.is_empty() {
            self.present = TaskSet::NONE;
            self.closes_at = now + Self::WINDOW;
            Verdict::Feed
        } else if now > self.closes_at {
            Verdict::Missing(missing)
        } else {
            Verdict::Wait
        }
    }
}

impl Default for TaskWatchdog {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The last moment of the first window.
    const WINDOW: Instant = Instant::from_millis(TaskWatchdog::WINDOW.get());
    /// The last moment of a start.
    const BOOT: Instant = Instant::from_millis(TaskWatchdog::BOOT.get());
    const TICK: Millis = Millis::new(1);

    fn at(milliseconds: u64) -> Instant {
        Instant::from_millis(milliseconds)
    }

    fn two_tasks() -> TaskWatchdog {
        let mut watchdog = TaskWatchdog::new();
        watchdog.expect(TaskId::Link, at(0));
        watchdog.expect(TaskId::Game, at(0));
        watchdog
    }

    #[test]
    fn watchdog_is_fed_only_when_every_duty_has_answered() {
        let mut watchdog = two_tasks();
        assert_eq!(watchdog.evaluate(at(10)), Verdict::Wait);
        watchdog.check_in(TaskId::Link);
        assert_eq!(watchdog.evaluate(at(20)), Verdict::Wait);
        watchdog.check_in(TaskId::Game);
        assert_eq!(watchdog.evaluate(at(30)), Verdict::Feed);
        assert_eq!(
            watchdog.evaluate(at(31)),
            Verdict::Wait,
            "each window needs answers of its own"
        );
    }

    #[test]
    fn a_silent_duty_is_named_once_the_window_has_closed() {
        let mut watchdog = two_tasks();
        watchdog.check_in(TaskId::Game);
        assert_eq!(watchdog.evaluate(WINDOW), Verdict::Wait);
        let late = watchdog.evaluate(WINDOW + TICK);
        assert_eq!(late, Verdict::Missing(TaskSet::NONE.with(TaskId::Link)));
    }

    #[test]
    fn one_eager_duty_cannot_answer_for_another() {
        let mut watchdog = two_tasks();
        for now in 0..TaskWatchdog::WINDOW.get() {
            watchdog.check_in(TaskId::Link);
            assert_eq!(watchdog.evaluate(at(now)), Verdict::Wait);
        }
        assert!(matches!(watchdog.evaluate(WINDOW + TICK), Verdict::Missing(_)));
    }

    #[test]
    fn an_empty_watchdog_never_feeds_the_watchdog() {
        let mut watchdog = TaskWatchdog::new();
        for now in [at(0), at(1), WINDOW + TICK, BOOT + TaskWatchdog::BOOT * 9] {
            assert_eq!(watchdog.evaluate(now), Verdict::Wait);
        }
        watchdog.expect(TaskId::Boot, at(0));
        watchdog.release(TaskId::Boot, at(1));
        assert_eq!(watchdog.evaluate(at(2)), Verdict::Wait, "a start that started nothing");
    }

    #[test]
    fn nothing_feeds_before_the_start_is_over_and_a_start_that_hangs_is_named() {
        let mut watchdog = TaskWatchdog::new();
        watchdog.expect(TaskId::Boot, at(0));
        watchdog.expect(TaskId::Link, at(20));
        watchdog.check_in(TaskId::Link);
        watchdog.check_in(TaskId::Boot);
        assert_eq!(watchdog.evaluate(at(30)), Verdict::Wait, "no task has registered yet");
        assert_eq!(watchdog.evaluate(BOOT), Verdict::Wait, "a start may take its time");
        let late = watchdog.evaluate(BOOT + TICK);
        assert_eq!(late, Verdict::Missing(TaskSet::NONE.with(TaskId::Boot)));
    }

    #[test]
    fn once_the_start_is_over_the_tasks_have_a_window_of_their_own() {
        let mut watchdog = TaskWatchdog::new();
        watchdog.expect(TaskId::Boot, at(0));
        watchdog.expect(TaskId::Link, at(900));
        watchdog.release(TaskId::Boot, at(1_000));
        assert_eq!(watchdog.evaluate(at(1_000) + TaskWatchdog::WINDOW), Verdict::Wait);
        let late = watchdog.evaluate(at(1_001) + TaskWatchdog::WINDOW);
        assert_eq!(late, Verdict::Missing(TaskSet::NONE.with(TaskId::Link)));
        watchdog.check_in(TaskId::Link);
        assert_eq!(watchdog.evaluate(at(2_000)), Verdict::Feed);
    }

    #[test]
    fn duties_are_named_in_order_and_unknown_bits_are_dropped() {
        let set = TaskSet::from_bits(u32::MAX);
        assert!(set.names().eq(["game", "link", "bus", "background", "motion", "boot"]));
        assert!(TaskSet::NONE.with(TaskId::Bus).names().eq(["bus"]));
        let link = TaskSet::NONE.with(TaskId::Link);
        assert_eq!(TaskSet::from_bits(link.bits()), link);
    }
}
