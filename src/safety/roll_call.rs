//! Roll call: the watchdog is fed only when every task has answered.
//!
//! A watchdog fed by a timer proves that the timer lives. This one proves that each
//! duty of the device went round its own loop within the window. A duty that did not
//! is named, so that the report after the reset says who was missing.

use core::fmt;

/// A duty that a task of a device has taken on. The number is its bit: append only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Duty {
    /// Keys, lamps and the lamp test.
    Panel = 0,
    /// The device's own game rules.
    Game = 1,
    /// The table link on UART.
    Link = 2,
    /// The table bus on CAN.
    Bus = 3,
    /// Work between games: image measurement, entropy cycling.
    Background = 4,
    /// A motor and the line to its controller.
    Motion = 5,
    /// The start itself, until every task has taken on its duty.
    Boot = 6,
}

/// Every duty, in bit order.
const ALL: [(Duty, &str); 7] = [
    (Duty::Panel, "panel"),
    (Duty::Game, "game"),
    (Duty::Link, "link"),
    (Duty::Bus, "bus"),
    (Duty::Background, "background"),
    (Duty::Motion, "motion"),
    (Duty::Boot, "boot"),
];

/// A set of duties.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Duties(u32);

impl Duties {
    /// No duty at all.
    pub const NONE: Self = Self(0);

    /// This set and `duty`.
    pub const fn with(self, duty: Duty) -> Self {
        Self(self.0 | 1 << duty as u8)
    }

    /// The duties of this set that are not in `other`.
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether no duty is in the set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The set as bits, for the memory that outlives a reset.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The set with these bits; bits that name no duty are dropped.
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits & ((1 << ALL.len()) - 1))
    }

    /// The names of the duties in the set, in bit order.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        ALL.into_iter()
            .filter(move |(duty, _)| self.0 & 1 << *duty as u8 != 0)
            .map(|(_, name)| name)
    }
}

impl fmt::Display for Duties {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, name) in self.names().enumerate() {
            write!(f, "{}{name}", if place == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

/// What the roll call asks of the watchdog.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Some duties are still expected, and there is time.
    Wait,
    /// All have answered: feed the watchdog; a new window has begun.
    Feed,
    /// The window closed without these duties: stop safely and reset.
    Missing(Duties),
}

/// The roll call of one device. Times are in milliseconds of the device's clock.
#[derive(Debug, Clone, Copy)]
pub struct RollCall {
    expected: Duties,
    present: Duties,
    closes_at: u64,
}

impl RollCall {
    /// How long a duty may take to answer. A lamp may be wrong for this long at worst.
    pub const WINDOW_MS: u64 = 500;

    /// How long a start may take: opening a store that a power cut tore erases sixteen pages
    /// and copies a bank, which takes 0.5 s. Shorter than the watchdog's two seconds, so that
    /// a start that hangs is named.
    pub const BOOT_MS: u64 = 1_500;

    /// A roll call that expects nobody yet.
    pub const fn new() -> Self {
        Self { expected: Duties::NONE, present: Duties::NONE, closes_at: u64::MAX }
    }

    /// From now on `duty` must answer, first within one window from `now`.
    ///
    /// [`Duty::Boot`] cannot answer, it can only be [released](Self::release).
    pub fn expect(&mut self, duty: Duty, now: u64) {
        let window = if duty == Duty::Boot { Self::BOOT_MS } else { Self::WINDOW_MS };
        let closes_at = now.saturating_add(window);
        let first = self.expected.is_empty();
        self.closes_at = if first { closes_at } else { self.closes_at.max(closes_at) };
        self.expected = self.expected.with(duty);
    }

    /// `duty` is done and need not answer any more; the others have a new window.
    pub fn release(&mut self, duty: Duty, now: u64) {
        self.expected = self.expected.without(Duties::NONE.with(duty));
        self.closes_at = now.saturating_add(Self::WINDOW_MS);
    }

    /// `duty` is alive.
    pub fn here(&mut self, duty: Duty) {
        self.present = self.present.with(duty);
    }

    /// Judges the window at `now`. Call it several times per window.
    ///
    /// A roll without a name on it proves nothing, so it never feeds: if the start hangs
    /// before the first task, the watchdog must run out.
    pub fn judge(&mut self, now: u64) -> Verdict {
        if self.expected.is_empty() {
            return Verdict::Wait;
        }
        let answered = self.present.without(Duties::NONE.with(Duty::Boot));
        let missing = self.expected.without(answered);
        if missing.is_empty() {
            self.present = Duties::NONE;
            self.closes_at = now.saturating_add(Self::WINDOW_MS);
            Verdict::Feed
        } else if now > self.closes_at {
            Verdict::Missing(missing)
        } else {
            Verdict::Wait
        }
    }
}

impl Default for RollCall {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    fn two_duties() -> RollCall {
        let mut roll = RollCall::new();
        roll.expect(Duty::Panel, 0);
        roll.expect(Duty::Game, 0);
        roll
    }

    #[test]
    fn watchdog_is_fed_only_when_every_duty_has_answered() {
        let mut roll = two_duties();
        assert_eq!(roll.judge(10), Verdict::Wait);
        roll.here(Duty::Panel);
        assert_eq!(roll.judge(20), Verdict::Wait);
        roll.here(Duty::Game);
        assert_eq!(roll.judge(30), Verdict::Feed);
        assert_eq!(roll.judge(31), Verdict::Wait, "each window needs answers of its own");
    }

    #[test]
    fn a_silent_duty_is_named_once_the_window_has_closed() {
        let mut roll = two_duties();
        roll.here(Duty::Game);
        assert_eq!(roll.judge(RollCall::WINDOW_MS), Verdict::Wait);
        let late = roll.judge(RollCall::WINDOW_MS + 1);
        assert_eq!(late, Verdict::Missing(Duties::NONE.with(Duty::Panel)));
    }

    #[test]
    fn one_eager_duty_cannot_answer_for_another() {
        let mut roll = two_duties();
        for now in 0..RollCall::WINDOW_MS {
            roll.here(Duty::Panel);
            assert_eq!(roll.judge(now), Verdict::Wait);
        }
        assert!(matches!(roll.judge(RollCall::WINDOW_MS + 1), Verdict::Missing(_)));
    }

    #[test]
    fn an_empty_roll_never_feeds_the_watchdog() {
        let mut roll = RollCall::new();
        for now in [0, 1, RollCall::WINDOW_MS + 1, 10 * RollCall::BOOT_MS] {
            assert_eq!(roll.judge(now), Verdict::Wait);
        }
        roll.expect(Duty::Boot, 0);
        roll.release(Duty::Boot, 1);
        assert_eq!(roll.judge(2), Verdict::Wait, "a start that started nothing");
    }

    #[test]
    fn nothing_feeds_before_the_start_is_over_and_a_start_that_hangs_is_named() {
        let mut roll = RollCall::new();
        roll.expect(Duty::Boot, 0);
        roll.expect(Duty::Panel, 20);
        roll.here(Duty::Panel);
        roll.here(Duty::Boot);
        assert_eq!(roll.judge(30), Verdict::Wait, "nobody can answer for the start");
        assert_eq!(roll.judge(RollCall::BOOT_MS), Verdict::Wait, "a start may take its time");
        let late = roll.judge(RollCall::BOOT_MS + 1);
        assert_eq!(late, Verdict::Missing(Duties::NONE.with(Duty::Boot)));
    }

    #[test]
    fn once_the_start_is_over_the_tasks_have_a_window_of_their_own() {
        let mut roll = RollCall::new();
        roll.expect(Duty::Boot, 0);
        roll.expect(Duty::Panel, 900);
        roll.release(Duty::Boot, 1_000);
        assert_eq!(roll.judge(1_000 + RollCall::WINDOW_MS), Verdict::Wait);
        let late = roll.judge(1_001 + RollCall::WINDOW_MS);
        assert_eq!(late, Verdict::Missing(Duties::NONE.with(Duty::Panel)));
        roll.here(Duty::Panel);
        assert_eq!(roll.judge(2_000), Verdict::Feed);
    }

    #[test]
    fn duties_are_named_in_order_and_unknown_bits_are_dropped() {
        let set = Duties::from_bits(u32::MAX);
        assert_eq!(set.to_string(), "panel, game, link, bus, background, motion, boot");
        assert_eq!(Duties::NONE.with(Duty::Bus).to_string(), "bus");
        assert_eq!(Duties::from_bits(Duties::NONE.with(Duty::Link).bits()).to_string(), "link");
    }
}
